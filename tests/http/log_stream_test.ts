import assert from "node:assert/strict";
import fc from "fast-check";
import type { SseEvent } from "../../src/core/sse_parser.ts";
import type { Run } from "../../src/types.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { makeStreams } from "../support/make_streams.ts";
import { day, task } from "../support/units.ts";

const units = [
  task({ name: "talk" }),
  task({ name: "small", logMaxSize: 4096, maxConcurrent: 2 }),
];
/** How long lines can still be redrawn, ms. */
const settling = 250;
const pathOf = (run: Run, query = ""): string => `/api/runs/${run.id}/log/stream${query}`;

function start(test: TestEngine, name = "talk") {
  const run = test.engine.run(name, { trigger: "api" });
  return { run, process: test.processes.only(name) };
}

async function end(test: TestEngine, process: { exit(code: number): void }): Promise<void> {
  process.exit(0);
  await test.clock.advance(0);
}

/** The texts of `line` events; others by name and data. */
function shown(events: readonly SseEvent[]): string[] {
  return events.map(({ name, data }) => name === "line" ? JSON.parse(data).text : `${name} ${data}`);
}

Deno.test("GET .../log/stream sends what is there, then what comes, and ends with the run", async () => {
  await using test = await makeEngine({ units });
  const app = makeStreams(test);
  const { run, process } = start(test);
  process.print("one\ntwo\nhal");
  const then = test.clock.now();
  await test.clock.advance(settling);
  await using stream = await app.open(pathOf(run));
  const first = await stream.take(2);
  assert.deepEqual(first.map(({ name, id }) => [name, id]), [["line", "0"], ["line", "1"]]);
  assert.deepEqual(JSON.parse(first[1]?.data ?? ""), {
    n: 1,
    ts: then,
    stream: "stdout",
    text: "two",
  });
  process.print("f\n");
  process.print("careful\n", "stderr");
  await test.clock.advance(settling);
  assert.deepEqual(shown(await stream.take(2)), ["half", "careful"]);
  process.print("no line end");
  await end(test, process);
  assert.deepEqual(shown(await stream.rest()), ["no line end", 'done {"final_line":4,"status":"ended"}']);
});

Deno.test("GET .../log/stream tells lines as soon as they are stored, and those close behind together after 50 ms", async () => {
  await using test = await makeEngine({ units });
  const app = makeStreams(test);
  const { run, process } = start(test);
  await using stream = await app.open(pathOf(run));
  process.print("first\n");
  process.print("second\n");
  await test.clock.advance(settling);
  assert.deepEqual(shown(await stream.take(2)), ["first", "second"]);
  let isThere = false;
  const next = stream.take(2).then((events) => {
    isThere = true;
    return events;
  });
  await test.clock.advance(0);
  process.print(`${"x".repeat(20_000)}\n`);
  process.print(`${"y".repeat(20_000)}\n`);
  await test.clock.advance(49);
  assert.equal(isThere, false);
  await test.clock.advance(1);
  assert.deepEqual(shown(await next).map((text) => text[0]), ["x", "y"]);
});

Deno.test("GET .../log/stream begins at a line, before the end, or behind the last one that was seen", async () => {
  await using test = await makeEngine({ units });
  const app = makeStreams(test);
  const { run, process } = start(test);
  process.print(Array.from({ length: 1500 }, (_, i) => `${i}\n`).join(""));
  await end(test, process);
  const first = async (query: string, lastId?: string): Promise<string | undefined> => {
    await using stream = await app.open(pathOf(run, query), lastId === undefined ? {} : { lastId });
    return shown(await stream.take(1))[0];
  };
  const done = 'done {"final_line":1499,"status":"ended"}';
  assert.equal(await first(""), "500");
  assert.equal(await first("?from=0"), "0");
  assert.equal(await first("?from=1499"), "1499");
  assert.equal(await first("?from=-1"), "1499");
  assert.equal(await first("?from=-99999"), "0");
  assert.equal(await first("?from=1500"), done);
  assert.equal(await first("?from=9999"), done);
  assert.equal(await first("?from=0", "41"), "42");
  assert.equal(await first("", "1499"), done);
  assert.equal(await first("?from=7", "nonsense"), "7");
  assert.equal((await app.fetch(pathOf(run, "?from=x"))).status, 422);
  assert.equal((await app.fetch("/api/runs/nope/log/stream")).status, 404);
});

