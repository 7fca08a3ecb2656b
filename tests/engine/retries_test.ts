import assert from "node:assert/strict";
import { settle } from "../support/fake_clock.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { failures, noon, second, task } from "../support/units.ts";

const api = { trigger: "api" } as const;

/** Fails each attempt at once and answers when each was created, in ms after the end of the one before. */
async function delays(t: TestEngine, attempts: number): Promise<number[]> {
  const found: number[] = [];
  t.processes.only("t").exit(1);
  await settle();
  for (let n = 1; n <= attempts; n++) {
    const failedAt = t.clock.now();
    const before = t.processes.count("t");
    while (t.processes.count("t") === before) await t.clock.advance(500);
    found.push(t.clock.now() - failedAt);
    t.processes.only("t").exit(1);
    await settle();
  }
  return found;
}

Deno.test("Retries makes retry_attempts fresh runs after a constant delay, and no more", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", retryAttempts: 2, retryDelay: 5000 })] });
  const first = t.engine.run("t", { trigger: "cli" });
  assert.deepEqual(await delays(t, 2), [5000, 5000]);
  await t.clock.advance(600 * second);
  const runs = t.runs();
  assert.deepEqual(runs.map((run) => run.retryAttempt), [0, 1, 2]);
  assert.deepEqual(runs.map((run) => run.retryOf), [undefined, first.id, first.id]);
  assert.deepEqual(runs.map((run) => run.trigger), ["cli", "cli", "cli"]);
});

Deno.test("Retries waits longer each time: linear, exponential, five minutes at most", async () => {
  const make = (own: object) => makeEngine({ units: [task({ name: "t", retryAttempts: 4, ...own })] });
  {
    await using t = await make({ retryDelay: 5000, retryBackoff: "linear" });
    t.engine.run("t", api);
    assert.deepEqual(await delays(t, 4), [5000, 10_000, 15_000, 20_000]);
  }
  {
    await using t = await make({ retryDelay: 60_000, retryBackoff: "exponential" });
    t.engine.run("t", api);
    assert.deepEqual(await delays(t, 4), [60_000, 120_000, 240_000, 300_000]);
  }
});

Deno.test("Retries hands the parameter values of the first run on", async () => {
  await using t = await makeEngine({
    units: [
      task({
        name: "t",
        retryAttempts: 1,
        params: [{
          kind: "env",
          key: "SIZE",
          type: "string",
          default: "small",
          required: false,
          allowCustom: false,
        }],
      }),
    ],
  });
  t.engine.run("t", { trigger: "api", params: { SIZE: "large" } });
  t.processes.only("t").exit(1);
  await t.clock.advance(5 * second);
  const { env } = t.processes.only("t").spec;
  assert.equal(env.SIZE, "large");
  assert.equal(env.SVC_ATTEMPT, "1");
});

Deno.test("Retries makes none for a success, for a failure that the unit does not call one, or for a stop", async () => {
  await using t = await makeEngine({
    units: [
      task({ name: "ok", retryAttempts: 3 }),
      task({ name: "mild", retryAttempts: 3, failures: failures("timeout") }),
      task({ name: "stopped", retryAttempts: 3, failures: failures("stopped", "failed") }),
    ],
  });
  for (const name of ["ok", "mild", "stopped"]) t.engine.run(name, api);
  t.processes.only("ok").exit(0);
  t.processes.only("mild").exit(1);
  void t.engine.stopUnit("stopped");
  await t.clock.advance(60 * second);
  assert.deepEqual(t.outcomes(), ["success", "failed", "stopped"]);
});

Deno.test("Retries tries a run again that could not start, but not one that found the queue full", async () => {
  await using t = await makeEngine({
    units: [task({ name: "gone", retryAttempts: 1 }), task({ name: "full", retryAttempts: 1, queueMax: 0 })],
    before: (it) => it.processes.behave("gone", { refuses: 'no such folder "/gone"' }),
  });
  t.engine.run("gone", api);
  t.engine.run("full", api);
  t.engine.run("full", api);
  await t.clock.advance(60 * second);
  assert.deepEqual(t.outcomes("gone"), ["start_failed", "start_failed"]);
  assert.deepEqual(t.outcomes("full"), ["running", "queue_full"]);
});

