import assert from "node:assert/strict";
import { settle } from "../support/fake_clock.ts";
import { makeEngine, type Setup, type TestEngine } from "../support/make_engine.ts";
import { check, configOf, failures, hour, minute, noon, second, service, task } from "../support/units.ts";

const api = { trigger: "api" } as const;

/** An engine on a machine where runs outlive it. */
function keepingEngine(setup: Setup): Promise<TestEngine> {
  return makeEngine({
    ...setup,
    before: (t) => {
      t.processes.keeping = { available: true };
      setup.before?.(t);
    },
  });
}

/** The daemon dies, is away for a while (ms), and there is a next one. */
async function live(t: TestEngine, away = minute): Promise<void> {
  await settle();
  await t.crash(away);
  await t.start();
}

Deno.test("a run of a task goes on under the next daemon: same row, same process, and its end is judged as ever", async () => {
  await using t = await keepingEngine({ units: [task({ name: "t", retryAttempts: 1 })] });
  const run = t.engine.run("t", api);
  const process = t.processes.only("t");
  process.print("one\n");
  await live(t);
  const taken = t.engine.getRun(run.id);
  assert.deepEqual([taken.status, taken.startedAt, taken.adoptedAt], ["running", noon, noon + minute]);
  assert.deepEqual(t.engine.takenOver, { adopted: 1, endedMeanwhile: 0 });
  assert.ok(!t.processes.story.some((line) => line.startsWith("kill")));
  process.print("two\n");
  process.exit(3);
  await settle();
  const ended = t.engine.getRun(run.id);
  assert.deepEqual([ended.endReason, ended.exitCode, ended.endedAt], ["failed", 3, noon + minute]);
  assert.equal(process.isDismissed, true);
  const lines = t.logLines(ended);
  assert.deepEqual(lines.filter((line) => !line.startsWith("[")), ["one", "two"]);
  assert.match(
    lines.join(),
    /the daemon was not there from .* to 2027-01-15 12:01:00 \(1 m 00 s\): taken over/,
  );
  await t.clock.advance(5 * second);
  assert.deepEqual(t.outcomes(), ["failed", "running"]);
});

Deno.test("a run that ended meanwhile ends with its own code, reason and time, and what follows does", async () => {
  await using t = await keepingEngine({
    units: [task({ name: "t", retryAttempts: 1 }), task({ name: "c" })],
  });
  const run = t.engine.run("t", api);
  const other = t.engine.run("c", api);
  const queued = t.engine.run("c", api);
  await settle();
  await t.crash(10 * second);
  t.processes.only("t").print("last words\n");
  t.processes.only("t").exit(4);
  t.processes.only("c").exit(139, "SIGSEGV");
  t.clock.stall(50 * second);
  await t.start();
  const ended = t.engine.getRun(run.id);
  assert.deepEqual([ended.endReason, ended.exitCode, ended.endedAt], ["failed", 4, noon + 10 * second]);
  assert.equal(ended.adoptedAt, undefined);
  assert.ok(t.logLines(ended).includes("last words"));
  assert.deepEqual(t.engine.takenOver, { adopted: 0, endedMeanwhile: 2 });
  assert.deepEqual([t.engine.getRun(other.id).endReason, t.engine.getRun(other.id).exitCode], [
    "crashed",
    139,
  ]);
  assert.equal(t.engine.getRun(queued.id).status, "running");
  // Its retry was due while nobody was there.
  await t.clock.advance(0);
  assert.deepEqual(t.outcomes("t"), ["failed", "running"]);
  assert.ok(t.said.includes("info took over no run, 2 had ended meanwhile"));
});

Deno.test("a timeout counts from the true start", async () => {
  await using t = await keepingEngine({ units: [task({ name: "t", timeout: 2 * minute })] });
  const run = t.engine.run("t", api);
  await live(t, minute);
  await t.clock.advance(minute - second);
  assert.equal(t.engine.getRun(run.id).status, "running");
  await t.clock.advance(second);
  assert.deepEqual(t.engine.getRun(run.id).endReason, "timeout");
  const late = t.engine.run("t", api);
  await live(t, hour);
  await t.clock.advance(0);
  assert.equal(t.engine.getRun(late.id).endReason, "timeout");
});

