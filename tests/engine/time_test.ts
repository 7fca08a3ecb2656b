import assert from "node:assert/strict";
import { makeEngine } from "../support/make_engine.ts";
import { day, hour, minute, second, task } from "../support/units.ts";

/** Every run succeeds at once. */
const exits = {
  before: (t: { processes: { behave(name: string, how: { exits: number }): void } }): void => {
    for (const name of ["t", "u", "nightly"]) t.processes.behave(name, { exits: 0 });
  },
};
/** The evening before summer time ends in Berlin. */
const evening = Date.UTC(2026, 9, 24, 22, 0, 30);

Deno.test("Scheduler stores whole ms when it wakes after a sleep over repeats of a fixed time", async () => {
  await using t = await makeEngine({
    now: evening,
    units: [
      task({ name: "nightly", cron: "30 2 * * *", timezone: "Europe/Berlin" }),
      task({ name: "t", cron: "* * * * *" }),
    ],
    ...exits,
  });
  await t.clock.advance(7 * second);
  t.clock.jump(8 * hour);
  await t.clock.advance(3 * minute);
  assert.deepEqual(t.said.filter((line) => line.startsWith("error")), []);
  const ticks = t.store.schedules.all().map(({ handled }) => handled);
  assert.ok(ticks.every(Number.isInteger));
  assert.equal(t.runs().filter(({ unit }) => unit === "t").at(-1)?.createdAt, Date.UTC(2026, 9, 25, 6, 3));
});

Deno.test("Scheduler goes on with the others where the database refuses what one is due", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", cron: "* * * * *" }), task({ name: "u", cron: "* * * * *" })],
    ...exits,
  });
  const { schedules } = t.store;
  const setHandled = schedules.setHandled.bind(schedules);
  let isRefusing = true;
  schedules.setHandled = (unit, tick): void => {
    if (unit === "t" && isRefusing) throw new Error("database or disk is full");
    setHandled(unit, tick);
  };
  await t.clock.advance(3 * minute);
  const ticksOf = (name: string): number[] =>
    t.runs().filter(({ unit }) => unit === name).map(({ createdAt }) => createdAt / minute % 60);
  assert.deepEqual([ticksOf("t"), ticksOf("u")], [[], [1, 2, 3]]);
  assert.ok(t.engine.view("t").nextRunAt !== undefined);
  isRefusing = false;
  await t.clock.advance(second);
  assert.deepEqual(ticksOf("t"), [2, 3]);
  assert.deepEqual(t.outcomes("t"), ["missed", "success"]);
});

Deno.test("Scheduler takes what came due while the daemon stood still as missed", async () => {
  for (const catchUp of ["skip", "latest"] as const) {
    await using t = await makeEngine({
      units: [task({ name: "t", cron: "* * * * * *", catchUp })],
      ...exits,
    });
    await t.clock.advance(2 * second);
    t.clock.stall(40 * second);
    await t.clock.advance(0);
    assert.deepEqual(
      t.outcomes(),
      ["success", "success", "missed", ...(catchUp === "skip" ? [] : ["success"])],
    );
    await t.clock.advance(second);
    assert.equal(t.outcomes().at(-1), "success");
  }
});

Deno.test("Scheduler takes it so also where a reload comes before it wakes, and where what it must store is refused", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", cron: "* * * * * *", catchUp: "skip" })],
    ...exits,
  });
  t.clock.stall(40 * second);
  await t.reload([
    task({ name: "t", cron: "* * * * * *", catchUp: "skip" }),
    task({ name: "u", cron: "0 0 * * *" }),
  ]);
  const { schedules } = t.store;
  const setHandled = schedules.setHandled.bind(schedules);
  schedules.setHandled = (): void => {
    schedules.setHandled = setHandled;
    throw new Error("database is locked");
  };
  await t.clock.advance(0);
  assert.deepEqual(t.outcomes(), []);
  await t.clock.advance(second);
  assert.deepEqual(t.outcomes(), ["missed", "success"]);
});

Deno.test("Retries and notices are stored where a delay is finer than a ms", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", retryAttempts: 1, retryDelay: 1.5 })] });
  t.processes.behave("t", { exits: 1 });
  t.engine.run("t", { trigger: "api" });
  await t.clock.advance(second);
  assert.deepEqual(t.outcomes(), ["failed", "failed"]);
});

Deno.test("Pruner removes nothing for its age by a clock that is a year ahead for a while", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", keepFor: 90 * day })], ...exits });
  const run = async (): Promise<void> => {
    t.engine.run("t", { trigger: "api" });
    await t.clock.advance(minute);
  };
  await run();
  t.clock.jump(365 * day);
  await run();
  await t.clock.advance(2 * hour);
  // Nor by a daemon that is started meanwhile, however often.
  for (let start = 0; start < 3; start++) {
    await t.crash(minute);
    await t.start();
    await run();
  }
  t.clock.jump(-365 * day);
  await run();
  assert.equal(t.runs().length, 6);
});

Deno.test("Pruner believes a clock that stays ahead for a day, and removes what is old by it", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", keepFor: 90 * day })], ...exits });
  t.engine.run("t", { trigger: "api" });
  await t.clock.advance(minute);
  t.clock.jump(365 * day);
  await t.clock.advance(20 * hour);
  assert.equal(t.runs().length, 1);
  await t.clock.advance(6 * hour);
  assert.equal(t.runs().length, 0);
});

Deno.test("Scheduler takes it so also where the daemon stood still in the middle of a turn", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", cron: "* * * * * *", catchUp: "skip" })],
    ...exits,
  });
  const { schedules } = t.store;
  const setHandled = schedules.setHandled.bind(schedules);
  schedules.setHandled = (...mark): void => {
    schedules.setHandled = setHandled;
    t.clock.stall(20 * second);
    setHandled(...mark);
  };
  await t.clock.advance(second);
  await t.clock.advance(0);
  assert.deepEqual(t.outcomes(), ["success", "missed"]);
  assert.match(t.runs()[1]!.error!, /for 20 of its ticks/);
});

Deno.test("Scheduler runs what was due before the daemon stood still: that is late", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", cron: "* * * * * *", catchUp: "skip" })],
    ...exits,
  });
  const { schedules } = t.store;
  const setHandled = schedules.setHandled.bind(schedules);
  schedules.setHandled = (): void => {
    schedules.setHandled = setHandled;
    throw new Error("database is locked");
  };
  await t.clock.advance(second);
  t.clock.stall(40 * second);
  await t.clock.advance(0);
  assert.deepEqual(t.outcomes(), ["success", "missed"]);
});
