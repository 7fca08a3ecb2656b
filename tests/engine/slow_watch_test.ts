import assert from "node:assert/strict";
import type { Task } from "../../src/types.ts";
import { settle } from "../support/fake_clock.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { minute, second, task } from "../support/units.ts";

function makeWatching(own: Partial<Task>): Promise<TestEngine> {
  return makeEngine({
    units: [task({ name: "a", ...own })],
    before: (t) => t.config = { ...t.config, notify: { ...t.config.notify, globalNotifiers: ["inapp"] } },
  });
}

const slow = (t: TestEngine) =>
  t.engine.bell.list({ limit: 100 }).notices.filter(({ kind }) => kind === "run.slow");

async function run(t: TestEngine, ms: number): Promise<void> {
  t.engine.run("a", { trigger: "api" });
  await t.clock.advance(ms);
  t.processes.only("a").exit(0);
  await settle();
}

Deno.test("SlowWatch tells once of a run that is longer than warn_after, while it still runs", async () => {
  await using t = await makeWatching({ warnAfter: minute });
  t.engine.run("a", { trigger: "api" });
  await t.clock.advance(59 * second);
  assert.equal(slow(t).length, 0);
  await t.clock.advance(2 * second);
  assert.equal(slow(t)[0]?.title, 'Task "a" is slow: it still runs after 1 m 00 s');
  assert.equal(slow(t)[0]?.runId, t.runs("a")[0]!.id);
  await t.clock.advance(10 * minute);
  t.processes.only("a").exit(0);
  await settle();
  assert.deepEqual(slow(t).map(({ count }) => count), [1]);
});

Deno.test("SlowWatch learns from twenty runs what is usual", async () => {
  await using t = await makeWatching({});
  await run(t, 10 * minute);
  for (let n = 0; n < 18; n++) await run(t, 10 * second);
  await run(t, minute);
  assert.equal(slow(t).length, 0);
  await run(t, 10 * second);
  // Two of the last 21 were longer: the 95th percentile is a minute.
  await run(t, 2 * minute);
  assert.equal(slow(t).length, 0);
  await run(t, 7 * minute);
  assert.equal(slow(t).length, 1);
});

Deno.test("SlowWatch never tells of a task with warn_after 0, nor looks where nothing runs", async () => {
  await using t = await makeWatching({ warnAfter: 0 });
  for (let n = 0; n < 20; n++) await run(t, second);
  await run(t, 10 * minute);
  assert.equal(slow(t).length, 0);
});