Deno.test("what clearing up after a daemon takes is no time that a run or an instance gets in addition", async () => {
  await using t = await keepingEngine({
    units: [
      task({ name: "t", timeout: minute }),
      task({ name: "g", gracefulStop: minute }),
      service({ name: "s", healthyAfter: minute }),
    ],
  });
  t.processes.behave("g", { ignores: ["SIGTERM"] });
  const [run, stopped] = [t.engine.run("t", api), t.engine.run("g", api)];
  t.engine.stopRun(stopped.id);
  await settle();
  await t.crash(10 * second);
  const { dropKept } = t.processes;
  t.processes.dropKept = async () => {
    await new Promise<void>((resolve) => void t.clock.after(20 * second, resolve));
    return await dropKept.call(t.processes);
  };
  const started = t.start();
  await t.clock.advance(20 * second);
  await started;
  await t.clock.advance(30 * second - 1);
  const ends = (): unknown[] => [run, stopped].map(({ id }) => t.engine.getRun(id).endReason);
  assert.deepEqual([ends(), t.engine.view("s").service?.state], [[undefined, undefined], "starting"]);
  await t.clock.advance(2);
  assert.deepEqual([ends(), t.engine.view("s").service?.state], [["timeout", "stopped"], "running"]);
});

Deno.test("a stop that was asked for goes on with what is left of its grace, and for the same reason", async () => {
  await using t = await keepingEngine({
    units: [task({ name: "t", gracefulStop: 30 * second, retryAttempts: 3 })],
  });
  t.processes.behave("t", { ignores: ["SIGTERM"] });
  const run = t.engine.run("t", api);
  const process = t.processes.only("t");
  t.engine.stopRun(run.id);
  await t.clock.advance(10 * second);
  await live(t, 10 * second);
  assert.deepEqual(process.signals, ["SIGTERM"]);
  await t.clock.advance(9 * second);
  assert.equal(t.engine.getRun(run.id).status, "running");
  await t.clock.advance(second);
  const ended = t.engine.getRun(run.id);
  assert.deepEqual([ended.endReason, ended.exitCode, ended.error], [
    "stopped",
    137,
    "it was stopped on request",
  ]);
  await t.clock.advance(hour);
  assert.deepEqual(t.outcomes(), ["stopped"]);
});

Deno.test("a run that was to be asked to end, and whose daemon died before that, is asked by the next one", async () => {
  await using t = await keepingEngine({ units: [task({ name: "t", gracefulStop: 30 * second })] });
  t.processes.behave("t", { ignores: ["SIGTERM"] });
  const run = t.engine.run("t", api);
  const process = t.processes.only("t");
  const { signal } = process;
  process.signal = () => {}; // the daemon is dead by then
  const { setKept } = t.store.runs;
  let words = 0;
  t.store.runs.setKept = (id, text) => {
    if (++words === 1) setKept.call(t.store.runs, id, text);
  };
  t.engine.stopRun(run.id);
  process.signal = signal;
  t.store.runs.setKept = setKept;
  await live(t, minute);
  assert.deepEqual(process.signals, ["SIGTERM"]);
  await live(t, 10 * second);
  await t.clock.advance(19 * second);
  assert.deepEqual(process.signals, ["SIGTERM"]);
  await t.clock.advance(second);
  assert.deepEqual(process.signals, ["SIGTERM", "SIGKILL"]);
  assert.equal(t.engine.getRun(run.id).endReason, "stopped");
});

Deno.test("a kill that was under way is done again", async () => {
  await using t = await keepingEngine({ units: [task({ name: "t", gracefulStop: 0 })] });
  t.processes.behave("t", { unkillable: true });
  const run = t.engine.run("t", api);
  t.engine.stopRun(run.id);
  await settle();
  t.processes.only("t").behaviour = {};
  await live(t);
  await settle();
  assert.deepEqual([t.engine.getRun(run.id).endReason], ["stopped"]);
});

Deno.test("what ended while it was being stopped ends as stopped", async () => {
  await using t = await keepingEngine({ units: [task({ name: "t", gracefulStop: minute })] });
  t.processes.behave("t", { ignores: ["SIGTERM"] });
  const run = t.engine.run("t", api);
  t.engine.stopRun(run.id);
  await settle();
  await t.crash();
  t.processes.only("t").exit(0);
  await t.start();
  assert.equal(t.engine.getRun(run.id).endReason, "stopped");
});

