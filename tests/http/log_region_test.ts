import assert from "node:assert/strict";
import type { SseEvent } from "../../src/core/sse_parser.ts";
import type { Run } from "../../src/types.ts";
import { makeEngine } from "../support/make_engine.ts";
import { makeStreams } from "../support/make_streams.ts";
import { task } from "../support/units.ts";

const units = [task({ name: "build" })];
const pathOf = (run: Run, rest: string): string => `/api/runs/${run.id}/log${rest}`;

async function start() {
  const test = await makeEngine({ units });
  const app = makeStreams(test);
  const run = test.engine.run("build", { trigger: "api" });
  return { test, app, run, process: test.processes.only("build") };
}

function shown(events: readonly SseEvent[]): string[] {
  return events.map(({ name, data }) => {
    const { text, rows, frame_count } = JSON.parse(data);
    const frames = frame_count === undefined ? "" : ` (${frame_count})`;
    return name === "line"
      ? `${text}${frames}`
      : `${name} ${name === "region" ? JSON.stringify(rows) : data}`;
  });
}

Deno.test("GET .../log/stream sends the region, and clears it when it has become lines", async () => {
  const { test, app, run, process } = await start();
  await using _ = test;
  await using stream = await app.open(pathOf(run, "/stream"));
  process.print("start\n");
  await test.clock.advance(250);
  assert.deepEqual(shown(await stream.take(1)), ["start"]);
  process.print("10%\r20%");
  await test.clock.advance(50);
  const [region] = await stream.take(1);
  assert.equal(region?.name, "region");
  assert.equal(region?.id, undefined);
  assert.deepEqual(JSON.parse(region?.data ?? ""), { stream: "stdout", epoch: 0, rows: ["20%"] });
  process.print("\x1b[2J\rnew\nunder");
  await test.clock.advance(50);
  const [next] = await stream.take(1);
  assert.deepEqual(JSON.parse(next?.data ?? ""), { stream: "stdout", epoch: 1, rows: ["new", "under"] });
  await test.clock.advance(500);
  assert.deepEqual(shown(await stream.take(2)), ["new (2)", "region []"]);
  process.exit(0);
  await test.clock.advance(0);
  assert.deepEqual(shown(await stream.rest()), ["under", 'done {"final_line":2,"status":"ended"}']);
});

Deno.test("GET .../log/stream shows who comes late the region as it is", async () => {
  const { test, app, run, process } = await start();
  await using _ = test;
  process.print("a\n");
  await test.clock.advance(250);
  process.print("\rb\n");
  process.print("old\rred", "stderr");
  await using stream = await app.open(pathOf(run, "/stream"));
  assert.deepEqual(shown(await stream.take(3)), ["a", 'region ["b"]', 'region ["red"]']);
  await using end = await app.open(pathOf(run, "/stream?from=1"));
  assert.deepEqual(shown(await end.take(2)), ['region ["b"]', 'region ["red"]']);
  process.exit(0);
  await test.clock.advance(0);
  assert.deepEqual(shown(await end.rest()), [
    "b",
    "red (1)",
    "region []",
    "region []",
    'done {"final_line":2,"status":"ended"}',
  ]);
});

Deno.test("GET .../log/stream sends at most 20 regions a second, and a slow reader the newest only", async () => {
  const { test, app, run, process } = await start();
  await using _ = test;
  await using stream = await app.open(pathOf(run, "/stream"));
  await using slow = await app.open(pathOf(run, "/stream"));
  const seen: SseEvent[] = [];
  const reading = (async () => {
    for (let event = await stream.next(); event !== undefined; event = await stream.next()) seen.push(event);
  })();
  for (let i = 0; i < 200; i++) {
    process.print(`\r${i}`);
    await test.clock.advance(5);
  }
  const regions = seen.filter(({ name }) => name === "region");
  assert.ok(regions.length >= 15 && regions.length <= 21, `${regions.length} regions in a second`);
  assert.deepEqual(shown(await slow.take(1)), ['region ["199"]']);
  process.exit(0);
  await test.clock.advance(0);
  await reading;
});

Deno.test("GET .../log and .../log/line/{n}/history give the frames of a line that was redrawn", async () => {
  const { test, app, run, process } = await start();
  await using _ = test;
  for (const step of ["10%", "\r20%", "\r30%", "\n"]) {
    process.print(step);
    await test.clock.advance(100);
  }
  process.print("plain\n");
  process.exit(0);
  await test.clock.advance(0);
  const json = async (rest: string): Promise<{ status: number; body: unknown }> => {
    const response = await app.fetch(pathOf(run, rest));
    const { $schema: _, ...body } = await response.json();
    return { status: response.status, body };
  };
  const page = await json("") as { body: { lines: Array<{ text: string; frame_count?: number }> } };
  assert.deepEqual(page.body.lines.map(({ text, frame_count }) => [text, frame_count]), [
    ["30%", 2],
    ["plain", undefined],
  ]);
  assert.deepEqual(await json("/line/0/history"), { status: 200, body: { frames: [["10%"], ["20%"]] } });
  assert.deepEqual(await json("/line/1/history"), { status: 200, body: { frames: [] } });
  assert.equal((await json("/line/2/history")).status, 404);
});
