import assert from "node:assert/strict";
import { settle } from "../support/fake_clock.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { day, hour, minute, noon, second, task } from "../support/units.ts";

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

Deno.test("Scheduler fires no tick twice when the clock goes back", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", cron: "* * * * *" })], ...exits });
  await t.clock.advance(10 * minute);
  t.clock.jump(-6 * minute);
  await t.clock.advance(10 * minute);
  const at = t.runs().map((run) => run.createdAt);
  assert.equal(new Set(at).size, at.length);
  assert.equal(at.at(-1), noon + 14 * minute);
  assert.equal(at.length, 14);
});

Deno.test("Scheduler notices within 30 s that the clock moved forward", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", cron: "0 18 * * *" })], ...exits });
  t.clock.jump(5 * hour + 59 * minute + 30 * second);
  await t.clock.advance(30 * second);
  assert.deepEqual(rows(t), ["18:00:00 success"]);
});

Deno.test("Scheduler treats what a sleeping machine jumped over as missed", async (it) => {
  const after = async (own: Parameters<typeof task>[0], jumped = 90 * minute): Promise<string[]> => {
    await using t = await makeEngine({ units: [task({ ...own, cron: "0 * * * *" })], ...exits });
    t.clock.jump(jumped + 2 * hour);
    await t.clock.advance(30 * second);
    return rows(t);
  };
  await it.step("latest runs the newest and records the others", async () => {
    assert.deepEqual(await after({ name: "t" }), ["14:00:00 missed", "15:00:00 success"]);
  });
  await it.step("all runs each", async () => {
    assert.deepEqual(await after({ name: "t", catchUp: "all" }), [
      "13:00:00 success",
      "14:00:00 success",
      "15:00:00 success",
    ]);
  });
  await it.step("skip records all as one", async () => {
    assert.deepEqual(await after({ name: "t", catchUp: "skip" }), ["15:00:00 missed"]);
  });
});

Deno.test("Scheduler goes on when a jump leaps over nothing but the repeat of a fixed-time tick", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", cron: "30 2 * * *", timezone: "Europe/Berlin" })],
    now: Date.UTC(2027, 9, 31, 1, 0),
    ...exits,
  });
  t.clock.jump(hour);
  await t.clock.advance(minute);
  assert.deepEqual(rows(t).filter((row) => !row.endsWith("dst_skipped")), []);
  await t.clock.advance(day);
  assert.equal(t.outcomes().filter((outcome) => outcome === "success").length, 1);
});

Deno.test("Scheduler just runs what a busy daemon sees late: all of it, nothing missed", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", cron: "* * * * * *", catchUp: "skip" })],
    ...exits,
  });
  t.clock.stall(20 * second);
  await t.clock.advance(0);
  assert.deepEqual(t.outcomes(), Array.from({ length: 20 }, () => "success"));
});

Deno.test("Scheduler fires ticks of several tasks in the order of the ticks when it is late", async () => {
  await using t = await makeEngine({
    units: [task({ name: "a", cron: "10,40 * * * * *" }), task({ name: "b", cron: "20,30 * * * * *" })],
  });
  const created: number[] = [];
  t.engine.bus.subscribe((event) => event.type === "run.created" && created.push(event.run.createdAt - noon));
  t.clock.stall(50 * second);
  await t.clock.advance(0);
  assert.deepEqual(created, [10_000, 20_000, 30_000, 40_000]);
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

Deno.test("Scheduler.boot() misses nothing for a task that it sees for the first time", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", cron: "* * * * *", catchUp: "all" })] });
  assert.deepEqual(t.runs(), []);
});

Deno.test("Scheduler.boot() makes up for the time that the daemon was away", async (it) => {
  const after = async (own: Parameters<typeof task>[0], away: number): Promise<TestEngine> => {
    const t = await makeEngine({ units: [task({ cron: "0 * * * *", ...own })], ...exits });
    await t.clock.advance(10 * minute);
    await t.crash(away);
    await t.start();
    await t.clock.advance(second);
    return t;
  };
  await it.step("latest with one missed tick runs it and records nothing", async () => {
    await using t = await after({ name: "t" }, hour);
    assert.deepEqual(rows(t), ["13:00:00 success"]);
  });
  await it.step("latest records the rest as one row that is no failure, with the count in its log", async () => {
    await using t = await after({ name: "t" }, 5 * hour);
    assert.deepEqual(rows(t), ["16:00:00 missed", "17:00:00 success"]);
    const missed = t.runs()[0]!;
    assert.equal(missed.isFailure, false);
    assert.equal(missed.exitCode, -1);
    assert.match(t.logLines(missed).join(), /missed ticks: 4/);
  });
  await it.step("skip records one row that is a failure", async () => {
    await using t = await after({ name: "t", catchUp: "skip" }, 5 * hour);
    assert.deepEqual(rows(t), ["17:00:00 missed"]);
    assert.equal(t.runs()[0]!.isFailure, true);
    assert.match(t.logLines(t.runs()[0]!).join(), /missed ticks: 5/);
  });
  await it.step("all runs the newest max_catch_up_runs, oldest first, and records the rest", async () => {
    await using t = await after({ name: "t", catchUp: "all", maxCatchUpRuns: 3 }, 5 * hour);
    assert.deepEqual(rows(t), [
      "14:00:00 missed",
      "15:00:00 success",
      "16:00:00 success",
      "17:00:00 success",
    ]);
    assert.equal(t.runs()[0]!.isFailure, true);
    assert.match(t.logLines(t.runs()[0]!).join(), /missed ticks: 2/);
  });
  await it.step("it goes on with the next tick, and a second restart finds nothing missed", async () => {
    await using t = await after({ name: "t" }, 5 * hour);
    await t.crash(10 * minute);
    await t.start();
    await t.clock.advance(hour);
    assert.deepEqual(rows(t), ["16:00:00 missed", "17:00:00 success", "18:00:00 success"]);
  });
  await it.step("the zone of the task counts", async () => {
    await using t = await after({ name: "t", cron: "0 20 * * *", timezone: "Asia/Tokyo" }, day);
    assert.deepEqual(rows(t), ["11:00:00 success"]);
  });
});

Deno.test("Scheduler.boot() finds nothing missed though retention has removed the last run", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", cron: "0 * * * *" })], ...exits });
  await t.clock.advance(61 * minute);
  for (const run of t.runs()) t.store.runs.remove(run.id);
  await t.crash(10 * minute);
  await t.start();
  await t.clock.advance(second);
  assert.deepEqual(t.runs(), []);
});