Deno.test("a stop is written down before its signal is sent, and a database that refuses that holds it up for nothing", async () => {
  await using t = await keepingEngine({ units: [task({ name: "t" })] });
  const run = t.engine.run("t", api);
  await settle();
  const { setKept } = t.store.runs;
  const tries: string[] = [];
  t.store.runs.setKept = () => {
    tries.push(t.processes.launched[0]!.signals.join());
    throw new Error("locked");
  };
  t.engine.stopRun(run.id);
  t.store.runs.setKept = setKept;
  await settle();
  assert.deepEqual(tries, ["", "SIGTERM"]); // that it was sent is written down, too
  assert.equal(t.engine.getRun(run.id).endReason, "stopped");
  assert.ok(t.said.some((line) => line.startsWith("error cannot store how a run stands")));
});

Deno.test("runs that were taken over hold their slots and their place at the gate, and the queue waits for them", async () => {
  const jitter = 10 * minute;
  await using t = await keepingEngine({
    units: [task({ name: "a", cron: "* * * * *", jitter }), task({ name: "b", cron: "1 * * * *", jitter })],
    now: noon - second,
  });
  await t.clock.advance(second);
  assert.deepEqual([t.outcomes("a"), t.outcomes("b")], [["running"], []]);
  await live(t, second);
  await t.clock.advance(minute);
  assert.deepEqual([t.outcomes("a"), t.outcomes("b")], [["running", "pending"], ["pending"]]);
  t.processes.only("a").exit(0);
  await settle();
  assert.deepEqual([t.outcomes("a"), t.outcomes("b")], [["success", "running"], ["pending"]]);
});

Deno.test("a missed tick is made up for once what had ended meanwhile is dealt with", async () => {
  await using t = await keepingEngine({
    units: [task({ name: "t", cron: "* * * * *", onOverlap: "skip", catchUp: "latest" })],
    now: noon - second,
  });
  await t.clock.advance(second);
  await t.crash();
  t.processes.only("t").exit(0);
  t.clock.stall(5 * minute);
  await t.start();
  assert.deepEqual(t.outcomes("t").filter((word) => word === "skipped"), []);
  assert.equal(t.outcomes("t").at(-1), "running");
});

Deno.test("a run finishes under the definition that it was started with, though its task is another now, or gone", async () => {
  const old = task({ name: "t", exitCodes: [0, 7], secrets: { TOKEN: "very-secret-word" } });
  await using t = await keepingEngine({ units: [old, task({ name: "gone", failures: failures("failed") })] });
  const run = t.engine.run("t", api);
  const gone = t.engine.run("gone", api);
  await settle();
  await t.crash();
  t.config = configOf([task({ name: "t", exitCodes: [0], secrets: { TOKEN: "another-secret" } })]);
  await t.start();
  t.processes.only("t").print("it is very-secret-word\n");
  t.processes.only("t").exit(7);
  t.processes.only("gone").exit(1);
  await settle();
  assert.equal(t.engine.getRun(run.id).endReason, "success");
  assert.ok(!t.logLines(t.engine.getRun(run.id)).join().includes("very-secret-word"));
  assert.deepEqual([t.engine.getRun(gone.id).endReason, t.engine.getRun(gone.id).isFailure], [
    "failed",
    true,
  ]);
});

Deno.test("a line that matched an output rule before the daemon died still counts", async () => {
  await using t = await keepingEngine({ units: [task({ name: "t", failures: failures("output:BAD") })] });
  const run = t.engine.run("t", api);
  t.processes.only("t").print("BAD\nand more\n");
  await t.clock.advance(second);
  await live(t);
  t.processes.only("t").exit(0);
  await settle();
  assert.deepEqual([t.engine.getRun(run.id).endReason, t.engine.getRun(run.id).isFailure], ["failed", true]);
});

Deno.test("an instance stays as it was: healthy, with its failed starts, and what depends on it starts", async () => {
  const db = service({ name: "db", healthyAfter: 10 * second });
  await using t = await keepingEngine({ units: [db] });
  await t.clock.advance(10 * second);
  assert.equal(t.engine.view("db").service?.state, "running");
  await settle();
  await t.crash(minute);
  t.config = configOf([db, service({ name: "web", dependsOn: ["db"] })]);
  await t.start();
  assert.equal(t.engine.view("db").service?.state, "running");
  assert.deepEqual([t.processes.count("db"), t.processes.count("web")], [1, 1]);
  assert.equal(t.runs("db")[0]!.adoptedAt, noon + 70 * second);
});

