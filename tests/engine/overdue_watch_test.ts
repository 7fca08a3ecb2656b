import assert from "node:assert/strict";
import type { Task } from "../../src/types.ts";
import { settle } from "../support/fake_clock.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { hour, minute, second, task } from "../support/units.ts";

function makeWatching(own: Partial<Task>): Promise<TestEngine> {
  return makeEngine({
    units: [task({ name: "a", ...own })],
    before: (t) => t.config = { ...t.config, notify: { ...t.config.notify, globalNotifiers: ["inapp"] } },
  });
}

async function run(t: TestEngine, code: number): Promise<void> {
  t.engine.run("a", { trigger: "api" });
  await settle();
  t.processes.only("a").exit(code);
  await settle();
}

const overdue = (t: TestEngine) =>
  t.engine.bell.list({ limit: 100 }).notices.filter(({ kind }) => kind === "run.overdue");

Deno.test("OverdueWatch tells once that a task that was never run has not succeeded", async () => {
  await using t = await makeWatching({ expectEvery: 25 * hour });
  await t.clock.advance(25 * hour - second);
  assert.equal(overdue(t).length, 0);
  await t.clock.advance(minute);
  const [notice] = overdue(t);
  assert.equal(notice?.title, 'Task "a" is overdue: no success was seen');
  assert.match(notice?.body ?? "", /none was seen for 1 d/);
  await t.clock.advance(100 * hour);
  assert.deepEqual(overdue(t).map(({ count }) => count), [1]);
});

Deno.test("OverdueWatch counts from the last success, which a failure is not, and begins anew with the next", async () => {
  await using t = await makeWatching({ expectEvery: 2 * hour });
  await t.clock.advance(hour);
  await run(t, 0);
  await t.clock.advance(hour);
  await run(t, 1);
  await t.clock.advance(59 * minute);
  assert.equal(overdue(t).length, 0);
  await t.clock.advance(2 * minute);
  assert.match(overdue(t)[0]?.body ?? "", /the last one ended 2 h 00 m ago$/);
  await run(t, 0);
  await t.clock.advance(3 * hour);
  assert.equal(overdue(t).length, 2);
});

Deno.test("OverdueWatch remembers over a restart what it has told, and lets missed runs come first", async () => {
  await using t = await makeWatching({ expectEvery: 2 * hour });
  await t.clock.advance(3 * hour);
  await t.stop();
  t.clock.stall(hour);
  await t.start();
  await t.clock.advance(hour);
  assert.equal(overdue(t).length, 1);
  await run(t, 0);
  await t.stop();
  t.clock.stall(5 * hour);
  await t.start();
  await t.clock.advance(30 * second);
  assert.equal(overdue(t).length, 1);
  await t.clock.advance(minute);
  assert.equal(overdue(t).length, 2);
});

Deno.test('OverdueWatch takes "auto" from the schedule, and leaves a paused task alone', async () => {
  await using t = await makeWatching({ cron: "0 * * * *", expectEvery: "auto" });
  await t.clock.advance(hour);
  t.processes.only("a").exit(0);
  await t.clock.advance(hour);
  t.processes.only("a").exit(1);
  await t.clock.advance(4 * minute);
  assert.equal(overdue(t).length, 0);
  await t.clock.advance(2 * minute);
  assert.equal(overdue(t).length, 1);
  await run(t, 0);
  t.engine.pause("a");
  await t.clock.advance(10 * hour);
  assert.equal(overdue(t).length, 1);
});

Deno.test("OverdueWatch watches what a reload brings, and forgets what it takes away", async () => {
  await using t = await makeWatching({});
  const notify = t.config.notify;
  const put = async (own: Partial<Task>) => {
    t.config = { ...t.config, units: [task({ name: "a", ...own })], notify };
    await t.engine.reload({ dryRun: false });
  };
  await put({ expectEvery: hour });
  await t.clock.advance(30 * minute);
  await put({});
  await t.clock.advance(2 * hour);
  await put({ expectEvery: hour });
  await t.clock.advance(50 * minute);
  assert.equal(overdue(t).length, 0);
  await t.clock.advance(15 * minute);
  assert.equal(overdue(t).length, 1);
});

Deno.test("OverdueWatch does not take a success for never seen because its row is no longer kept", async () => {
  await using t = await makeWatching({ expectEvery: 25 * hour, keepRuns: 3 });
  await t.clock.advance(20 * hour);
  await run(t, 0);
  for (let n = 0; n < 5; n++) await run(t, 1);
  await t.clock.advance(10 * hour);
  await t.engine.reload({ dryRun: false });
  await t.clock.advance(2 * minute);
  assert.equal(overdue(t).length, 0);
  await t.stop();
  await t.start();
  await t.clock.advance(2 * minute);
  assert.equal(overdue(t).length, 0);
  await t.clock.advance(14 * hour);
  await t.clock.advance(2 * hour);
  assert.match(overdue(t)[0]?.body ?? "", /none was seen for 1 d/);
});

Deno.test("OverdueWatch tells once until the next success, whatever becomes of the time at which it was due", async () => {
  await using t = await makeWatching({ expectEvery: hour });
  await run(t, 0);
  await t.clock.advance(2 * hour);
  assert.equal(overdue(t).length, 1);
  const units = [task({ name: "a", expectEvery: 90 * minute })];
  t.config = { ...t.config, units };
  await t.engine.reload({ dryRun: false });
  await t.clock.advance(2 * hour);
  assert.equal(overdue(t).length, 1);
  await run(t, 0);
  await t.clock.advance(2 * hour);
  assert.equal(overdue(t).length, 2);
});

Deno.test("OverdueWatch gives a task that is resumed its time", async () => {
  await using t = await makeWatching({ cron: "0 * * * *", expectEvery: 2 * hour });
  await run(t, 0);
  t.engine.pause("a");
  await t.clock.advance(10 * hour);
  await t.stop();
  await t.start();
  await t.clock.advance(10 * hour);
  t.engine.resume("a");
  await t.clock.advance(minute);
  assert.equal(overdue(t).length, 0);
  await t.stop();
  await t.start();
  await t.clock.advance(2 * minute);
  assert.equal(overdue(t).length, 0);
});