Deno.test("Retries is subject to the overlap rules", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", retryAttempts: 1, onOverlap: "skip" })] });
  t.engine.run("t", api);
  t.processes.only("t").exit(1);
  await settle();
  t.engine.run("t", api);
  await t.clock.advance(5 * second);
  assert.deepEqual(t.outcomes(), ["failed", "running", "skipped"]);
});

Deno.test("Engine.stopUnit() ends a retry chain that waits", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", retryAttempts: 3 })] });
  t.engine.run("t", api);
  t.processes.only("t").exit(1);
  await settle();
  await t.engine.stopUnit("t");
  await t.clock.advance(600 * second);
  assert.deepEqual(t.outcomes(), ["failed"]);
  assert.deepEqual(t.store.retries.all(), []);
});

Deno.test("Engine.stopUnit() ends the chain of a run whose process has failed already and whose pipes are still open", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", retryAttempts: 3 })],
    before: (it) => it.processes.behave("t", { holdsPipes: true }),
  });
  t.engine.run("t", api);
  t.processes.only("t").exit(1);
  await settle();
  const stopped = t.engine.stopUnit("t");
  await t.clock.advance(600 * second);
  await stopped;
  assert.deepEqual(t.outcomes(), ["failed"]);
});

Deno.test("Engine.stopRun() ends the chain of its run", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", retryAttempts: 3 })],
    before: (it) => it.processes.behave("t", { holdsPipes: true }),
  });
  const run = t.engine.run("t", api);
  t.processes.only("t").exit(1);
  await settle();
  t.engine.stopRun(run.id);
  await t.clock.advance(600 * second);
  assert.deepEqual(t.outcomes(), ["failed"]);
});

Deno.test("Retries drops those of a task that a reload removes", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", retryAttempts: 3 })] });
  t.engine.run("t", api);
  t.processes.only("t").exit(1);
  await settle();
  await t.reload([]);
  await t.clock.advance(600 * second);
  await t.reload([task({ name: "t", retryAttempts: 3 })]);
  await t.clock.advance(600 * second);
  assert.deepEqual(t.outcomes(), ["failed"]);
});

Deno.test("Retries that were due while the daemon was down run once at the next start", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", retryAttempts: 1, retryDelay: 60_000 })] });
  const first = t.engine.run("t", api);
  t.processes.only("t").exit(1);
  await settle();
  await t.crash(3600 * second);
  await t.start();
  await t.clock.advance(600 * second);
  assert.deepEqual(t.outcomes(), ["failed", "running"]);
  assert.equal(t.runs()[1]!.retryOf, first.id);
  assert.equal(t.runs()[1]!.createdAt, noon + 3600 * second);
});

Deno.test("Retries that are not due yet wait out their time after a crash", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", retryAttempts: 1, retryDelay: 60_000 })] });
  t.engine.run("t", api);
  t.processes.only("t").exit(1);
  await settle();
  await t.crash(20 * second);
  await t.start();
  await t.clock.advance(39 * second);
  assert.deepEqual(t.outcomes(), ["failed"]);
  await t.clock.advance(second);
  assert.deepEqual(t.outcomes(), ["failed", "running"]);
});

Deno.test("Retries tries a run once whose daemon died under it", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", retryAttempts: 2, maxConcurrent: 5 })] });
  t.engine.run("t", api);
  await settle();
  await t.crash(10 * second);
  await t.start();
  await t.clock.advance(60 * second);
  assert.deepEqual(t.outcomes(), ["crashed", "running"]);
});

Deno.test("Retries tries a run again that the daemon's stop ended, at the next start", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", retryAttempts: 1, retryDelay: 5000 })] });
  t.engine.run("t", api);
  await t.stop();
  assert.deepEqual(t.outcomes(), ["daemon_stopped"]);
  await t.crash(0);
  await t.start();
  await t.clock.advance(5 * second);
  assert.deepEqual(t.outcomes(), ["daemon_stopped", "running"]);
});