Deno.test("failed starts go on being counted over the death of a daemon", async () => {
  await using t = await keepingEngine({
    units: [service({ name: "s", startRetries: 2, restartDelay: second })],
  });
  for (let n = 0; n < 2; n++) {
    t.processes.only("s").exit(1);
    await t.clock.advance(n === 0 ? second : 2 * second);
  }
  assert.equal(t.processes.count("s"), 3);
  await live(t, second);
  t.processes.only("s").exit(1);
  await settle();
  assert.equal(t.engine.view("s").service?.state, "fatal");
  assert.deepEqual(t.outcomes("s"), ["failed", "failed", "start_failed"]);
});

Deno.test("healthy_after counts from the true start, and what ended meanwhile is judged by how long it lived", async () => {
  await using t = await keepingEngine({
    units: [
      service({ name: "a", healthyAfter: 20 * second }),
      service({ name: "b", healthyAfter: 20 * second }),
    ],
  });
  await t.clock.advance(5 * second);
  await t.crash(5 * second);
  t.processes.only("b").exit(0);
  t.clock.stall(5 * second);
  await t.start();
  assert.equal(t.engine.view("b").service?.instances[0]?.failedStarts, 1); // it lived for 10 s
  assert.equal(t.engine.view("b").service?.state, "backing_off");
  await t.clock.advance(4 * second);
  assert.equal(t.engine.view("a").service?.state, "starting");
  await t.clock.advance(second);
  assert.equal(t.engine.view("a").service?.state, "running");
});

Deno.test("a health check goes on, and what was healthy stays so until the check says otherwise", async () => {
  const probe = check({ kind: "http", url: "http://127.0.0.1:1/" }, { retries: 1, interval: 10 * second });
  await using t = await keepingEngine({ units: [service({ name: "s", healthCheck: probe })] });
  t.net.answer("http://127.0.0.1:1/", { result: "passed" });
  await t.clock.advance(second);
  assert.equal(t.engine.view("s").service?.state, "running");
  await live(t);
  assert.equal(t.engine.view("s").service?.state, "running");
  t.net.answer("http://127.0.0.1:1/", { result: "failed", why: "nobody is there" });
  await t.clock.advance(30 * second);
  assert.deepEqual(t.outcomes("s")[0], "unhealthy");
});

Deno.test("a service whose definition changed meanwhile is recycled, one that only changed otherwise is not", async () => {
  await using t = await keepingEngine({
    units: [service({ name: "a", instances: 2 }), service({ name: "b" })],
  });
  await t.clock.advance(5 * second);
  await t.crash(minute);
  t.config = configOf([
    service({ name: "a", instances: 2, run: "other" }),
    service({ name: "b", description: "x", survive: false }),
  ]);
  await t.start();
  assert.equal(t.processes.count("a"), 3); // one at a time
  await t.clock.advance(minute);
  assert.deepEqual(t.processes.alive("a").map(({ spec }) => spec.script), ["other", "other"]);
  assert.deepEqual(t.outcomes("a").toSorted(), ["running", "running", "stopped", "stopped"]);
  assert.deepEqual([t.processes.count("b"), t.outcomes("b")], [1, ["running"]]);
});

Deno.test("a service that is gone, and an instance too many, are stopped; one without autostart stays up", async () => {
  await using t = await keepingEngine({
    units: [service({ name: "gone" }), service({ name: "many", instances: 3 }), service({ name: "manual" })],
  });
  await t.clock.advance(5 * second);
  await t.crash();
  t.config = configOf([
    service({ name: "many", instances: 1 }),
    service({ name: "manual", autostart: false }),
  ]);
  await t.start();
  await t.clock.advance(second);
  assert.deepEqual(t.outcomes("gone"), ["stopped"]);
  assert.deepEqual(t.outcomes("many"), ["running", "stopped", "stopped"]);
  assert.deepEqual(t.outcomes("manual"), ["running"]);
  assert.deepEqual(t.engine.debug().instances.map(({ service, index }) => `${service} ${index}`), [
    "manual 0",
    "many 0",
  ]);
});

