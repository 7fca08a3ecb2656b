import assert from "node:assert/strict";
import { settle } from "../support/fake_clock.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { hour, minute, noon, second, task } from "../support/units.ts";

/** Every run of a unit as "time reason", times of day in UTC. */
function rows(t: TestEngine, unit?: string): string[] {
  return t.runs(unit).map((run) =>
    `${new Date(run.createdAt).toISOString().slice(11, 19)} ${run.endReason ?? run.status}`
  );
}

const exits = { before: (t: TestEngine) => t.processes.behave("t", { exits: 0 }) };

Deno.test("Scheduler makes a row for each tick, with created_at the tick and the defaults of the parameters", async () => {
  await using t = await makeEngine({
    units: [
      task({
        name: "t",
        cron: "*/5 * * * *",
        params: [{ kind: "env", key: "A", type: "string", default: "1", required: true, allowCustom: false }],
      }),
    ],
    now: noon + 123,
    ...exits,
  });
  await t.clock.advance(11 * minute);
  assert.deepEqual(t.runs().map((run) => run.createdAt), [noon + 5 * minute, noon + 10 * minute]);
  assert.deepEqual(t.runs().map((run) => run.trigger), ["cron", "cron"]);
  assert.deepEqual(t.runs()[0]!.params, { A: "1" });
});

Deno.test("Scheduler runs a task every second, each second once", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", cron: "* * * * * *" })], ...exits });
  await t.clock.advance(10 * minute);
  const at = t.runs().map((run) => run.createdAt);
  assert.deepEqual(at, Array.from({ length: 600 }, (_, i) => noon + (i + 1) * second));
});

Deno.test("Scheduler counts @every from the moment the schedule was first seen, also after a restart", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", cron: "@every 90s" })],
    now: noon + 7,
    ...exits,
  });
  await t.clock.advance(100 * second);
  await t.crash(10 * second);
  await t.start();
  await t.clock.advance(80 * second);
  assert.deepEqual(t.runs().map((run) => run.createdAt - noon), [90_007, 180_007]);
});

Deno.test("Scheduler keeps the anchor of an unchanged @every over a reload, and begins anew with a changed one", async () => {
  const units = [task({ name: "t", cron: "@every 90s" })];
  await using t = await makeEngine({ units, ...exits });
  await t.clock.advance(60 * second);
  await t.reload([task({ name: "t", cron: "@every 90s", description: "changed" })]);
  await t.clock.advance(40 * second);
  assert.deepEqual(t.runs().map((run) => run.createdAt - noon), [90_000]);
  await t.reload([task({ name: "t", cron: "@every 60s" })]);
  await t.clock.advance(60 * second);
  assert.deepEqual(t.runs().map((run) => run.createdAt - noon), [90_000, 160_000]);
});

Deno.test("Scheduler records the second pass of a repeated hour as dst_skipped for a fixed-time task", async () => {
  // Berlin: on 2027-10-31 the clock goes from 03:00 back to 02:00, at 01:00 UTC.
  await using t = await makeEngine({
    units: [task({ name: "t", cron: "30 2 * * *", timezone: "Europe/Berlin" })],
    now: Date.UTC(2027, 9, 31, 0, 0),
    ...exits,
  });
  await t.clock.advance(2 * hour);
  assert.deepEqual(rows(t), ["00:30:00 success", "01:30:00 dst_skipped"]);
  const skipped = t.runs()[1]!;
  assert.equal(skipped.exitCode, -1);
  assert.equal(skipped.isFailure, false);
  assert.deepEqual(t.eventsOf(skipped.id), ["run.created", "run.completed"]);
});

Deno.test("Scheduler fires an elapsed-time task in both passes of a repeated hour", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", cron: "*/30 * * * *", timezone: "Europe/Berlin" })],
    now: Date.UTC(2027, 9, 31, 0, 0),
    ...exits,
  });
  await t.clock.advance(2 * hour);
  assert.deepEqual(rows(t), [
    "00:30:00 success",
    "01:00:00 success",
    "01:30:00 success",
    "02:00:00 success",
  ]);
});

