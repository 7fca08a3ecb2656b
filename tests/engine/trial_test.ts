import assert from "node:assert/strict";
import { Fault } from "../../src/fault.ts";
import { settle } from "../support/fake_clock.ts";
import { makeEngine, type Setup, type TestEngine } from "../support/make_engine.ts";
import { minute, noon, second, service, task } from "../support/units.ts";

const api = { trigger: "api" } as const;
const trial = { trial: { ms: minute, confirmed: () => {} } };

/** An engine on a machine where runs outlive it. */
function keepingEngine(setup: Setup): Promise<TestEngine> {
  return makeEngine({ ...setup, before: (t) => t.processes.keeping = { available: true } });
}

/** A daemon that has handed over; `away` ms later there is the next one, on trial. */
async function upgrade(t: TestEngine, away = second): Promise<void> {
  await settle();
  await t.crash(away);
  await t.start(trial);
}

Deno.test("a daemon on trial takes over and starts nothing, until it is confirmed", async () => {
  await using t = await keepingEngine({
    units: [
      task({ name: "long" }),
      service({ name: "web" }),
      task({ name: "soon", cron: "* * * * *" }),
      task({ name: "boot", runOnStart: true }),
    ],
  });
  const run = t.engine.run("long", api);
  const queued = t.engine.run("long", api);
  await settle();
  const web = t.runs("web")[0]!;
  const [long, webs, boot] = ["long", "web", "boot"].map((unit) => t.processes.only(unit));
  const begun = t.processes.launched.length;
  await upgrade(t);
  assert.deepEqual([t.engine.trial?.leftBehind, t.engine.takenOver.adopted], [0, 3]);
  assert.equal(t.engine.isScheduling, false);
  assert.throws(() => t.engine.run("long", api), (error: Fault) => /on trial/.test(error.message));
  for (const process of [long!, webs!, boot!]) process.exit(3);
  await t.clock.advance(30 * second);
  assert.equal(t.processes.launched.length, begun, "nothing was started");
  assert.deepEqual([run, web].map(({ id }) => t.engine.getRun(id).status), ["running", "running"]);
  assert.equal(long!.isDismissed, false, "its keeper still knows how it ended");
  await t.engine.confirm();
  await settle();
  assert.equal(t.engine.trial, undefined);
  const ended = [run, web].map(({ id }) => t.engine.getRun(id));
  assert.deepEqual(ended.map(({ endReason, endedAt }) => [endReason, endedAt]), [
    ["failed", noon + second],
    ["failed", noon + second],
  ]);
  assert.equal(t.engine.getRun(queued.id).status, "running");
  assert.ok(t.engine.isScheduling);
  assert.deepEqual(t.outcomes("boot"), ["failed", "running"]);
});

Deno.test("ticks that come while a daemon is on trial are late, not missed; those before it are missed", async () => {
  await using t = await keepingEngine({
    units: [task({ name: "t", cron: "* * * * *", catchUp: "skip", maxConcurrent: 5 })],
  });
  await upgrade(t, 90 * second);
  await t.clock.advance(50 * second);
  assert.deepEqual(t.outcomes(), []);
  await t.engine.confirm();
  await t.clock.advance(0);
  const runs = t.runs().map(({ createdAt, endReason, status }) => [createdAt - noon, endReason ?? status]);
  assert.deepEqual(runs, [[minute, "missed"], [2 * minute, "running"]]);
});

Deno.test("a daemon on trial counts the clocks of what it took over from their true start", async () => {
  await using t = await keepingEngine({ units: [task({ name: "t", timeout: 40 * second })] });
  const run = t.engine.run("t", api);
  await upgrade(t, 10 * second);
  await t.clock.advance(20 * second);
  await t.engine.confirm();
  await t.clock.advance(9 * second);
  assert.equal(t.engine.getRun(run.id).status, "running");
  await t.clock.advance(second);
  await settle();
  assert.equal(t.engine.getRun(run.id).endReason, "timeout");
});

Deno.test("a trial that nobody confirms is over after a while", async () => {
  await using t = await keepingEngine({ units: [service({ name: "web" })] });
  await settle();
  await upgrade(t);
  t.processes.only("web").exit(1);
  await t.clock.advance(minute);
  assert.equal(t.engine.trial, undefined);
  assert.ok(t.said.some((line) => /^warn nobody has confirmed the upgrade/.test(line)));
  await t.clock.advance(10 * second);
  assert.deepEqual(t.outcomes("web"), ["failed", "running"]);
});

Deno.test("a trial ends though its mark stays, and the mark goes when all has begun", async () => {
  await using t = await keepingEngine({ units: [task({ name: "boot", runOnStart: true })] });
  await settle();
  await t.crash(second);
  const begun: string[] = [];
  const confirmed = (): never => {
    begun.push(...t.outcomes("boot"));
    throw new Fault("internal", "it is read-only");
  };
  await t.start({ trial: { ms: minute, confirmed } });
  await t.engine.confirm();
  await t.engine.confirm();
  assert.equal(t.engine.trial, undefined);
  assert.equal(begun.length, 2, "it has been marked once, after what it starts");
  assert.ok(t.said.includes("error the next daemon will be on trial again"));
});

Deno.test("who was on trial and hands over leaves all to the next as if it had never been", async () => {
  await using t = await keepingEngine({ units: [task({ name: "t" }), task({ name: "u" })] });
  const [run, other] = [t.engine.run("t", api), t.engine.run("u", api)];
  await upgrade(t);
  t.processes.only("t").exit(4);
  await settle();
  t.engine.handOver();
  await t.engine.handedOver;
  await t.engine.leave();
  await t.crash(second);
  await t.start();
  assert.deepEqual(t.engine.takenOver, { adopted: 1, endedMeanwhile: 1 });
  const ended = t.engine.getRun(run.id);
  assert.deepEqual([ended.endReason, ended.exitCode], ["failed", 4]);
  assert.equal(t.engine.getRun(other.id).status, "running");
});

Deno.test("who is stopped on trial stops what it took over", async () => {
  await using t = await keepingEngine({ units: [service({ name: "web" })] });
  await settle();
  await upgrade(t);
  const stopped = t.engine.stop();
  await settle();
  await t.clock.advance(minute);
  await stopped;
  assert.deepEqual(t.outcomes("web"), ["daemon_stopped"]);
});

Deno.test("a daemon on trial ends nothing of what it can't take over before it is confirmed", async () => {
  await using t = await keepingEngine({ units: [task({ name: "t" })] });
  const run = t.engine.run("t", api);
  await settle();
  await t.crash(second);
  t.processes.findKept = () => Promise.resolve([]);
  await t.start(trial);
  assert.equal(t.engine.trial?.leftBehind, 1);
  assert.equal(t.engine.getRun(run.id).status, "running");
  await t.engine.confirm();
  assert.equal(t.engine.getRun(run.id).endReason, "crashed");
});