Deno.test("a service that somebody stopped, or restarted, ends as it was wanted", async () => {
  await using t = await keepingEngine({
    units: ["down", "again"].map((name) => service({ name, gracefulStop: minute })),
  });
  for (const name of ["down", "again"]) t.processes.only(name).behaviour = { ignores: ["SIGTERM"] };
  await t.clock.advance(5 * second);
  void t.engine.stopUnit("down");
  t.engine.restartUnit("again", api);
  await live(t, second);
  for (const name of ["down", "again"]) t.processes.only(name).exit(0);
  await settle();
  assert.deepEqual([t.outcomes("down"), t.outcomes("again")], [["stopped"], ["stopped", "running"]]);
});

Deno.test("what a daemon was killed over while it stopped is ended, and started by the next one", async () => {
  await using t = await keepingEngine({ units: [service({ name: "s", gracefulStop: 5 * second })] });
  t.processes.only("s").behaviour = { ignores: ["SIGTERM"] };
  await t.clock.advance(5 * second);
  void t.engine.stop();
  await live(t, second);
  assert.deepEqual(t.outcomes("s"), ["running"]);
  await t.clock.advance(5 * second);
  assert.deepEqual(t.outcomes("s"), ["daemon_stopped", "running"]);
});

Deno.test("what a daemon was killed over while it stopped stays down where the configuration does not start it, whatever is reloaded", async () => {
  const manual = service({ name: "s", autostart: false, gracefulStop: 5 * second });
  await using t = await keepingEngine({ units: [manual] });
  t.engine.startUnit("s", api);
  t.processes.only("s").behaviour = { ignores: ["SIGTERM"] };
  await t.clock.advance(5 * second);
  void t.engine.stop();
  await live(t, second);
  t.config = configOf([{ ...manual, run: "other" }]);
  await t.engine.reload({ dryRun: false });
  await t.clock.advance(minute);
  assert.deepEqual(t.outcomes("s"), ["daemon_stopped"]);
});

Deno.test("a handover ends instances that can't outlive the daemon, and none beside them", async () => {
  await using t = await keepingEngine({ units: [service({ name: "s" })] });
  const kept = t.processes.only("s");
  t.config = configOf([service({ name: "s", instances: 2, survive: false })]);
  await t.engine.reload({ dryRun: false });
  await t.clock.advance(5 * second);
  assert.equal(t.processes.alive("s").length, 2);
  t.engine.handOver();
  await t.engine.handedOver;
  assert.deepEqual([t.outcomes("s").toSorted(), kept.signals], [["daemon_stopped", "running"], []]);
  await t.engine.leave();
  await live(t, second);
  assert.deepEqual([kept.isAlive, t.processes.alive("s").length], [true, 2]);
});

Deno.test("a unit that does not survive is killed at the next start, and its run crashed", async () => {
  await using t = await keepingEngine({ units: [service({ name: "s", survive: false })] });
  assert.equal(t.processes.only("s").spec.keep, undefined);
  await live(t);
  assert.deepEqual(t.outcomes("s"), ["crashed", "running"]);
});

Deno.test("a forged nonce, a definition of another unit, and a row of another kind take over nothing", async () => {
  for (const what of ["nonce", "about", "kind"]) {
    await using t = await keepingEngine({ units: [task({ name: "t" })] });
    const run = t.engine.run("t", api);
    await settle();
    await t.crash();
    if (what === "kind") t.config = configOf([service({ name: "t", autostart: false })]);
    t.processes.altered = (kept) =>
      kept.map((one) => ({
        ...one,
        ...(what === "nonce" ? { nonce: "0".repeat(32) } : { about: what === "about" ? '{"unit":{}}' : "" }),
      }));
    await t.start();
    // The task of today will do where how it was started can't be told.
    assert.equal(t.engine.getRun(run.id).status, what === "about" ? "running" : "ended", what);
    assert.equal(t.processes.alive().length, what === "about" ? 1 : 0, what);
    if (what !== "about") assert.equal(t.engine.getRun(run.id).exitCode, -2);
  }
});

Deno.test("a run of which two ends are told ends once", async () => {
  await using t = await keepingEngine({ units: [task({ name: "t" })] });
  const run = t.engine.run("t", api);
  await settle();
  await t.crash();
  t.processes.only("t").exit(5);
  t.processes.altered = (
    kept,
  ) => [...kept, ...kept.map((one) => ({ ...one, ended: { exit: { code: 6 }, at: noon } }))];
  await t.start();
  assert.equal(t.engine.getRun(run.id).exitCode, 5);
  assert.deepEqual(t.engine.takenOver, { adopted: 0, endedMeanwhile: 1 });
});

