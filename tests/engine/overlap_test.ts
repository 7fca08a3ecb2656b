import assert from "node:assert/strict";
import { settle } from "../support/fake_clock.ts";
import { makeEngine } from "../support/make_engine.ts";
import { minute, noon, second, task } from "../support/units.ts";

const api = { trigger: "api" } as const;

Deno.test("Engine.run() starts a run below max_concurrent: row first, then process, then event", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", run: "echo hi" })] });
  const seen: string[] = [];
  t.engine.bus.subscribe((event) => {
    if ("run" in event) seen.push(`${event.type} ${t.engine.getRun(event.run.id).status}`);
  });
  const run = t.engine.run("t", api);
  assert.equal(t.processes.only("t").spec.script, "echo hi");
  t.processes.only("t").print("hi\n");
  t.processes.only("t").exit(0);
  await settle();
  assert.deepEqual(seen, ["run.created pending", "run.started running", "run.completed ended"]);
  const ended = t.engine.getRun(run.id);
  assert.equal(ended.endReason, "success");
  assert.equal(ended.exitCode, 0);
  assert.equal(ended.isFailure, false);
  assert.equal(ended.startedAt, noon);
  assert.deepEqual(t.logLines(ended), ["hi"]);
});

Deno.test("Engine.run() queues at the limit and works the queue off in order of creation", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", maxConcurrent: 2 })] });
  const ids = [1, 2, 3, 4, 5].map(() => t.engine.run("t", api).id);
  assert.deepEqual(t.outcomes(), ["running", "running", "pending", "pending", "pending"]);
  const order: string[] = [];
  while (t.processes.alive().length > 0) {
    assert.ok(t.processes.alive().length <= 2);
    const process = t.processes.alive()[0]!;
    order.push(process.spec.runId);
    process.exit(0);
    await settle();
  }
  assert.deepEqual(order, ids);
});

Deno.test("Engine.run() never lets a fresh trigger overtake a waiting one", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  t.engine.run("t", api);
  const waiting = t.engine.run("t", api);
  // The moment between the end of a process and the end of its run belongs to the one that waits.
  t.processes.only("t").exit(0);
  const fresh = t.engine.run("t", { trigger: "cli" });
  await settle();
  assert.equal(t.processes.only("t").spec.runId, waiting.id);
  assert.equal(t.engine.getRun(fresh.id).status, "pending");
});

Deno.test("Engine.run() ends what is over queue_max as queue_full, which is a failure with both events", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", queueMax: 2 })] });
  for (let i = 0; i < 3; i++) t.engine.run("t", api);
  const full = t.engine.run("t", api);
  assert.deepEqual(t.outcomes(), ["running", "pending", "pending", "queue_full"]);
  const stored = t.engine.getRun(full.id);
  assert.equal(stored.exitCode, -1);
  assert.equal(stored.isFailure, true);
  assert.equal(stored.startedAt, undefined);
  assert.match(stored.error ?? "", /queue/);
  assert.deepEqual(t.eventsOf(full.id), ["run.created", "run.failed"]);
});

Deno.test("Engine.run() takes queue_max = 0 as no queue at all", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", queueMax: 0 })] });
  t.engine.run("t", api);
  t.engine.run("t", api);
  assert.deepEqual(t.outcomes(), ["running", "queue_full"]);
  t.processes.only("t").exit(0);
  await settle();
  t.engine.run("t", api);
  assert.deepEqual(t.outcomes(), ["success", "queue_full", "running"]);
});

Deno.test("Engine.run() skips at the limit where the task says so: no failure, created and ended events", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", onOverlap: "skip", maxConcurrent: 2 })] });
  t.engine.run("t", api);
  t.engine.run("t", api);
  const skipped = t.engine.run("t", api);
  assert.deepEqual(t.outcomes(), ["running", "running", "skipped"]);
  assert.equal(t.engine.getRun(skipped.id).isFailure, false);
  assert.deepEqual(t.eventsOf(skipped.id), ["run.created", "run.completed"]);
});