Deno.test("GET .../log/stream of an empty log is done with line -1", async () => {
  await using test = await makeEngine({ units });
  const app = makeStreams(test);
  const { run, process } = start(test);
  await end(test, process);
  await using stream = await app.open(pathOf(run));
  assert.deepEqual(shown(await stream.rest()), ['done {"final_line":-1,"status":"ended"}']);
});

Deno.test("GET .../log/stream of a run that waits begins with the run", async () => {
  await using test = await makeEngine({ units });
  const app = makeStreams(test);
  const { process } = start(test);
  const waiting = test.engine.run("talk", { trigger: "api" });
  await using stream = await app.open(pathOf(waiting));
  const events = stream.rest();
  await end(test, process);
  test.processes.only("talk").print("now\n");
  await end(test, test.processes.only("talk"));
  assert.deepEqual(shown(await events), ["now", 'done {"final_line":0,"status":"ended"}']);
});

Deno.test("GET .../log/stream of a run that can't be started tells why", async () => {
  await using test = await makeEngine({
    units,
    before: ({ processes }) => processes.behave("talk", { refuses: 'no such folder "/nope"' }),
  });
  const app = makeStreams(test);
  const run = test.engine.run("talk", { trigger: "api" });
  await using stream = await app.open(pathOf(run));
  const events = await stream.rest();
  assert.match(events[0]?.data ?? "", /no such folder/);
  assert.equal(JSON.parse(events[0]?.data ?? "").stream, "system");
  assert.equal(events[1]?.name, "done");
});

Deno.test("GET .../log/stream says what a full log has dropped in front of the reader", async () => {
  await using test = await makeEngine({ units });
  const app = makeStreams(test);
  const { run, process } = start(test, "small");
  const print = (from: number, to: number): void => {
    for (let i = from; i < to; i++) process.print(`line ${i} ${"x".repeat(60)}\n`);
  };
  print(0, 5);
  await test.clock.advance(settling);
  await using stream = await app.open(pathOf(run, "?from=0"));
  assert.equal((await stream.take(5)).length, 5);
  print(5, 200);
  await test.clock.advance(settling);
  await end(test, process);
  const events = await stream.rest();
  assert.deepEqual(events.slice(0, 2).map(({ name }) => name), ["rotated", "dropped"]);
  const first = JSON.parse(events[0]?.data ?? "").first_available;
  assert.ok(first > 5);
  assert.deepEqual(JSON.parse(events[1]?.data ?? ""), { after: 4, count: first - 5 });
  const lines = events.filter(({ name }) => name === "line").map(({ id }) => Number(id));
  assert.deepEqual(lines, Array.from({ length: 200 - first }, (_, i) => first + i));
  assert.deepEqual(shown(events).at(-1), 'done {"final_line":199,"status":"ended"}');
  // Who comes back behind a line that is gone, and who asks for one.
  await using back = await app.open(pathOf(run), { lastId: "9" });
  assert.deepEqual(shown(await back.take(2)), [
    `rotated {"first_available":${first}}`,
    `dropped {"after":9,"count":${first - 10}}`,
  ]);
  // The newest that there is was asked for, and nothing of that is missing.
  await using newest = await app.open(pathOf(run, "?from=-1000"));
  assert.equal((await newest.take(1))[0]?.id, String(first));
});

