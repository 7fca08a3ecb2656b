import assert from "node:assert/strict";
import { settle } from "../support/fake_clock.ts";
import { makeEngine } from "../support/make_engine.ts";
import { minute, second, service, task } from "../support/units.ts";

const api = { trigger: "api" } as const;
const server = { pid: 900, name: "server", group: 900 };

Deno.test("Runner gives the rest of a run its grace, tells it what was asked, and names what it kills at its end", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", gracefulStop: 20 * second })] });
  const run = t.engine.run("t", api);
  const process = t.processes.only("t");
  process.children = [server, { pid: 901, name: "worker", group: process.pid }];
  t.engine.stopRun(run.id);
  await t.clock.advance(19 * second);
  assert.equal(t.engine.getRun(run.id).status, "running");
  assert.deepEqual(process.toChildren, ["900 SIGTERM"], "the signal to the group has reached the other");
  await t.clock.advance(second);
  assert.equal(t.engine.getRun(run.id).endReason, "stopped");
  assert.deepEqual(t.logLines(run), [
    "[stop requested: SIGTERM sent]",
    "[SIGKILL: still alive 20 s after SIGTERM: pid 900 (server), pid 901 (worker)]",
  ]);
});

Deno.test("Runner ends a run as soon as the last of it has ended", async () => {
  await using t = await makeEngine({ units: [service({ name: "s", gracefulStop: 20 * second })] });
  const [run] = t.runs();
  const process = t.processes.only("s");
  process.children = [server];
  const stopped = t.engine.stopUnit("s");
  await t.clock.advance(3 * second);
  process.children = [];
  await t.clock.advance(second);
  await stopped;
  assert.equal(t.engine.getRun(run!.id).endReason, "stopped");
  assert.deepEqual(t.logLines(run!), ["[stop requested: SIGTERM sent]"]);
});

Deno.test("Engine.stop() gives the rest of runs no more than shutdown_timeout", async () => {
  await using t = await makeEngine({
    units: [service({ name: "s", gracefulStop: minute })],
    daemon: { shutdownTimeout: 4 * second },
  });
  const [run] = t.runs();
  t.processes.only("s").children = [server];
  let isOver = false;
  const stopped = t.engine.stop().then(() => isOver = true);
  await t.clock.advance(4 * second - 1);
  assert.equal(isOver, false);
  await t.clock.advance(1);
  await stopped;
  assert.equal(t.store.runs.get(run!.id)?.endReason, "daemon_stopped");
});

Deno.test("A run ends though nothing tells what is left of it, and says so", async () => {
  for (const answers of ["never", "failing"] as const) {
    await using t = await makeEngine({ units: [task({ name: "t" })] });
    t.processes.answers = answers;
    const run = t.engine.run("t", api);
    t.engine.stopRun(run.id);
    await t.clock.advance(20 * second);
    assert.equal(t.engine.getRun(run.id).endReason, "stopped");
    const why = answers === "never" ? "no answer within 10 s" : "no helper";
    assert.equal(t.logLines(run).at(-1), `[cannot tell what is left of the run: ${why}]`);
  }
});

Deno.test("Engine.stop() ends within shutdown_timeout and some seconds whatever refuses or hangs, and leaves the rest to the next daemon", async () => {
  for (const how of [{ foreign: true }, { unkillable: true }, { holdsPipes: true }]) {
    await using t = await makeEngine({
      units: [service({ name: "s", gracefulStop: second }), task({ name: "t" })],
      daemon: { shutdownTimeout: 4 * second },
      before: (it) => {
        for (const name of ["s", "t"]) it.processes.behave(name, how);
      },
    });
    t.processes.answers = "never";
    const run = t.engine.run("t", api);
    let isOver = false;
    const stopped = t.engine.stop().then(() => isOver = true);
    await t.clock.advance(14 * second);
    assert.ok(isOver, JSON.stringify(how));
    await stopped;
    if ("holdsPipes" in how) continue;
    assert.equal(t.store.runs.get(run.id)?.status, "running");
    assert.equal(
      t.logLines(run).at(-1),
      "[the daemon ends without it: the next one looks for what is left of it]",
    );
    assert.ok(t.said.includes("error the daemon ends without a run that it can't end"));
    t.processes.answers = "yes";
    await t.crash(0);
    await t.start();
    assert.equal(t.engine.getRun(run.id).endReason, "crashed");
  }
});

Deno.test("A run that lives on after SIGKILL says so, and goes on to be what it is", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", gracefulStop: second })] });
  t.processes.behave("t", { foreign: true });
  const run = t.engine.run("t", api);
  t.engine.stopRun(run.id);
  await t.clock.advance(minute);
  assert.equal(t.engine.getRun(run.id).status, "running");
  assert.deepEqual(t.logLines(run), [
    "[stop requested: SIGTERM sent]",
    "[cannot send SIGTERM: it belongs to another user by now]",
    "[SIGKILL: still alive 1 s after SIGTERM]",
    "[cannot send SIGKILL: it belongs to another user by now]",
    "[still alive 5 s after SIGKILL]",
  ]);
  assert.ok(t.said.some((line) => line.startsWith("error a run can't be ended")));
});