Deno.test("Engine.run() terminates the active run and starts the new one only when that has ended", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", onOverlap: "terminate", gracefulStop: 5000 })],
    before: (it) => it.processes.behave("t", { ignores: ["SIGTERM"] }),
  });
  t.engine.run("t", api);
  t.engine.run("t", api);
  await t.clock.advance(4999);
  assert.deepEqual(t.outcomes(), ["running", "pending"]);
  assert.equal(t.processes.count("t"), 1);
  await t.clock.advance(1);
  assert.deepEqual(t.outcomes(), ["stopped", "running"]);
  assert.deepEqual(t.processes.launched[0]!.signals, ["SIGTERM", "SIGKILL"]);
});

Deno.test("Engine.run() with terminate keeps the newest of a burst, and one run at a time", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", onOverlap: "terminate" })],
    before: (it) => it.processes.behave("t", { ignores: ["SIGTERM"] }),
  });
  const ids = [1, 2, 3, 4].map(() => t.engine.run("t", api).id);
  assert.deepEqual(t.outcomes(), ["running", "stopped", "stopped", "pending"]);
  await t.clock.advance(5 * second);
  assert.equal(t.processes.only("t").spec.runId, ids[3]);
  assert.equal(t.processes.count("t"), 2);
});

Deno.test("Engine.run() with terminate and three places stops the oldest alone", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", onOverlap: "terminate", maxConcurrent: 3 })],
    before: (it) => it.processes.behave("t", { ignores: ["SIGTERM"] }),
  });
  for (let i = 0; i < 4; i++) t.engine.run("t", api);
  assert.deepEqual(t.processes.launched.map(({ signals }) => signals.length), [1, 0, 0]);
  t.engine.run("t", api);
  assert.deepEqual(t.processes.launched.map(({ signals }) => signals.length), [1, 1, 0]);
  await t.clock.advance(5 * second);
  assert.deepEqual(t.outcomes(), ["stopped", "stopped", "running", "running", "running"]);
});

Deno.test("Tasks holds max_parallel_runs over all tasks and serves the line in order of ticks", async () => {
  await using t = await makeEngine({
    units: [
      task({ name: "a", maxConcurrent: 1 }),
      task({ name: "b" }),
      task({ name: "c" }),
    ],
    daemon: { maxParallelRuns: 1 },
  });
  t.engine.run("a", api);
  await t.clock.advance(second);
  t.engine.run("b", api);
  await t.clock.advance(second);
  t.engine.run("a", api);
  await t.clock.advance(second);
  t.engine.run("c", api);
  const order: string[] = [];
  while (t.processes.alive().length > 0) {
    assert.equal(t.processes.alive().length, 1);
    order.push(t.processes.alive()[0]!.spec.name);
    t.processes.alive()[0]!.exit(0);
    await settle();
  }
  assert.deepEqual(order, ["a", "b", "a", "c"]);
});

Deno.test("Tasks starts more at once when a reload raises max_parallel_runs", async () => {
  const units = ["a", "b", "c"].map((name) => task({ name }));
  await using t = await makeEngine({ units, daemon: { maxParallelRuns: 1 } });
  for (const { name } of units) t.engine.run(name, api);
  assert.equal(t.processes.alive().length, 1);
  await t.reload(units, { maxParallelRuns: 0 });
  assert.equal(t.processes.alive().length, 3);
});

Deno.test("Tasks ends a run that waits for the daemon-wide limit when it is stopped, and lets the next in", async () => {
  await using t = await makeEngine({
    units: [task({ name: "a" }), task({ name: "b" })],
    daemon: { maxParallelRuns: 1 },
  });
  t.engine.run("a", api);
  const inLine = t.engine.run("b", api);
  const behind = t.engine.run("b", api);
  t.engine.stopRun(inLine.id);
  assert.equal(t.engine.getRun(inLine.id).endReason, "stopped");
  t.processes.only("a").exit(0);
  await settle();
  assert.equal(t.processes.only("b").spec.runId, behind.id);
});

