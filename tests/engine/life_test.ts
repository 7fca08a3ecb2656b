import assert from "node:assert/strict";
import { settle } from "../support/fake_clock.ts";
import { makeEngine } from "../support/make_engine.ts";
import { failures, second, service, task } from "../support/units.ts";

const api = { trigger: "api" } as const;

Deno.test("Runner ends a run over its timeout by the stop ladder", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", timeout: 10_000, gracefulStop: 3000, stopSignal: "SIGINT" })],
    before: (it) => it.processes.behave("t", { ignores: ["SIGINT"] }),
  });
  const run = t.engine.run("t", api);
  await t.clock.advance(9999);
  assert.deepEqual(t.processes.only("t").signals, []);
  await t.clock.advance(1);
  assert.deepEqual(t.processes.only("t").signals, ["SIGINT"]);
  await t.clock.advance(3000);
  const ended = t.engine.getRun(run.id);
  assert.equal(ended.endReason, "timeout");
  assert.equal(ended.exitCode, 137);
  assert.equal(ended.isFailure, true);
  assert.equal(ended.endedAt! - ended.startedAt!, 13_000);
  assert.match(
    t.logLines(ended).join("\n"),
    /timeout after 10 s: SIGINT sent\]\n\[SIGKILL: still alive 3 s after SIGINT/,
  );
});

Deno.test("Runner kills at once where graceful_stop is 0", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", gracefulStop: 0 })] });
  const run = t.engine.run("t", api);
  t.engine.stopRun(run.id);
  await settle();
  assert.deepEqual(t.processes.launched[0]!.signals, ["SIGKILL"]);
  assert.equal(t.engine.getRun(run.id).exitCode, 137);
  assert.equal(t.engine.getRun(run.id).endReason, "stopped");
});

Deno.test("Runner keeps the exit code that a stopped process really gave", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t" })],
    before: (it) => it.processes.behave("t", { onSignal: 0 }),
  });
  const run = t.engine.run("t", api);
  t.engine.stopRun(run.id);
  await settle();
  assert.equal(t.engine.getRun(run.id).endReason, "stopped");
  assert.equal(t.engine.getRun(run.id).exitCode, 0);
});

Deno.test("Runner ends a run as start_failed when it can't be launched: created and failed, never started", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t" })],
    before: (it) => it.processes.behave("t", { refuses: 'no such folder "/gone": create it' }),
  });
  const run = t.engine.run("t", api);
  const ended = t.engine.getRun(run.id);
  assert.equal(ended.endReason, "start_failed");
  assert.equal(ended.exitCode, -1);
  assert.equal(ended.startedAt, undefined);
  assert.equal(ended.isFailure, true);
  assert.deepEqual(t.eventsOf(run.id), ["run.created", "run.failed"]);
  assert.deepEqual(t.logLines(ended), ['[cannot start: no such folder "/gone": create it]']);
  assert.equal(ended.error, 'no such folder "/gone": create it');
});

Deno.test("Runner ends a run as start_failed when its launcher could not get as far as the script", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  const run = t.engine.run("t", api);
  t.processes.only("t").failToLaunch("cannot change to the user");
  await settle();
  const ended = t.engine.getRun(run.id);
  assert.equal(ended.endReason, "start_failed");
  assert.equal(ended.exitCode, -1);
  assert.equal(ended.error, "cannot change to the user");
});

Deno.test("Runner stops a run whose log is full under kill_task", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", logMaxSize: 4096, logOnFull: "kill_task" })],
  });
  const run = t.engine.run("t", api);
  for (let i = 0; i < 100; i++) t.processes.alive("t")[0]?.print(`${"x".repeat(99)}\n`);
  // Lines are stored when nothing can redraw them any more, also where nothing follows.
  await t.clock.advance(250);
  const ended = t.engine.getRun(run.id);
  assert.equal(ended.endReason, "log_overflow");
  assert.equal(ended.isFailure, true);
  assert.deepEqual(t.processes.launched[0]!.signals[0], "SIGTERM");
});

Deno.test("Runner says log_overflow of a run that ends by itself before its last lines are stored", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", logMaxSize: 4096, logOnFull: "kill_task" })],
  });
  const run = t.engine.run("t", api);
  t.processes.only("t").print(`${"x".repeat(99)}\n`.repeat(100));
  t.processes.only("t").exit(0);
  await settle();
  const ended = t.engine.getRun(run.id);
  assert.equal(ended.endReason, "log_overflow");
  assert.deepEqual(t.processes.launched[0]!.signals, []);
});

