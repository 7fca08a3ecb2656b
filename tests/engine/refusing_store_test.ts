import assert from "node:assert/strict";
import { settle } from "../support/fake_clock.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import type { Service, Task } from "../../src/types.ts";
import { configOf, minute, noon, second, service, task } from "../support/units.ts";

const api = { trigger: "api" } as const;

/** Lets the database refuse one kind of statement until the result is called. */
function refuse(t: TestEngine, what: "insert" | "update"): () => void {
  const { runs } = t.store;
  const own = runs[what].bind(runs);
  runs[what] = () => {
    throw new Error("database is locked");
  };
  return () => void (runs[what] = own);
}

Deno.test("StartLine keeps a run whose start can't be stored, and starts it when it can, before later ones", async () => {
  await using t = await makeEngine({ units: [task({ name: "a" }), task({ name: "b" })] });
  const allow = refuse(t, "update");
  const first = t.engine.run("a", api);
  const other = t.engine.run("b", api);
  await t.clock.advance(5 * second);
  assert.deepEqual(t.processes.alive(), []);
  assert.ok(t.said.includes("error cannot store the start of a run, trying again in a second"));
  allow();
  await t.clock.advance(second);
  assert.deepEqual(t.processes.launched.map(({ spec }) => spec.runId), [first.id, other.id]);
});

Deno.test("Tasks keeps the end of a run that was stopped while it waited until it can be stored", async () => {
  await using t = await makeEngine({ units: [task({ name: "a" })] });
  t.engine.run("a", api);
  const waiting = t.engine.run("a", api);
  const allow = refuse(t, "update");
  t.engine.stopRun(waiting.id);
  await t.clock.advance(5 * second);
  assert.deepEqual(t.eventsOf(waiting.id), ["run.created"]);
  allow();
  await t.clock.advance(second);
  assert.deepEqual(t.eventsOf(waiting.id), ["run.created", "run.completed"]);
  t.processes.only("a").exit(0);
  await settle();
  assert.deepEqual(t.outcomes(), ["success", "stopped"]);
});

Deno.test("Scheduler records what was missed once, also where the database refuses the first time", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", cron: "* * * * *", catchUp: "skip" })] });
  const allow = refuse(t, "insert");
  t.clock.jump(10 * minute);
  await t.clock.advance(45 * second);
  assert.deepEqual(t.runs(), []);
  allow();
  await t.clock.advance(2 * second);
  assert.deepEqual(t.outcomes(), ["missed"]);
  assert.deepEqual(t.logLines(t.runs()[0]!), ["[missed ticks: 10]"]);
  assert.equal((await Array.fromAsync(t.logs.folders())).length, 1, "a try that failed leaves no log");
});

Deno.test("Engine.stop() waits for a database that refuses, but not for ever; the next daemon finds what was left", async () => {
  await using t = await makeEngine({ units: [task({ name: "a" }), service({ name: "s" })] });
  const { id } = t.engine.run("a", api);
  const allow = refuse(t, "update");
  let isOver = false;
  void t.engine.stop().then(() => isOver = true);
  await t.clock.advance(4 * second);
  assert.equal(isOver, false);
  await t.clock.advance(10 * second);
  assert.equal(isOver, true);
  allow();
  await t.crash();
  await t.start();
  assert.equal(t.engine.getRun(id).endReason, "crashed");
});

Deno.test("Engine.reload() is refused as a whole where the database refuses, and works the next time", async () => {
  const units = [task({ name: "a", cron: "* * * * *" }), task({ name: "gone", retryAttempts: 1 })];
  await using t = await makeEngine({ units });
  const { schedules } = t.store;
  const own = schedules.put.bind(schedules);
  schedules.put = () => {
    throw new Error("database is locked");
  };
  const changed = [task({ name: "a", cron: "0 * * * *" }), task({ name: "new", cron: "* * * * *" })];
  await assert.rejects(() => t.reload(changed), {
    message:
      'cannot reload "/etc/test/svc.toml": the change can\'t be stored (database is locked), nothing was changed',
  });
  assert.deepEqual(t.engine.views().map(({ unit }) => unit.name), ["a", "gone"]);
  schedules.put = own;
  await t.reload(changed);
  assert.deepEqual(t.engine.views().map(({ unit, nextRunAt }) => [unit.name, nextRunAt]), [
    ["a", noon + 60 * minute],
    ["new", noon + minute],
  ]);
});

Deno.test("Engine.pause() that can't be stored leaves the schedule as it was", async () => {
  await using t = await makeEngine({ units: [task({ name: "a", cron: "* * * * *" })] });
  const { schedules } = t.store;
  const own = schedules.put.bind(schedules);
  schedules.put = () => {
    throw new Error("database is locked");
  };
  assert.throws(() => t.engine.pause("a"), /locked/);
  assert.equal(t.engine.view("a").pausedAt, undefined);
  schedules.put = own;
  t.engine.pause("a");
  assert.equal(t.engine.view("a").pausedAt, noon);
});

/** Lets the database refuse to store a whole transaction that ends a run, until the result is called. */
function refuseEnds(t: TestEngine): () => void {
  const { store } = t;
  const own = store.transaction.bind(store);
  let isRefusing = true;
  store.transaction = (body) =>
    own(() => {
      const running = store.runs.active().filter(({ run }) => run.status === "running").length;
      const answer = body();
      if (isRefusing && store.runs.active().filter(({ run }) => run.status === "running").length < running) {
        throw new Error("database is locked");
      }
      return answer;
    });
  return () => void (isRefusing = false);
}