Deno.test("Scheduler.boot() does not take the absence of a task from the file as missed", async () => {
  const units = [task({ name: "t", cron: "0 * * * *" })];
  await using t = await makeEngine({ units, ...exits });
  await t.crash(hour);
  t.config = { ...t.config, units: [] };
  await t.start();
  await t.crash(3 * hour);
  t.config = { ...t.config, units };
  await t.start();
  await t.clock.advance(second);
  assert.deepEqual(t.runs(), []);
});

Deno.test("Scheduler.boot() starts catch-up runs four at a time over all tasks", async () => {
  await using t = await makeEngine({
    units: ["a", "b", "c"].map((name) => task({ name, cron: "0 * * * *", catchUp: "all", maxConcurrent: 3 })),
  });
  await t.crash(5 * hour);
  await t.start();
  let most = 0;
  while (t.processes.alive().length > 0) {
    most = Math.max(most, t.processes.alive().length);
    t.processes.alive()[0]!.exit(0);
    await settle();
  }
  assert.equal(most, 4);
  assert.equal(t.outcomes().filter((outcome) => outcome === "success").length, 15);
});

Deno.test("Scheduler.boot() holds no manual run back behind catch-up runs", async () => {
  await using t = await makeEngine({
    units: [
      ...["a", "b", "c", "d", "e"].map((name) => task({ name, cron: "0 * * * *" })),
      task({ name: "m" }),
    ],
  });
  await t.crash(hour);
  await t.start();
  t.engine.run("m", { trigger: "api" });
  assert.deepEqual(t.processes.alive().map(({ spec }) => spec.name).sort(), ["a", "b", "c", "d", "m"]);
});

Deno.test("Scheduler.boot() doubles nothing when the daemon dies between two rows of a catch-up", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", cron: "0 * * * *", catchUp: "all", maxConcurrent: 10 })],
    ...exits,
  });
  await t.crash(3 * hour + minute);
  // The daemon before died after the row of 13:00 and its mark, but before those of 14:00 and 15:00.
  t.store.transaction(() => {
    t.store.runs.insert({
      id: "R000000",
      unit: "t",
      status: "pending",
      exitCode: 0,
      trigger: "cron",
      createdAt: noon + hour,
      isFailure: false,
      retryAttempt: 0,
      instance: 0,
    });
    t.store.schedules.setHandled("t", noon + hour);
  });
  await t.start();
  await t.clock.advance(second);
  assert.deepEqual(rows(t), ["13:00:00 success", "14:00:00 success", "15:00:00 success"]);
});

Deno.test("Scheduler stores a tick's row and the mark that it is handled together", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", cron: "* * * * *" })], ...exits });
  await t.clock.advance(minute);
  assert.equal(t.store.schedules.all()[0]!.handled, noon + minute);
  await t.crash(0);
  await t.start();
  await t.clock.advance(second);
  assert.equal(t.runs().length, 1);
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

Deno.test("Engine.start() runs run_on_start tasks once, on top of what was missed", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", cron: "0 * * * *", runOnStart: true, maxConcurrent: 5 })],
    ...exits,
  });
  assert.deepEqual(t.runs().map((run) => run.trigger), ["startup"]);
  await t.crash(hour);
  await t.start();
  await t.clock.advance(second);
  assert.deepEqual(t.runs().map((run) => run.trigger).sort(), ["cron", "startup", "startup"]);
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