Deno.test("an adoption that fails costs that run alone", async () => {
  await using t = await keepingEngine({ units: [task({ name: "t" }), service({ name: "s" })] });
  t.engine.run("t", api);
  await settle();
  await t.crash();
  const { adopt } = t.processes;
  t.processes.adopt = (runId, sink, positions) => {
    if (runId === t.runs("t")[0]!.id) throw new Error("no helper");
    return adopt.call(t.processes, runId, sink, positions);
  };
  await t.start();
  assert.deepEqual([t.outcomes("t"), t.outcomes("s")], [["crashed"], ["running"]]);
  assert.deepEqual([t.processes.alive("t").length, t.processes.alive("s").length], [0, 1]);
  assert.ok(t.said.includes("error a run can't be taken over"));
});

Deno.test("a machine that does not tell what was left holds a start up for a while only", async () => {
  await using t = await keepingEngine({ units: [service({ name: "s" })] });
  await settle();
  await t.crash();
  t.processes.findKept = () => new Promise(() => {});
  const started = t.start();
  await t.clock.advance(2 * minute);
  await started;
  assert.deepEqual(t.outcomes("s"), ["crashed", "running"]);
  assert.ok(t.said.some((line) => line.startsWith("error cannot tell which runs outlived")));
});

Deno.test("a database that refuses at the take-over keeps no run from going on, and has it all in the end", async () => {
  await using t = await keepingEngine({ units: [service({ name: "s" })] });
  await settle();
  await t.crash();
  const { update } = t.store.runs;
  t.store.runs.update = () => {
    throw new Error("locked");
  };
  await t.start();
  assert.equal(t.processes.alive("s").length, 1);
  assert.equal(t.runs("s")[0]!.adoptedAt, undefined);
  t.store.runs.update = update;
  await t.clock.advance(second);
  assert.equal(t.runs("s")[0]!.adoptedAt, noon);
});

Deno.test("a daemon that can't start leaves what outlived another as it was", async () => {
  await using t = await keepingEngine({
    units: [service({ name: "s" }), task({ name: "t", survive: false })],
  });
  t.engine.run("t", api);
  await settle();
  await t.crash();
  const { update } = t.store.runs;
  t.store.runs.update = (run) => {
    if (run.status === "ended") throw new Error("locked");
    update.call(t.store.runs, run);
  };
  await assert.rejects(t.start(), /locked/);
  assert.deepEqual(t.processes.only("s").signals, []);
  t.store.runs.update = update;
  await t.crash();
  await t.start();
  assert.deepEqual(t.outcomes("s"), ["running"]);
});

Deno.test("a run goes on through the death of one daemon after the other", async () => {
  await using t = await keepingEngine({ units: [task({ name: "t" })] });
  const run = t.engine.run("t", api);
  for (let n = 1; n <= 3; n++) {
    t.processes.only("t").print(`${n}\n`);
    await live(t);
    assert.equal(t.engine.getRun(run.id).adoptedAt, noon + n * minute);
  }
  t.processes.only("t").exit(0);
  await settle();
  assert.deepEqual(t.outcomes(), ["success"]);
  assert.deepEqual(t.logLines(t.engine.getRun(run.id)).filter((line) => !line.startsWith("[")), [
    "1",
    "2",
    "3",
  ]);
});

Deno.test("what a daemon that stops can't end is left to the next one, which goes on with ending it", async () => {
  await using t = await keepingEngine({ units: [task({ name: "t", gracefulStop: 0 })] });
  t.processes.behave("t", { unkillable: true });
  const run = t.engine.run("t", api);
  await t.stop();
  assert.equal(t.processes.only("t").isDismissed, false);
  await t.crash();
  t.processes.only("t").behaviour = {};
  await t.start();
  await settle();
  assert.equal(t.engine.getRun(run.id).endReason, "daemon_stopped");
});

Deno.test("a container of a client that was taken over is left alone, and removed at its end", async () => {
  const compose = { file: "/c.yml", projectName: "p", service: "web" };
  await using t = await keepingEngine({ units: [service({ name: "c", compose, restart: "never" })] });
  await live(t);
  assert.deepEqual([t.removed, t.outcomes("c")], [[], ["running"]]);
  t.processes.only("c").exit(0);
  await settle();
  assert.deepEqual([t.removed, t.outcomes("c")], [[t.runs("c")[0]!.id], ["success"]]);
});

