import assert from "node:assert/strict";
import { settle } from "../support/fake_clock.ts";
import { makeEngine } from "../support/make_engine.ts";
import { configOf, failures, hour, minute, noon, second, service, task } from "../support/units.ts";

const api = { trigger: "api" } as const;

Deno.test("recover() kills what survived before anything starts, and ends its runs as crashed with -2", async () => {
  await using t = await makeEngine({ units: [service({ name: "s" }), task({ name: "t" })] });
  const run = t.engine.run("t", api);
  await settle();
  const survivors = t.processes.launched.map(({ pid }) => pid);
  await t.crash(minute);
  assert.equal(t.processes.alive().length, 2);
  await t.start();
  assert.deepEqual(t.processes.story.slice(2), [...survivors.map((pid) => `kill ${pid}`), "launch s"]);
  const ended = t.engine.getRun(run.id);
  assert.equal(ended.endReason, "crashed");
  assert.equal(ended.exitCode, -2);
  assert.equal(ended.isFailure, true);
  assert.equal(ended.endedAt, noon + minute);
  assert.match(t.logLines(ended).join(), /the daemon died while this ran/);
  assert.deepEqual(t.outcomes("s"), ["crashed", "running"]);
});

Deno.test("recover() kills by the run's id what has left its group", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  t.engine.run("t", api);
  const process = t.processes.only("t");
  process.strays = [900, 901];
  await settle();
  await t.clock.advance(second);
  await t.crash();
  await t.start();
  assert.deepEqual(process.strays, []);
  assert.ok(t.said.includes("warn killing a process that outlived its daemon"));
});

Deno.test("recover() kills what sits in a group of ours, but not strays that were let go", async () => {
  await using t = await makeEngine({ units: [task({ name: "a" }), task({ name: "b", killStrays: false })] });
  for (const name of ["a", "b"]) t.engine.run(name, api);
  const [lost, kept] = ["a", "b"].map((name) => t.processes.only(name));
  kept!.strays = [901];
  kept!.exit(0);
  lost!.exit(0);
  await settle();
  lost!.strays = [900]; // came to light after its run had ended
  await t.crash();
  await t.start();
  assert.deepEqual([lost!.strays, kept!.strays], [[], [901]]);
  assert.ok(t.said.includes("warn killed a process that outlived its daemon"));
});

Deno.test("recover() leaves a process alone that merely has the pid of a former run", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  const run = t.engine.run("t", api);
  await settle();
  const { pid } = t.processes.only("t");
  await t.crash();
  t.processes.launched[0]!.exit(0);
  // Another start time, as a later process with the same pid has.
  t.store.runs.setIdentity(run.id, { pid, bootId: "boot-1", startTicks: "other" });
  await t.start();
  assert.ok(!t.processes.story.includes(`kill ${pid}`));
});

Deno.test("recover() kills no group by pid after a reboot", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  t.engine.run("t", api);
  await settle();
  const { pid } = t.processes.only("t");
  await t.crash();
  t.processes.launched[0]!.exit(0);
  t.processes.boot = "boot-2";
  t.processes.startTicks = () => Promise.resolve(`ticks-${pid}`);
  await t.start();
  assert.ok(!t.processes.story.includes(`kill ${pid}`));
  assert.deepEqual(t.outcomes(), ["crashed"]);
});

Deno.test("recover() takes up pending runs in order of creation and ends those of removed tasks", async () => {
  await using t = await makeEngine({
    units: [task({ name: "a" }), task({ name: "b" }), task({ name: "gone" })],
  });
  for (const name of ["a", "gone", "b"]) t.engine.run(name, api);
  const [a1, b1, gone, a2] = ["a", "b", "gone", "a"].map((name) => t.engine.run(name, api));
  await t.crash(minute);
  t.config = { ...t.config, units: t.config.units.filter(({ name }) => name !== "gone") };
  await t.start();
  assert.equal(t.engine.getRun(gone!.id).endReason, "stopped");
  assert.equal(t.engine.getRun(gone!.id).exitCode, -1);
  assert.deepEqual(t.processes.alive().map(({ spec }) => spec.runId), [a1!.id, b1!.id]);
  t.processes.only("a").exit(0);
  await settle();
  assert.equal(t.processes.only("a").spec.runId, a2!.id);
});

Deno.test("recover() ends a service's run that never got to start", async () => {
  await using t = await makeEngine({ units: [service({ name: "s" })] });
  const run = t.runs()[0]!;
  await t.crash();
  t.store.runs.update({ ...run, status: "pending" });
  await t.start();
  assert.deepEqual(t.outcomes(), ["daemon_stopped", "running"]);
});