Deno.test("Runner lets a run go on whose log is full under drop_new", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", logMaxSize: 4096, logOnFull: "drop_new" })] });
  t.engine.run("t", api);
  for (let i = 0; i < 100; i++) t.processes.only("t").print(`${"x".repeat(99)}\n`);
  t.processes.only("t").exit(0);
  await settle();
  assert.deepEqual(t.outcomes(), ["success"]);
});

Deno.test("Runner turns a success into a failure when a line of output matches an output: rule", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", failures: failures("output:^ERROR") })] });
  const bad = t.engine.run("t", api);
  t.processes.only("t").print("fine\nERROR: no space\n", "stderr");
  t.processes.only("t").exit(0);
  await settle();
  const good = t.engine.run("t", api);
  t.processes.only("t").print("no ERROR here\n");
  t.processes.only("t").exit(0);
  await settle();
  assert.equal(t.engine.getRun(bad.id).endReason, "failed");
  assert.equal(t.engine.getRun(bad.id).exitCode, 0);
  assert.equal(t.engine.getRun(bad.id).isFailure, true);
  assert.equal(t.engine.getRun(good.id).endReason, "success");
  assert.equal(t.engine.getRun(good.id).isFailure, false);
});

Deno.test("Runner looks at a last line without a line end too", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", failures: failures("failed", "output:ERROR") })],
  });
  const run = t.engine.run("t", api);
  t.processes.only("t").print("ERROR");
  t.processes.only("t").exit(0);
  await settle();
  assert.equal(t.engine.getRun(run.id).endReason, "failed");
});

Deno.test("Runner waits for the pipes of an ended process, then for 2 s at most, and keeps what comes", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t" })],
    before: (it) => it.processes.behave("t", { holdsPipes: true }),
  });
  const run = t.engine.run("t", api);
  const process = t.processes.only("t");
  process.exit(0);
  await t.clock.advance(1000);
  process.print("late\n");
  await t.clock.advance(999);
  assert.equal(t.engine.getRun(run.id).status, "running");
  await t.clock.advance(1);
  assert.equal(t.engine.getRun(run.id).endReason, "success");
  assert.deepEqual(t.logLines(run), ["late"]);
});

Deno.test("Runner kills what a run left behind and says so, unless kill_strays is false", async () => {
  await using t = await makeEngine({
    units: [
      task({ name: "a" }),
      task({ name: "b", killStrays: false }),
      task({ name: "c", killStrays: false }),
    ],
  });
  const [a, b, c] = ["a", "b", "c"].map((name) => t.engine.run(name, api));
  for (const name of ["a", "b", "c"]) t.processes.only(name).strays = [900];
  const [pa, pb, pc] = ["a", "b", "c"].map((name) => t.processes.only(name));
  pa!.exit(0);
  pb!.exit(0);
  t.engine.stopRun(c!.id);
  await settle();
  assert.deepEqual(pa!.strays, []);
  assert.deepEqual(t.logLines(a!), ["[killed what the run left behind: pid 900]"]);
  assert.deepEqual(pb!.strays, [900]);
  assert.deepEqual(t.logLines(b!), []);
  assert.deepEqual(pc!.strays, [900], "a stop ends all of a run, after its grace");
  await t.clock.advance(5 * second);
  assert.deepEqual(pc!.strays, []);
});

Deno.test("Runner names in the log what survives SIGKILL", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  const run = t.engine.run("t", api);
  t.processes.only("t").strays = [900];
  t.processes.unkillable.add(900);
  t.processes.only("t").exit(0);
  await settle();
  assert.equal(t.engine.getRun(run.id).endReason, "success");
  assert.deepEqual(t.logLines(run), ["[still alive after SIGKILL: pid 900]"]);
});

Deno.test("Runner gives a run its environment and its arguments", async () => {
  await using t = await makeEngine({
    units: [
      task({
        name: "t",
        env: { A: "1", B: "env" },
        secrets: { B: "secret", C: "secret" },
        params: [
          { kind: "env", key: "C", type: "string", default: "param", required: false, allowCustom: false },
          {
            kind: "option",
            key: "--size",
            type: "string",
            default: "3",
            required: false,
            allowCustom: false,
          },
          { kind: "arg", key: "file", type: "string", default: "a b", required: false, allowCustom: false },
        ],
      }),
    ],
  });
  const run = t.engine.run("t", { trigger: "ui" });
  const { spec } = t.processes.only("t");
  assert.deepEqual(spec.args, ["--size", "3", "a b"]);
  assert.deepEqual(spec.env, {
    A: "1",
    B: "secret",
    C: "param",
    SVC_RUN_ID: run.id,
    SVC_TASK: "t",
    SVC_TRIGGER: "ui",
    SVC_ATTEMPT: "0",
    SVC_INSTANCE: "0",
  });
});

