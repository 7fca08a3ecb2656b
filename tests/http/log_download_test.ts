import assert from "node:assert/strict";
import { makeApp } from "../support/make_app.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { noon, task } from "../support/units.ts";

const units = [task({ name: "talk" })];

async function talked(test: TestEngine): Promise<string> {
  const run = test.engine.run("talk", { trigger: "api" });
  const process = test.processes.only("talk");
  process.print("one\r\n");
  await test.clock.advance(1500);
  process.print("\x1b[31mréd\x1b[0m\n", "stderr");
  process.print("no end");
  process.exit(0);
  await test.clock.advance(0);
  return `/api/runs/${run.id}/log/raw`;
}

const whole = "one\r\n\x1b[31mréd\x1b[0m\nno end";

Deno.test("GET .../log/raw is byte for byte what the process wrote", async () => {
  await using test = await makeEngine({ units });
  const path = await talked(test);
  const { status, body, headers } = await makeApp(test)(path);
  assert.equal(status, 200);
  assert.equal(body, whole);
  assert.equal(headers.get("content-type"), "text/plain; charset=utf-8");
  assert.equal(headers.get("content-length"), String(new TextEncoder().encode(whole).length));
  assert.equal(headers.get("accept-ranges"), "bytes");
  const head = await makeApp(test)(path, { method: "HEAD" });
  assert.deepEqual([head.status, head.body, head.headers.get("content-length")], [200, "", "25"]);
});

Deno.test("GET .../log/raw honours a range of bytes", async () => {
  await using test = await makeEngine({ units });
  const path = await talked(test);
  const app = makeApp(test);
  const part = await app(path, { headers: { range: "bytes=1-3" } });
  assert.deepEqual([part.status, part.body], [206, "ne\r"]);
  assert.equal(part.headers.get("content-range"), "bytes 1-3/25");
  assert.equal(part.headers.get("content-length"), "3");
  assert.equal((await app(path, { headers: { range: "bytes=-6" } })).body, "no end");
  assert.equal((await app(path, { headers: { range: "bytes=19-" } })).body, "no end");
  const beyond = await app(path, { headers: { range: "bytes=25-" } });
  assert.equal(beyond.status, 416);
  assert.equal(beyond.headers.get("content-range"), "bytes */25");
  assert.equal(beyond.headers.get("content-type"), "application/problem+json");
  for (const headers of [{ range: "bytes=0-0,3-4" }, { range: "bytes=0-0", "if-range": '"x"' }]) {
    const { status, body } = await app(path, { headers });
    assert.deepEqual([status, body], [200, whole]);
  }
});

Deno.test("GET .../log/raw puts time and stream before lines, and takes escape sequences away", async () => {
  await using test = await makeEngine({ units });
  const path = await talked(test);
  const app = makeApp(test);
  const at = (ms: number): string => new Date(noon + ms).toISOString();
  assert.equal(
    (await app(`${path}?timestamps=true`)).body,
    `${at(0)} stdout one\n${at(1500)} stderr \x1b[31mréd\x1b[0m\n${at(1500)} stdout no end\n`,
  );
  assert.equal((await app(`${path}?plain=true`)).body, "one\nréd\nno end\n");
  const both = await app(`${path}?plain=1&timestamps=1`, { headers: { range: "bytes=0-3" } });
  assert.equal(both.status, 200);
  assert.match(both.body, /stderr réd\n/);
  assert.equal(both.headers.get("accept-ranges"), "none");
});

Deno.test("GET .../log/raw of a run that goes on is the log as it stands", async () => {
  await using test = await makeEngine({ units });
  const run = test.engine.run("talk", { trigger: "api" });
  test.processes.only("talk").print("one\nhal");
  const { body } = await makeApp(test)(`/api/runs/${run.id}/log/raw`);
  assert.equal(body, "one\n");
  assert.equal((await makeApp(test)("/api/runs/nope/log/raw")).status, 404);
});

Deno.test("GET .../log/line/{n}/history has no frames of a line that was never redrawn", async () => {
  await using test = await makeEngine({ units });
  const path = (await talked(test)).replace("/raw", "");
  const app = makeApp(test);
  assert.deepEqual((await app(`${path}/line/2/history`)).body, { frames: [] });
  assert.equal((await app(`${path}/line/3/history`)).status, 404);
  assert.equal((await app(`${path}/line/x/history`)).status, 422);
  assert.equal((await app(`${path}/line/-1/history`)).status, 422);
});