Deno.test("GET .../log/stream ends when the run is deleted", async () => {
  await using test = await makeEngine({ units });
  const app = makeStreams(test);
  const { run, process } = start(test);
  process.print(`${"x".repeat(50)}\n`.repeat(3000));
  await end(test, process);
  await using stream = await app.open(pathOf(run, "?from=0"));
  const before = await stream.take(1);
  test.engine.deleteRun(run.id);
  await test.clock.advance(day);
  const events = [...before, ...await stream.rest()];
  const last = events.at(-1);
  assert.equal(last?.name, "done");
  assert.deepEqual(JSON.parse(last?.data ?? ""), { final_line: events.length - 2, status: "deleted" });
  assert.ok(events.length < 3000);
});

Deno.test("GET .../log/stream gives its place back, and lets go of the run, when the client leaves", async () => {
  await using test = await makeEngine({ units });
  const app = makeStreams(test);
  const { run, process } = start(test);
  const waiting = test.clock.waiting;
  for (let i = 0; i < 40; i++) {
    await using stream = await app.open(pathOf(run), { peer: { kind: "tcp", address: "192.0.2.1" } });
    process.print(`${i}\n`);
    await test.clock.advance(settling);
    assert.ok(await stream.next());
  }
  // The writer's own timer is left.
  assert.ok(test.clock.waiting <= waiting + 1);
});

Deno.test("GET .../log/stream has caps of its own, which it shares with the daemon's log", async () => {
  await using test = await makeEngine({ units });
  const app = makeStreams(test);
  const { run } = start(test);
  const peer = { kind: "tcp" as const, address: "2001:db8::1" };
  for (let i = 0; i < 16; i++) await app.open("/api/events/stream", { peer });
  for (let i = 0; i < 15; i++) await app.open(pathOf(run), { peer });
  await app.open("/api/daemon/log/stream", { peer });
  const refused = await app.fetch(pathOf(run), { peer: { kind: "tcp", address: "2001:db8::2" } });
  assert.equal(refused.status, 503);
  assert.ok(refused.headers.has("retry-after"));
  assert.equal((await app.fetch(pathOf(run))).status, 200);
});

Deno.test("GET .../log/stream shows that it is alive while nothing comes", async () => {
  await using test = await makeEngine({ units });
  const app = makeStreams(test);
  const { run } = start(test);
  const { body } = await app.fetch(pathOf(run));
  const reader = body!.getReader();
  const comment = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
  assert.equal(await comment(), ":\n\n");
  const next = comment();
  await test.clock.advance(15_000);
  assert.equal(await next, ":\n\n");
  await reader.cancel();
});

Deno.test("GET .../log/stream gives each of many clients every line once, in order, however they come and go", async () => {
  const line = fc.nat(40);
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant("print" as const), lines: line }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant("read" as const), who: fc.nat(3), count: line }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("leave" as const), who: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.nat(120) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      await using test = await makeEngine({ units });
      const app = makeStreams(test);
      const { run, process } = start(test);
      let total = 0;
      const clients = await Promise.all(Array.from({ length: 4 }, async () => ({
        stream: await app.open(pathOf(run, "?from=0")),
        seen: [] as number[],
      })));
      for (const step of steps) {
        if (step.do === "print") {
          process.print(Array.from({ length: step.lines }, () => `${total++}\n`).join(""));
        } else if (step.do === "wait") await test.clock.advance(step.ms);
        else {
          const client = clients[step.who]!;
          if (step.do === "read") {
            const count = Math.min(step.count, total - client.seen.length);
            await test.clock.advance(settling + 50);
            for (const { id } of await client.stream.take(count)) client.seen.push(Number(id));
          } else {
            await client.stream[Symbol.asyncDispose]();
            const last = client.seen.at(-1);
            client.stream = last === undefined
              ? await app.open(pathOf(run, "?from=0"))
              : await app.open(pathOf(run), { lastId: String(last) });
          }
        }
      }
      await end(test, process);
      for (const { stream, seen } of clients) {
        const rest = await stream.rest();
        assert.equal(rest.pop()?.name, "done");
        seen.push(...rest.map(({ id }) => Number(id)));
        assert.deepEqual(seen, Array.from({ length: total }, (_, i) => i));
      }
    }),
    { seed: 17, numRuns: 40 },
  );
});