Deno.test("a row of a copied data folder touches no process, and one whose run got no keeper speaks for its own", async () => {
  await using t = await keepingEngine({
    units: [service({ name: "copied" }), service({ name: "unkept" })],
    before: (t) => t.processes.behave("unkept", { unkept: true }),
  });
  const [copied, unkept] = ["copied", "unkept"].map((name) => t.processes.only(name));
  await t.clock.advance(second);
  await t.crash(second);
  t.processes.groups = { ...t.processes.groups, available: false };
  t.processes.findKept = () => Promise.resolve([]);
  t.processes.dropKept = () => Promise.resolve({ killed: [], left: [] });
  await t.start();
  assert.deepEqual([t.outcomes("copied"), t.outcomes("unkept")], [["crashed", "running"], [
    "crashed",
    "running",
  ]]);
  assert.deepEqual([copied!.isAlive, unkept!.isAlive], [true, false]);
});

Deno.test("a run that gets no keeper is not started where the database refuses to say so", async () => {
  await using t = await keepingEngine({
    units: [task({ name: "t" })],
    before: (t) => t.processes.behave("t", { unkept: true }),
  });
  const { begin } = t.store.runs;
  t.store.runs.begin = (run, kept) => {
    if (kept === undefined) throw new Error("locked");
    begin.call(t.store.runs, run, kept);
  };
  const run = t.engine.run("t", api);
  await settle();
  t.store.runs.begin = begin;
  // A row that speaks of a keeper would keep the next daemon from ending it: there would be two.
  assert.deepEqual(t.processes.launched, []);
  const ended = t.engine.getRun(run.id);
  assert.deepEqual([ended.endReason, ended.error], ["start_failed", "locked"]);
});

Deno.test("no timeout comes before an end that was known all the time", async () => {
  await using t = await keepingEngine({ units: [task({ name: "t", timeout: minute })] });
  const run = t.engine.run("t", api);
  await settle();
  await t.crash(second);
  const process = t.processes.only("t");
  process.exit(0);
  process.adopt = () => {}; // whoever goes on with it tells nothing of it
  t.clock.stall(hour);
  const started = t.start();
  await t.clock.advance(10 * second);
  await started;
  const { endReason, endedAt } = t.engine.getRun(run.id);
  assert.deepEqual([endReason, endedAt], ["success", noon + second]);
});

Deno.test("the end of a run that was taken over waits for all that it wrote, but not for a stray that never ends", async () => {
  await using t = await keepingEngine({ units: [task({ name: "t" }), task({ name: "stray" })] });
  for (const name of ["t", "stray"]) {
    t.processes.behave(name, { holdsPipes: true });
    t.engine.run(name, api);
  }
  const [one, stray] = ["t", "stray"].map((name) => t.processes.only(name));
  await settle();
  await t.crash(second);
  one!.exit(0);
  stray!.exit(0);
  const started = t.start();
  for (let n = 1; n <= 100; n++) {
    if (n <= 5) one!.print(`${n}\n`);
    stray!.print("more\n");
    await t.clock.advance(second);
    if (n === 5) assert.deepEqual(t.outcomes("t"), ["running"]);
    if (n === 10) assert.deepEqual([t.outcomes("t"), t.outcomes("stray")], [["success"], ["running"]]);
  }
  await started;
  assert.deepEqual(t.outcomes("stray"), ["success"]);
  assert.deepEqual(t.logLines(t.runs("t")[0]!).filter((line) => !line.startsWith("[")), [
    "1",
    "2",
    "3",
    "4",
    "5",
  ]);
});

Deno.test("what an earlier daemon masked is masked in what its runs write under the next", async () => {
  await using t = await keepingEngine({
    units: [task({ name: "t" })],
    before: (t) => {
      t.processes.variables.TOKEN = "the-first-token";
      t.config = { ...t.config, secretVariables: ["TOKEN"] };
    },
  });
  const run = t.engine.run("t", api);
  await settle();
  await t.crash();
  t.processes.variables.TOKEN = "the-second-token";
  await t.start();
  t.processes.only("t").print("the-first-token the-second-token end\n");
  t.processes.only("t").exit(0);
  await settle();
  const lines = t.logLines(t.engine.getRun(run.id)).join("\n");
  assert.doesNotMatch(lines, /-token/);
  assert.match(lines, / end/);
});