Deno.test("A daemon starts though what an earlier one left can't be killed, and its run says so", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  t.processes.behave("t", { foreign: true });
  const run = t.engine.run("t", api);
  await t.clock.advance(second);
  const { pid } = t.processes.only("t");
  await t.crash(0);
  await t.start();
  assert.equal(t.engine.getRun(run.id).endReason, "crashed");
  assert.deepEqual(t.logLines(run), [
    `[the daemon died while this ran; it can't be killed, and lives on: pid ${pid}]`,
  ]);
});

Deno.test("A run that ends by a signal without a name says its number", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  const run = t.engine.run("t", api);
  t.processes.only("t").exit(165, "signal 37");
  await settle();
  const { endReason, exitCode, error } = t.engine.getRun(run.id);
  assert.deepEqual([endReason, exitCode, error], ["crashed", 165, "ended by signal 37"]);
  assert.deepEqual(t.logLines(run), ["[ended by signal 37]"]);
});

Deno.test("What kill_strays = false lets go is read on, and does not hold its run open", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", killStrays: false })] });
  t.processes.behave("t", { holdsPipes: true });
  const run = t.engine.run("t", api);
  const process = t.processes.only("t");
  process.exit(0);
  await t.clock.advance(2 * second);
  assert.equal(t.engine.getRun(run.id).endReason, "success");
  assert.ok(process.isReleased);
  assert.deepEqual(t.logLines(run), [
    "[what the run leaves behind goes on; what it writes from now on is not kept]",
  ]);
});

Deno.test("A run ends though nobody is told of its end, and says that it is not known how", async () => {
  // Pipes that have ended are a sign; without one it is asked for once a minute.
  for (const [tells, patience] of [["pipes", 10 * second], ["nothing", 70 * second]] as const) {
    await using t = await makeEngine({ units: [task({ name: "t" })] });
    t.processes.behave("t", { tells });
    const run = t.engine.run("t", api);
    const process = t.processes.only("t");
    process.strays = [900];
    process.exit(0);
    await t.clock.advance(patience);
    const ended = t.engine.getRun(run.id);
    assert.deepEqual([ended.endReason, ended.exitCode, ended.isFailure], ["crashed", 255, true], tells);
    const why = "its process is gone, and nobody was told of its end";
    assert.equal(ended.error, `it ended, and the system did not say how: ${why}`);
    assert.ok(t.logLines(run).includes(`[${why}]`));
    assert.deepEqual(process.strays, [], "what it left behind is killed");
    // Word that comes after all changes nothing.
    process.tellEnd();
    await t.clock.advance(minute);
    assert.deepEqual(t.engine.getRun(run.id), ended);
  }
});

Deno.test("A run whose end is told late, or not at all, ends as what it was ended for", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", gracefulStop: second })] });
  t.processes.behave("t", { tells: "nothing" });
  const ends = [];
  for (const late of [3, 4, 30]) {
    const run = t.engine.run("t", api);
    const process = t.processes.only("t");
    t.engine.stopRun(run.id);
    await t.clock.advance(late * second);
    process.tellEnd();
    await t.clock.advance(5 * second);
    const { endReason, exitCode } = t.engine.getRun(run.id);
    ends.push([endReason, exitCode]);
  }
  assert.deepEqual(ends, [["stopped", 143], ["stopped", 143], ["stopped", 255]]);
});

Deno.test("Nothing is taken for gone where nobody answers, and no second copy starts beside it", async () => {
  for (const answers of ["never", "failing"] as const) {
    await using t = await makeEngine({ units: [service({ name: "s", gracefulStop: second })] });
    const [run] = t.runs();
    const process = t.processes.only("s");
    process.behaviour.tells = "nothing";
    t.processes.answers = answers;
    process.exit(1);
    await t.clock.advance(10 * minute);
    assert.equal(t.engine.getRun(run!.id).status, "running");
    t.engine.restartUnit("s", api);
    await t.clock.advance(minute);
    assert.deepEqual(t.logLines(run!).at(-1), "[whether it is still alive 5 s after SIGKILL can't be told]");
    assert.equal(t.processes.count("s"), 1);
    t.processes.answers = "yes";
    await t.clock.advance(2 * minute);
    assert.equal(t.processes.count("s"), 2);
    assert.equal(t.engine.getRun(run!.id).endReason, "stopped");
  }
});

Deno.test("Engine.start() waits for no answer for ever: which boot this is can't be told", async () => {
  for (const answers of ["never", "failing"] as const) {
    await using t = await makeEngine({ units: [service({ name: "s" })] });
    await t.crash(0);
    for (const process of t.processes.alive()) process.exit(0);
    t.processes.answers = answers;
    const started = t.start();
    await t.clock.advance(minute);
    await started;
    assert.equal(t.processes.alive("s").length, 1);
    t.processes.answers = "yes";
  }
});

Deno.test("An answer about a run that goes on says nothing of one that was killed meanwhile", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", gracefulStop: 0 })] });
  t.processes.behave("t", { unkillable: true });
  const answers: ((lives: boolean) => void)[] = [];
  t.processes.lives = () => new Promise((resolve) => answers.push(resolve));
  const run = t.engine.run("t", api);
  await t.clock.advance(minute);
  t.engine.stopRun(run.id);
  answers[0]!(true);
  await t.clock.advance(second);
  assert.deepEqual(t.logLines(run), ["[stop requested: SIGKILL]"]);
  t.processes.only("t").behaviour = {};
  t.processes.only("t").exit(1);
});