Deno.test("Scheduler runs a fixed-time task once, at the end of the missing hour", async () => {
  // Berlin: on 2027-03-28 the clock goes from 02:00 to 03:00, at 01:00 UTC.
  await using t = await makeEngine({
    units: [task({ name: "t", cron: "15,30,45 2 * * *", timezone: "Europe/Berlin" })],
    now: Date.UTC(2027, 2, 28, 0, 0),
    ...exits,
  });
  await t.clock.advance(3 * hour);
  assert.deepEqual(rows(t), ["01:00:00 success"]);
});

Deno.test("Engine.view() tells the next tick that will run, past one that will only be recorded", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", cron: "30 2 * * *", timezone: "Europe/Berlin" })],
    now: Date.UTC(2027, 9, 31, 0, 45),
  });
  assert.equal(t.engine.view("t").nextRunAt, Date.UTC(2027, 10, 1, 1, 30));
});

Deno.test("Engine.pause() holds a schedule over restarts and reloads; what passes meanwhile is not missed", async () => {
  const units = [task({ name: "t", cron: "* * * * *", catchUp: "all" })];
  await using t = await makeEngine({ units, ...exits });
  await t.clock.advance(minute);
  t.engine.pause("t");
  assert.equal(t.engine.view("t").pausedAt, noon + minute);
  assert.equal(t.engine.view("t").nextRunAt, undefined);
  await t.clock.advance(5 * minute);
  await t.crash(5 * minute);
  await t.start();
  await t.reload([task({ name: "t", cron: "*/2 * * * *", catchUp: "all" })]);
  await t.clock.advance(5 * minute);
  assert.equal(t.runs().length, 1);
  assert.equal(t.engine.view("t").pausedAt, noon + minute);
  t.engine.resume("t");
  assert.equal(t.engine.view("t").nextRunAt, noon + 18 * minute);
  await t.clock.advance(2 * minute);
  assert.deepEqual(rows(t), ["12:01:00 success", "12:18:00 success"]);
});

Deno.test("Engine.pause() lets a task run by hand", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", cron: "* * * * *" })], ...exits });
  t.engine.pause("t");
  t.engine.run("t", { trigger: "api" });
  await settle();
  assert.deepEqual(t.outcomes(), ["success"]);
});

Deno.test("Engine.pause() is refused for a service and for a task without a schedule", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  assert.throws(() => t.engine.pause("t"), { code: "conflict" });
  assert.throws(() => t.engine.resume("t"), { code: "conflict" });
  assert.throws(() => t.engine.pause("x"), { code: "not_found" });
});

Deno.test("Scheduler.put() never catches up: a new or changed schedule begins now", async () => {
  await using t = await makeEngine({ units: [], ...exits });
  await t.clock.advance(hour);
  await t.reload([task({ name: "t", cron: "*/10 * * * *", catchUp: "all" })]);
  await t.clock.advance(10 * minute);
  assert.deepEqual(rows(t), ["13:10:00 success"]);
  await t.reload([]);
  await t.clock.advance(hour);
  await t.reload([task({ name: "t", cron: "*/10 * * * *", catchUp: "all" })]);
  await t.clock.advance(minute);
  assert.deepEqual(rows(t), ["13:10:00 success"]);
});

Deno.test("Scheduler follows a changed zone of the daemon", async () => {
  const units = [task({ name: "t", cron: "0 15 * * *" })];
  await using t = await makeEngine({ units, ...exits });
  assert.equal(t.engine.view("t").nextRunAt, noon + 3 * hour);
  await t.reload(units, { ...t.config.daemon, timezone: "Europe/Berlin" });
  assert.equal(t.engine.view("t").nextRunAt, noon + 2 * hour);
  assert.equal(t.engine.view("t").timezone, "Europe/Berlin");
});

Deno.test("Engine.ticks() lists the next ticks, also of a paused task, and none without a schedule", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", cron: "0 * * * *", timezone: "Asia/Tokyo" }), task({ name: "u" })],
  });
  t.engine.pause("t");
  const { ticks, timezone } = t.engine.ticks("t", { count: 2, after: noon });
  assert.deepEqual(ticks.map(({ at }) => at), [noon + hour, noon + 2 * hour]);
  assert.equal(timezone, "Asia/Tokyo");
  assert.deepEqual(t.engine.ticks("u", { count: 2, after: noon }).ticks, []);
});