Deno.test("Retries makes a retry once, and not before the end of the failed run is stored", async () => {
  const units = [task({ name: "a", retryAttempts: 1, retryDelay: second / 2 })];
  await using t = await makeEngine({ units });
  const allow = refuseEnds(t);
  t.engine.run("a", api);
  t.processes.only("a").exit(1);
  await t.clock.advance(5 * second);
  assert.equal(t.runs().length, 1);
  allow();
  await t.clock.advance(2 * second);
  t.processes.only("a").exit(0);
  await t.clock.advance(minute);
  assert.deepEqual(t.outcomes(), ["failed", "success"]);
});

Deno.test("Tasks makes no retry of a run that was stopped, also where its end is stored late", async () => {
  const units = [task({ name: "a", retryAttempts: 1, retryDelay: 0, timeout: second, gracefulStop: minute })];
  await using t = await makeEngine({ units });
  t.processes.behave("a", { ignores: ["SIGTERM"] });
  const { id } = t.engine.run("a", api);
  await t.clock.advance(second);
  t.engine.stopRun(id);
  const allow = refuseEnds(t);
  t.processes.only("a").exit(1);
  await t.clock.advance(2 * second);
  allow();
  await t.clock.advance(minute);
  assert.deepEqual(t.outcomes(), ["timeout"]);
});

Deno.test("Services goes on as the row of an end says, though a reload comes before that is stored", async () => {
  const flaky = (startRetries: number): Service =>
    service({ name: "s", startRetries, restartDelay: second, restartBackoff: "constant" });
  for (
    const { before, after, reason, state } of [
      { before: 0, after: 5, reason: "start_failed", state: "fatal" },
      { before: 5, after: 0, reason: "failed", state: "backing_off" },
    ]
  ) {
    await using t = await makeEngine({ units: [flaky(before)] });
    const allow = refuseEnds(t);
    t.processes.only("s").exit(1);
    await settle();
    await t.reload([flaky(after)]);
    allow();
    await t.clock.advance(1001);
    assert.deepEqual(t.outcomes(), [reason]);
    assert.equal(t.engine.view("s").service?.state, state);
  }
});

Deno.test("Engine.start() that fails leaves nothing running", async () => {
  await using t = await makeEngine({ units: [] });
  await t.crash();
  t.config = configOf([service({ name: "s" }), task({ name: "a", cron: "* * * * *" })]);
  const { schedules } = t.store;
  const own = schedules.put.bind(schedules);
  schedules.put = () => {
    throw new Error("database is locked");
  };
  const started = t.start();
  started.catch(() => {});
  await t.clock.advance(10 * second);
  await assert.rejects(started, /locked/);
  assert.equal(t.processes.count("s"), 1);
  assert.deepEqual(t.processes.alive(), []);
  schedules.put = own;
  await t.start();
  assert.equal(t.processes.alive("s").length, 1);
});

Deno.test("Scheduler goes on with a task that a reload changes while the database refuses its tick", async () => {
  const every = (description: string) => [task({ name: "t", cron: "*/10 * * * * *", description })];
  await using t = await makeEngine({ units: every("before") });
  t.processes.behave("t", { exits: 0 });
  const allow = refuse(t, "insert");
  await t.clock.advance(10 * second);
  await t.reload(every("after"));
  allow();
  await t.clock.advance(15 * second);
  assert.deepEqual(t.runs().map(({ createdAt }) => createdAt - noon), [10 * second, 20 * second]);
});

/** A task of every second whose database refuses for a while: how often each outcome came of it, with the newest tick. */
async function outage(settings: Partial<Task>, ms: number): Promise<{ counts: string[]; t: TestEngine }> {
  const units = [task({ name: "t", cron: "* * * * * *", onOverlap: "queue", ...settings })];
  const t = await makeEngine({ units, before: ({ processes }) => processes.behave("t", { exits: 0 }) });
  const allow = refuse(t, "insert");
  await t.clock.advance(ms + second / 2);
  allow();
  await t.clock.advance(second / 2);
  const byOutcome = Map.groupBy(t.runs(), ({ endReason }) => endReason);
  return { counts: [...byOutcome].map(([reason, { length }]) => `${reason} ${length}`), t };
}

Deno.test("Scheduler takes what came due in a long refusal of the database as missed, with a row for all of it", async () => {
  const wanted = {
    latest: ["missed 1", "success 1"],
    skip: ["missed 1"],
    all: ["missed 1", "success 5"],
  };
  for (const catchUp of ["latest", "skip", "all"] as const) {
    const { counts, t } = await outage({ catchUp, maxCatchUpRuns: 5 }, 11 * minute);
    await using _ = t;
    assert.deepEqual(counts, wanted[catchUp]);
    assert.equal(t.runs().at(-1)?.createdAt, noon + 661 * second);
    await t.clock.advance(2 * second);
    assert.deepEqual(t.outcomes().slice(-2), ["success", "success"], "it goes on as if nothing had been");
  }
});

Deno.test("Scheduler runs the one tick of a long refusal under latest, and records nothing", async () => {
  const { counts, t } = await outage({ cron: "5 * * * * *", catchUp: "latest" }, 30 * second);
  await using _ = t;
  assert.deepEqual(counts, ["success 1"]);
});

Deno.test("Scheduler runs all that came due in a short refusal: that is late", async () => {
  const { t } = await outage({ catchUp: "skip" }, 8 * second);
  await using _ = t;
  assert.equal(t.runs().length, 9);
  assert.ok(!t.outcomes().includes("missed"));
});

Deno.test("Scheduler takes nothing as missed for a refusal that a pause has ended", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", cron: "* * * * *", catchUp: "skip" })] });
  const allow = refuse(t, "insert");
  await t.clock.advance(90 * second);
  t.engine.pause("t");
  allow();
  await t.clock.advance(minute);
  t.engine.resume("t");
  await t.clock.advance(minute);
  assert.deepEqual(t.outcomes(), ["running"]);
});