Deno.test("Engine.stop() ends runs as daemon_stopped, keeps what waits for the next daemon, and refuses new ones", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  t.engine.run("t", api);
  t.engine.run("t", api);
  const stopped = t.engine.stop();
  assert.throws(() => t.engine.run("t", api), { code: "stopping" });
  await settle();
  await stopped;
  assert.deepEqual(t.outcomes(), ["daemon_stopped", "pending"]);
  assert.equal(t.processes.count("t"), 1);
  await t.crash();
  await t.start();
  assert.deepEqual(t.outcomes(), ["daemon_stopped", "running"]);
});

Deno.test("Engine.stop() kills at shutdown_timeout what is left, tasks and services", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", gracefulStop: 60_000 }), service({ name: "s", gracefulStop: 60_000 })],
    daemon: { shutdownTimeout: 7000 },
    before: (it) => {
      it.processes.behave("t", { ignores: ["SIGTERM"] });
      it.processes.behave("s", { ignores: ["SIGTERM"] });
    },
  });
  t.engine.run("t", api);
  let done = false;
  void t.engine.stop().then(() => done = true);
  await t.clock.advance(6999);
  assert.equal(done, false);
  assert.equal(t.processes.alive().length, 2);
  await t.clock.advance(1);
  assert.equal(done, true);
  assert.equal(t.processes.alive().length, 0);
  assert.deepEqual(t.outcomes().sort(), ["daemon_stopped", "daemon_stopped"]);
});

Deno.test("Engine.stop() asks tasks at once, and whoever waits for others before nothing is left but to kill it", async () => {
  await using t = await makeEngine({
    units: [
      task({ name: "t" }),
      service({ name: "db" }),
      service({ name: "web", dependsOn: ["db"], gracefulStop: 60_000 }),
    ],
    daemon: { shutdownTimeout: 8000 },
    before: (it) => it.processes.behave("web", { ignores: ["SIGTERM"] }),
  });
  await t.clock.advance(10_000);
  t.engine.run("t", api);
  await settle();
  const [ran, db] = [t.processes.only("t"), t.processes.only("db")];
  const stopped = t.engine.stop();
  await settle();
  assert.deepEqual(ran.signals, ["SIGTERM"]);
  await t.clock.advance(5999);
  assert.deepEqual(db.signals, [], "web may need it");
  await t.clock.advance(1);
  assert.deepEqual(db.signals, ["SIGTERM"]);
  await t.clock.advance(2000);
  await stopped;
  assert.equal(t.processes.alive().length, 0);
});

Deno.test("Engine.stop() waits for the ladders alone where shutdown_timeout is 0", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", gracefulStop: 20_000 })],
    daemon: { shutdownTimeout: 0 },
    before: (it) => it.processes.behave("t", { ignores: ["SIGTERM"] }),
  });
  t.engine.run("t", api);
  const stopped = t.engine.stop();
  await t.clock.advance(19_999);
  assert.deepEqual(t.processes.only("t").signals, ["SIGTERM"]);
  await t.clock.advance(1);
  await stopped;
  assert.equal(t.processes.alive().length, 0);
});

Deno.test("Engine.stop() starts nothing any more: no ticks, no retries, no restarts", async () => {
  await using t = await makeEngine({
    units: [
      task({ name: "tick", cron: "* * * * * *" }),
      task({ name: "slow", gracefulStop: 8000 }),
      task({ name: "again", retryAttempts: 5, retryDelay: 1000 }),
      service({ name: "s", restartDelay: 1000 }),
    ],
    before: (it) => it.processes.behave("slow", { ignores: ["SIGTERM"] }),
  });
  t.engine.run("slow", api);
  t.engine.run("again", api);
  t.processes.only("again").exit(1);
  t.processes.only("s").exit(1);
  await settle();
  const before = t.processes.launched.length;
  const stopped = t.engine.stop();
  await t.clock.advance(20 * second);
  await stopped;
  assert.equal(t.processes.launched.length, before);
  assert.equal(t.engine.isScheduling, false);
});
