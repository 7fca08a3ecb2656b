import assert from "node:assert/strict";
import type { Task } from "../../src/types.ts";
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
  t.clock.stall(10 * second);
  await t.clock.advance(1);
  assert.deepEqual(t.outcomes(), Array.from({ length: 10 }, () => "success"));
});

Deno.test("Scheduler fires ticks of several tasks in the order of the ticks when it is late", async () => {
  await using t = await makeEngine({
    units: [task({ name: "a", cron: "1,4 * * * * *" }), task({ name: "b", cron: "2,3 * * * * *" })],
  });
  const created: number[] = [];
  t.engine.bus.subscribe((event) => event.type === "run.created" && created.push(event.run.createdAt - noon));
  t.clock.stall(5 * second);
  await t.clock.advance(0);
  assert.deepEqual(created, [1000, 2000, 3000, 4000]);
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

Deno.test("Scheduler goes on at once when a clock that was far ahead is set right, and fires no tick twice", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", cron: "* * * * *", keepFor: 0 })], ...exits });
  await t.clock.advance(2 * minute);
  t.clock.jump(400 * day);
  await t.clock.advance(minute);
  t.clock.jump(-400 * day);
  await t.clock.advance(3 * minute);
  assert.deepEqual(t.runs().map((run) => run.createdAt).filter((tick) => tick < noon + hour), [
    noon + minute,
    noon + 2 * minute,
    noon + 4 * minute,
    noon + 5 * minute,
    noon + 6 * minute,
  ]);
  await t.crash(minute);
  await t.start();
  await t.clock.advance(minute);
  assert.equal(t.runs().filter((run) => run.createdAt === noon + 8 * minute).length, 1);
});

Deno.test("Scheduler misses nothing when a clock that was far behind is set right", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", cron: "* * * * *", keepFor: 0 })], ...exits });
  await t.clock.advance(2 * minute);
  await t.crash(0);
  t.clock.jump(-400 * day); // a machine without a clock of its own boots
  await t.start();
  await t.clock.advance(2 * minute);
  const before = t.runs().length;
  t.clock.jump(400 * day - 2 * minute - second);
  await t.clock.advance(30 * second);
  assert.equal(t.runs().length, before);
  await t.clock.advance(minute);
  assert.equal(t.runs().length, before + 1);
});

Deno.test("Scheduler fires no tick twice when a schedule goes and comes back after the clock was set back", async () => {
  const units = [task({ name: "t", cron: "* * * * *" })];
  await using t = await makeEngine({ units, ...exits });
  await t.clock.advance(5 * minute);
  t.clock.jump(-3 * minute);
  await t.reload([]);
  await t.reload(units);
  await t.clock.advance(5 * minute);
  const at = t.runs().map((run) => run.createdAt);
  assert.equal(new Set(at).size, at.length);
  assert.equal(at.at(-1), noon + 7 * minute);
});

Deno.test("Scheduler runs a tick that comes between a jump of the clock and the moment it is noticed", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", cron: "7,37 * * * * *", catchUp: "skip" })],
    ...exits,
  });
  t.clock.jump(70 * minute);
  await t.clock.advance(30 * second);
  assert.deepEqual(rows(t).at(-1), "13:10:07 success");
  assert.deepEqual(t.outcomes(), ["missed", "success"]);
});

/** An engine whose clock was 400 days ahead and has just been set right: its schedules go on from now. */
async function afterFarAhead(units: Task[]): Promise<TestEngine> {
  const t = await makeEngine({ units, ...exits });
  t.clock.jump(400 * day);
  await t.clock.advance(minute);
  t.clock.jump(-400 * day);
  await t.clock.advance(minute);
  return t;
}

Deno.test("Scheduler runs what is due at a reload also where the clock was far ahead before", async () => {
  await using t = await afterFarAhead([task({ name: "t", cron: "* * * * *", keepFor: 0 })]);
  t.clock.stall(2 * minute);
  await t.reload([task({ name: "t", cron: "* * * * *", keepFor: 0, timeout: second })]);
  await t.clock.advance(second);
  const ticks = t.runs().map((run) => run.createdAt).filter((tick) => tick < noon + hour);
  assert.deepEqual(ticks.slice(-2), [noon + 3 * minute, noon + 4 * minute]);
});

Deno.test("Scheduler runs no ticks of a pause also where the clock was far ahead before", async () => {
  await using t = await afterFarAhead([task({ name: "t", cron: "* * * * *", keepFor: 0 })]);
  const before = t.runs().length;
  t.engine.pause("t");
  await t.clock.advance(5 * minute);
  t.engine.resume("t");
  await t.clock.advance(second);
  assert.equal(t.runs().length, before);
  await t.clock.advance(minute);
  assert.equal(t.runs().length, before + 1);
});

Deno.test("Scheduler makes up for no tick twice when the clock was far ahead and passes it again", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", cron: "0 * * * *", keepFor: 0 })], ...exits });
  t.clock.jump(30 * hour + minute);
  await t.clock.advance(minute);
  t.clock.jump(40 * hour);
  await t.clock.advance(minute);
  t.clock.jump(-40 * hour - 30 * minute);
  await t.clock.advance(minute);
  t.clock.jump(hour);
  await t.clock.advance(minute);
  assert.equal(t.runs().filter((run) => run.createdAt === noon + 30 * hour).length, 1);
});

Deno.test("Scheduler takes a retry for no tick where the clock was far ahead before", async () => {
  const units = [
    task({ name: "t", cron: "*/10 * * * * *", keepFor: 0, retryAttempts: 1, retryDelay: 20 * second }),
  ];
  await using t = await afterFarAhead(units);
  t.processes.behave("t", { exits: 1 });
  const before = t.runs().filter((run) => run.retryAttempt === 0).length;
  await t.clock.advance(minute);
  assert.equal(t.runs().filter((run) => run.retryAttempt === 0).length, before + 6);
});

Deno.test("Scheduler looks at the clock whenever it is asked for something, so that it knows when the clock jumped", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", cron: "*/2 * * * *" }), task({ name: "other", cron: "0 0 * * *" })],
    before: (it) => it.processes.behave("t", { exits: 0 }),
  });
  // It would wake after 30 s, and is asked for something before that each time.
  const ask = (): void => {
    t.engine.pause("other");
    t.engine.resume("other");
  };
  for (let n = 0; n < 5; n++) {
    await t.clock.advance(20 * second);
    ask();
  }
  t.clock.jump(69 * minute);
  ask();
  await t.clock.advance(10 * second);
  assert.deepEqual(t.outcomes("t"), ["missed", "success"]);
  assert.deepEqual(t.logLines(t.runs("t")[0]!), ["[missed ticks: 34]"]);
});

Deno.test("Scheduler knows what a machine slept through where its clock is set back a little before it looks", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", cron: "* * * * *" }), task({ name: "other", cron: "0 0 * * *" })],
    before: (it) => it.processes.behave("t", { exits: 0 }),
  });
  t.clock.jump(3 * hour);
  t.engine.pause("other");
  t.clock.jump(-30 * second);
  await t.clock.advance(second);
  assert.deepEqual(t.outcomes("t"), ["missed", "success"]);
  assert.deepEqual(t.logLines(t.runs("t")[0]!), ["[missed ticks: 178]"]);
});