Deno.test("Tasks works a long queue of runs off that can't be started", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", queueMax: 10_000 })] });
  t.engine.run("t", api);
  for (let i = 0; i < 2000; i++) t.engine.run("t", api);
  t.processes.behave("t", { refuses: 'no such folder "/gone"' });
  t.processes.only("t").exit(0);
  await settle();
  const outcomes = new Set(t.outcomes().slice(1));
  assert.deepEqual([...outcomes], ["start_failed"]);
});

Deno.test("Engine.stopUnit() stops what is active and drops what waits", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  const active = t.engine.run("t", api);
  const waiting = t.engine.run("t", api);
  const stopped = t.engine.stopUnit("t");
  await settle();
  await stopped;
  assert.deepEqual(t.outcomes(), ["stopped", "stopped"]);
  assert.equal(t.engine.getRun(active.id).exitCode, 143);
  assert.equal(t.engine.getRun(waiting.id).exitCode, -1);
  assert.deepEqual(t.eventsOf(waiting.id), ["run.created", "run.completed"]);
  assert.equal(t.processes.count("t"), 1);
});

Deno.test("Engine.restartUnit() makes exactly one run, which waits for the end of the old ones", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", maxConcurrent: 3 })],
    before: (it) => it.processes.behave("t", { ignores: ["SIGTERM"] }),
  });
  for (let i = 0; i < 5; i++) t.engine.run("t", api);
  const fresh = t.engine.restartUnit("t", api)!;
  await settle();
  assert.deepEqual(t.outcomes(), ["running", "running", "running", "stopped", "stopped", "pending"]);
  assert.equal(t.processes.count("t"), 3);
  await t.clock.advance(5 * second);
  assert.equal(t.processes.only("t").spec.runId, fresh.id);
  assert.equal(t.runs().length, 6);
});

Deno.test("Engine.restartUnit() again while the first restart waits leaves one fresh run", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t" })],
    before: (it) => it.processes.behave("t", { ignores: ["SIGTERM"] }),
  });
  t.engine.run("t", api);
  t.engine.restartUnit("t", api);
  t.engine.restartUnit("t", api);
  await t.clock.advance(5 * second);
  assert.deepEqual(t.outcomes(), ["stopped", "stopped", "running"]);
});

Deno.test("Engine.restartUnit() of an idle task triggers it", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  t.engine.restartUnit("t", api);
  assert.deepEqual(t.outcomes(), ["running"]);
});

Deno.test("Engine.startUnit() triggers an idle task and does nothing to an active one", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  const first = t.engine.startUnit("t", api)!;
  const again = t.engine.startUnit("t", api)!;
  assert.equal(again.id, first.id);
  assert.equal(t.runs().length, 1);
  t.processes.only("t").exit(0);
  await settle();
  assert.notEqual(t.engine.startUnit("t", api)!.id, first.id);
});

Deno.test("Tasks never has more runs than max_concurrent, whatever comes together", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", cron: "* * * * *", maxConcurrent: 2, retryAttempts: 2, retryDelay: 0 })],
  });
  let most = 0;
  for (let i = 0; i < 40; i++) {
    if (i % 3 === 0) t.engine.run("t", api);
    if (i % 11 === 0) t.engine.restartUnit("t", api);
    await t.clock.advance(minute / 4);
    most = Math.max(most, t.processes.alive("t").length);
    t.processes.alive("t")[0]?.exit(i % 2);
    await settle();
    most = Math.max(most, t.processes.alive("t").length);
  }
  assert.equal(most, 2);
});

Deno.test("Tasks gives places back that wait for the daemon-wide limit when a reload leaves fewer, and keeps the order", async () => {
  const units = (places: number) => [task({ name: "a" }), task({ name: "b", maxConcurrent: places })];
  await using t = await makeEngine({ units: units(2), daemon: { maxParallelRuns: 1 } });
  t.engine.run("a", api);
  const ids = [1, 2, 3].map(() => t.engine.run("b", api).id);
  await t.reload(units(1), { maxParallelRuns: 0 });
  const order: string[] = [];
  for (; t.processes.alive("b").length > 0; await settle()) {
    order.push(t.processes.only("b").spec.runId);
    t.processes.only("b").exit(0);
  }
  assert.deepEqual(order, ids);
});
