import assert from "node:assert/strict";
import { settle } from "../support/fake_clock.ts";
import { makeEngine, type Setup, type TestEngine } from "../support/make_engine.ts";
import { minute, second, service, task } from "../support/units.ts";

const api = { trigger: "api" } as const;

function keepingEngine(setup: Setup): Promise<TestEngine> {
  return makeEngine({ ...setup, before: (t) => void (t.processes.keeping = { available: true }) });
}

/** Whether a promise has resolved by now. */
async function isDone(promise: Promise<void>): Promise<boolean> {
  let done = false;
  void promise.then(() => done = true);
  await settle();
  return done;
}

Deno.test("a handover ends what can't outlive the daemon, in order, and leaves the rest to the next one", async () => {
  await using t = await keepingEngine({
    units: [
      service({ name: "web" }),
      service({ name: "db", survive: false }),
      service({ name: "app", survive: false, dependsOn: ["db"] }),
      task({ name: "t" }),
      task({ name: "m", survive: false }),
    ],
  });
  await t.clock.advance(10 * second);
  const [run, mortal] = [t.engine.run("t", api), t.engine.run("m", api)];
  const queued = t.engine.run("t", api);
  await settle();
  for (const name of ["db", "app", "m"]) t.processes.only(name).behaviour = { ignores: ["SIGTERM"] };
  t.engine.handOver();
  t.engine.handOver();
  assert.equal(t.engine.isScheduling, false);
  assert.throws(() => t.engine.run("t", api), /handing over/);
  assert.deepEqual(t.processes.only("app").signals, ["SIGTERM"]);
  assert.deepEqual(t.processes.only("db").signals, []);
  t.processes.only("app").exit(0);
  await settle();
  assert.deepEqual(t.processes.only("db").signals, ["SIGTERM"]);
  t.processes.only("db").exit(0);
  await settle();
  assert.equal(await isDone(t.engine.handedOver), false);
  t.processes.only("m").exit(0);
  assert.equal(await isDone(t.engine.handedOver), true);
  assert.equal(t.engine.getRun(mortal.id).endReason, "daemon_stopped");
  await t.engine.leave();
  t.processes.only("t").print("while it leaves\n");
  await t.crash(second);
  assert.deepEqual([t.processes.only("web").signals, t.processes.only("t").signals], [[], []]);
  await t.start();
  assert.deepEqual(t.engine.takenOver, { adopted: 2, endedMeanwhile: 0 });
  assert.equal(t.engine.getRun(run.id).status, "running");
  assert.equal(t.engine.getRun(queued.id).status, "pending");
  assert.ok(t.logLines(t.engine.getRun(run.id)).includes("while it leaves"));
  // What was stopped for it comes back.
  await t.clock.advance(minute);
  assert.equal(t.processes.alive("db").length, 1);
});

Deno.test("a handover waits no longer than a stop for what does not end", async () => {
  await using t = await keepingEngine({
    units: [task({ name: "m", survive: false, gracefulStop: 10 * minute })],
    daemon: { shutdownTimeout: 30 * second },
  });
  t.processes.behave("m", { ignores: ["SIGTERM"] });
  const run = t.engine.run("m", api);
  t.engine.handOver();
  await t.clock.advance(29 * second);
  assert.equal(await isDone(t.engine.handedOver), false);
  await t.clock.advance(second);
  assert.equal(await isDone(t.engine.handedOver), true);
  assert.equal(t.engine.getRun(run.id).endReason, "daemon_stopped");
});

Deno.test("a stop of a daemon that hands over ends everything all the same", async () => {
  await using t = await keepingEngine({ units: [service({ name: "web" }), task({ name: "t" })] });
  t.engine.run("t", api);
  await settle();
  t.engine.handOver();
  await t.engine.stop();
  assert.deepEqual([t.processes.alive("web").length, t.processes.alive("t").length], [0, 0]);
});