Deno.test("recover() executes nothing twice when the daemon died between row and process", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  t.processes.behave("t", { refuses: "never mind" });
  const run = t.engine.run("t", api);
  await t.crash();
  t.store.runs.update({ ...run, status: "running", exitCode: 0, isFailure: false, startedAt: noon });
  t.processes.behave("t", {});
  await t.start();
  assert.deepEqual(t.outcomes(), ["crashed"]);
  assert.equal(t.processes.count("t"), 0);
});

Deno.test("recover() judges a crash by the failures of the unit", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", failures: failures("failed") })] });
  t.engine.run("t", api);
  await t.crash();
  await t.start();
  assert.equal(t.runs()[0]!.isFailure, false);
});

Deno.test("recover() continues a run's log behind its last line", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  const run = t.engine.run("t", api);
  t.processes.only("t").print("one\ntwo\n");
  await t.crash();
  await t.start();
  assert.deepEqual(t.logLines(run).slice(0, 2), ["one", "two"]);
  assert.equal(t.logLines(run).length, 3);
});

Deno.test("Engine.start() finds nothing to do after a clean stop", async () => {
  await using t = await makeEngine({ units: [service({ name: "s" })] });
  await t.stop();
  await t.crash(10 * second);
  t.said.length = 0;
  await t.start();
  assert.deepEqual(t.said, []);
  assert.deepEqual(t.outcomes(), ["daemon_stopped", "running"]);
});

Deno.test("Recovery owes no retry to the life of a service that is a task now", async () => {
  await using t = await makeEngine({ units: [service({ name: "x" })] });
  await t.crash();
  t.config = configOf([task({ name: "x", retryAttempts: 3 })]);
  await t.start();
  await t.clock.advance(minute);
  assert.deepEqual(t.outcomes("x"), ["crashed"]);
});

Deno.test("Recovery takes waiting runs up in the order in which they came, whatever the clock said", async () => {
  await using t = await makeEngine({ units: [task({ name: "a" })] });
  t.engine.run("a", { trigger: "api" });
  const first = t.engine.run("a", { trigger: "api" }).id;
  t.clock.jump(-hour);
  const later = t.engine.run("a", { trigger: "api" }).id;
  await t.crash();
  await t.start();
  assert.equal(t.processes.only("a").spec.runId, first);
  t.processes.only("a").exit(0);
  await settle();
  assert.equal(t.processes.only("a").spec.runId, later);
});

Deno.test("recover() waits for what looks at processes for a while, and says what it can't tell", async () => {
  for (const answers of ["never", "failing"] as const) {
    await using t = await makeEngine({ units: [task({ name: "t" })] });
    const run = t.engine.run("t", api);
    await t.clock.advance(second);
    await t.crash();
    t.processes.answers = answers;
    let hasStarted = false;
    const started = t.start().then(() => hasStarted = true);
    await t.clock.advance(minute);
    assert.ok(hasStarted, answers);
    await started;
    const why = answers === "never" ? "no answer within 30 s" : "no helper";
    assert.equal(t.engine.getRun(run.id).endReason, "crashed");
    assert.equal(
      t.logLines(run).at(-1),
      `[the daemon died while this ran; whether something of it lives on can't be told: ${why}]`,
    );
    assert.ok(t.said.includes("error cannot tell whether processes of an earlier daemon live on"));
  }
});

Deno.test("recover() kills nobody by a pid alone where the machine does not say which boot this is", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t" })],
    before: (it) => {
      it.processes.boot = "";
      it.processes.groups = { available: false, limits: new Set() };
    },
  });
  t.engine.run("t", api);
  await settle();
  const stranger = t.processes.only("t");
  await t.crash();
  // After a boot somebody else has its pid, and was started as long after it.
  Object.assign(stranger, { spec: { ...stranger.spec, runId: "somebody else's" } });
  await t.start();
  assert.ok(stranger.isAlive);
});

Deno.test("What is told of a pid after its process has ended is not stored for its run", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  t.processes.behave("t", { holdsPipes: true });
  const { promise, resolve } = Promise.withResolvers<string>();
  t.processes.startTicks = () => promise;
  const run = t.engine.run("t", api);
  await t.clock.advance(second);
  t.processes.only("t").exit(0);
  resolve("those of somebody else");
  await settle();
  const [left] = t.store.runs.active();
  assert.equal(left?.run.id, run.id);
  assert.equal(left.process?.startTicks, undefined);
});
