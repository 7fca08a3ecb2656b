import assert from "node:assert/strict";
import { settle } from "../support/fake_clock.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { hour, minute, noon, second, service } from "../support/units.ts";

const api = { trigger: "api" } as const;

function state(t: TestEngine, name = "s"): string {
  return t.engine.view(name).service!.state;
}

/** Ends the one process of a service as soon as it runs, and answers how long after its last end it came, in ms. */
async function nextStart(t: TestEngine, name = "s", code = 1): Promise<number> {
  const before = t.processes.count(name);
  const from = t.clock.now();
  t.processes.only(name).exit(code);
  await settle();
  for (let i = 0; t.processes.count(name) === before; i++) {
    if (i > 700) return Infinity;
    await t.clock.advance(100);
  }
  return t.clock.now() - from;
}

Deno.test("Services starts each instance as a run of its own and calls it healthy after healthy_after", async () => {
  await using t = await makeEngine({ units: [service({ name: "s", instances: 3, healthyAfter: 5000 })] });
  assert.deepEqual(t.processes.launched.map(({ spec }) => spec.env.SVC_INSTANCE), ["0", "1", "2"]);
  assert.deepEqual(t.runs().map(({ trigger, instance }) => [trigger, instance]), [
    ["service", 0],
    ["service", 1],
    ["service", 2],
  ]);
  assert.equal(state(t), "starting");
  await t.clock.advance(4999);
  assert.equal(state(t), "starting");
  await t.clock.advance(1);
  assert.equal(state(t), "running");
  assert.equal(t.engine.view("s").service!.healthyInstances, 3);
  t.processes.alive("s")[1]!.exit(1);
  await settle();
  assert.equal(state(t), "degraded");
});

Deno.test("Services waits longer after each failed start in a row, 60 s at most, and starts over after a healthy life", async () => {
  await using t = await makeEngine({ units: [service({ name: "s", restartDelay: 1000 })] });
  const waits: number[] = [];
  for (let i = 0; i < 8; i++) waits.push(await nextStart(t));
  assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  await t.clock.advance(5 * second);
  assert.equal(state(t), "running");
  assert.equal(await nextStart(t), 1000);
  assert.equal(await nextStart(t), 1000);
});

Deno.test("Services counts any fast end as a failed start, whatever its code", async () => {
  await using t = await makeEngine({
    units: [service({ name: "s", restartDelay: 1000, restartBackoff: "linear" })],
  });
  const waits: number[] = [];
  for (let i = 0; i < 3; i++) waits.push(await nextStart(t, "s", 0));
  assert.deepEqual(waits, [1000, 2000, 3000]);
  assert.deepEqual(t.outcomes(), ["success", "success", "success", "running"]);
});

Deno.test("Services says after the third failed start that a service is failing", async () => {
  await using t = await makeEngine({ units: [service({ name: "s" })] });
  await nextStart(t);
  await nextStart(t);
  assert.ok(!t.said.some((line) => line.includes("fails to start")));
  await nextStart(t);
  assert.equal(t.said.filter((line) => line.includes("fails to start")).length, 1);
});

Deno.test("Services gives up after more than start_retries failed starts; the last row is start_failed with its exit code", async () => {
  await using t = await makeEngine({ units: [service({ name: "s", startRetries: 2 })] });
  await nextStart(t);
  await nextStart(t);
  assert.equal(await nextStart(t, "s", 7), Infinity);
  assert.deepEqual(t.outcomes(), ["failed", "failed", "start_failed"]);
  assert.equal(t.runs()[2]!.exitCode, 7);
  assert.equal(t.runs()[2]!.isFailure, true);
  assert.equal(state(t), "fatal");
  t.engine.startUnit("s", api);
  assert.equal(state(t), "starting");
  assert.equal(await nextStart(t), 1000, "a start by hand resets the count");
});

Deno.test("Services takes start_retries = 0 as no second try", async () => {
  await using t = await makeEngine({ units: [service({ name: "s", startRetries: 0 })] });
  assert.equal(await nextStart(t), Infinity);
  assert.deepEqual(t.outcomes(), ["start_failed"]);
  assert.equal(state(t), "fatal");
  t.engine.restartUnit("s", api);
  assert.equal(t.processes.count("s"), 2);
});

Deno.test("Services counts a start that is refused, also where healthy_after is 0", async () => {
  await using t = await makeEngine({
    units: [service({ name: "s", startRetries: 3, healthyAfter: 0, restartDelay: 1000 })],
    before: (it) => it.processes.behave("s", { refuses: "no such shell" }),
  });
  await t.clock.advance(600 * second);
  assert.deepEqual(t.outcomes(), ["start_failed", "start_failed", "start_failed", "start_failed"]);
  assert.equal(state(t), "fatal");
});

Deno.test("Services restarts as the policy says", async () => {
  await using t = await makeEngine({
    units: [
      service({ name: "always" }),
      service({ name: "failure", restart: "on_failure" }),
      service({ name: "never", restart: "never" }),
    ],
  });
  await t.clock.advance(5 * second);
  for (const { spec } of t.processes.alive()) t.processes.only(spec.name).exit(0);
  await t.clock.advance(5 * second);
  assert.deepEqual(t.processes.alive().map(({ spec }) => spec.name), ["always"]);
  assert.equal(state(t, "failure"), "stopped");
  t.engine.startUnit("failure", api);
  t.engine.startUnit("never", api);
  t.processes.only("failure").exit(1);
  t.processes.only("never").exit(1);
  await t.clock.advance(5 * second);
  assert.deepEqual(t.processes.alive().map(({ spec }) => spec.name).sort(), ["always", "failure"]);
});

Deno.test("Engine.stopUnit() ends every instance of a service for the daemon's life, and a restart of the daemon starts it", async () => {
  await using t = await makeEngine({ units: [service({ name: "s", instances: 2 })] });
  const stopped = t.engine.stopUnit("s");
  await settle();
  await stopped;
  assert.deepEqual(t.outcomes(), ["stopped", "stopped"]);
  assert.equal(state(t), "stopped");
  await t.clock.advance(600 * second);
  assert.equal(t.processes.alive().length, 0);
  await t.crash();
  await t.start();
  assert.equal(t.processes.alive().length, 2);
});

Deno.test("Engine.stopUnit() during a backoff ends it", async () => {
  await using t = await makeEngine({ units: [service({ name: "s" })] });
  t.processes.only("s").exit(1);
  await settle();
  assert.equal(state(t), "backing_off");
  await t.engine.stopUnit("s");
  assert.equal(state(t), "stopped");
  await t.clock.advance(600 * second);
  assert.equal(t.processes.count("s"), 1);
});

Deno.test("Engine.restartUnit() bounces each instance, waits for no backoff, and starts a stopped one", async () => {
  await using t = await makeEngine({
    units: [service({ name: "s", instances: 2, gracefulStop: 3000 })],
    before: (it) => it.processes.behave("s", { ignores: ["SIGTERM"] }),
  });
  t.engine.restartUnit("s", api);
  await t.clock.advance(2999);
  assert.equal(t.processes.count("s"), 2, "never two copies of an instance");
  await t.clock.advance(1);
  assert.equal(t.processes.count("s"), 4);
  assert.deepEqual(t.outcomes(), ["stopped", "stopped", "running", "running"]);
  t.processes.alive("s")[0]!.exit(1);
  await settle();
  t.engine.restartUnit("s", api);
  assert.equal(t.processes.count("s"), 5, "no backoff by hand");
  void t.engine.stopUnit("s");
  await t.clock.advance(10 * second);
  t.engine.restartUnit("s", api);
  assert.equal(t.processes.alive("s").length, 2);
});

Deno.test("Engine.startUnit() of a service that is being stopped brings it up again once it has ended", async () => {
  await using t = await makeEngine({
    units: [service({ name: "s" })],
    before: (it) => it.processes.behave("s", { ignores: ["SIGTERM"] }),
  });
  void t.engine.stopUnit("s");
  t.engine.startUnit("s", api);
  assert.equal(t.processes.count("s"), 1);
  await t.clock.advance(5 * second);
  assert.equal(t.processes.only("s"), t.processes.launched[1]);
});

Deno.test("Engine.startUnit() leaves live instances alone", async () => {
  await using t = await makeEngine({ units: [service({ name: "s", instances: 2 })] });
  t.engine.startUnit("s", api);
  assert.equal(t.processes.count("s"), 2);
});

Deno.test("Engine.stopRun() on an instance leaves it down and the others up", async () => {
  await using t = await makeEngine({ units: [service({ name: "s", instances: 2 })] });
  await t.clock.advance(5 * second);
  t.engine.stopRun(t.runs().find((run) => run.instance === 1)!.id);
  await t.clock.advance(600 * second);
  assert.deepEqual(t.processes.alive("s").map(({ spec }) => spec.env.SVC_INSTANCE), ["0"]);
  assert.equal(state(t), "degraded");
  t.engine.startUnit("s", api);
  assert.equal(t.processes.alive("s").length, 2);
});

Deno.test("Services starts by priority, then name, and leaves out those with autostart = false", async () => {
  await using t = await makeEngine({
    units: [
      service({ name: "b" }),
      service({ name: "a", priority: 5 }),
      service({ name: "c", priority: -1 }),
      service({ name: "d" }),
      service({ name: "e", autostart: false }),
    ],
  });
  assert.deepEqual(t.processes.launched.map(({ spec }) => spec.name), ["c", "b", "d", "a"]);
  assert.equal(state(t, "e"), "stopped");
  t.engine.startUnit("e", api);
  assert.equal(state(t, "e"), "starting");
});

Deno.test("Services holds a service back until each of its dependencies has a healthy instance, however long", async () => {
  await using t = await makeEngine({
    units: [
      service({ name: "db", instances: 2 }),
      service({ name: "cache", healthyAfter: 60_000 }),
      service({ name: "app", dependsOn: ["db", "cache"] }),
    ],
  });
  assert.equal(state(t, "app"), "waiting");
  await t.clock.advance(59_999);
  assert.equal(state(t, "app"), "waiting");
  assert.equal(state(t, "db"), "running");
  await t.clock.advance(1);
  assert.equal(state(t, "app"), "starting");
});

Deno.test("Engine.startUnit() waits for no dependency", async () => {
  await using t = await makeEngine({
    units: [service({ name: "db", autostart: false }), service({ name: "app", dependsOn: ["db"] })],
  });
  assert.equal(state(t, "app"), "waiting");
  t.engine.startUnit("app", api);
  assert.equal(state(t, "app"), "starting");
});

Deno.test("Services restarts a service whose dependency is down: the order is for boot only", async () => {
  await using t = await makeEngine({
    units: [service({ name: "db" }), service({ name: "app", dependsOn: ["db"] })],
  });
  await t.clock.advance(5 * second);
  void t.engine.stopUnit("db");
  await settle();
  t.processes.only("app").exit(1);
  await t.clock.advance(5 * second);
  assert.equal(t.processes.count("app"), 2);
});

Deno.test("Engine.stop() ends services in reverse: dependents first, then by priority", async () => {
  await using t = await makeEngine({
    units: [
      service({ name: "db", priority: 9, gracefulStop: 1000 }),
      service({ name: "app", dependsOn: ["db"], gracefulStop: 1000 }),
      service({ name: "last", priority: -5, gracefulStop: 1000 }),
    ],
    before: (it) =>
      ["db", "app", "last"].forEach((name) => it.processes.behave(name, { ignores: ["SIGTERM"] })),
  });
  await t.clock.advance(10 * second);
  const order: string[] = [];
  t.engine.bus.subscribe((event) =>
    "run" in event && event.run.status === "ended" && order.push(event.run.unit)
  );
  const stopped = t.engine.stop();
  await t.clock.advance(1000);
  assert.deepEqual(t.processes.alive().map(({ spec }) => spec.name).sort(), ["db", "last"]);
  await t.clock.advance(9000);
  await stopped;
  assert.deepEqual(order, ["app", "db", "last"]);
  assert.deepEqual(new Set(t.outcomes()), new Set(["daemon_stopped"]));
});

Deno.test("Services tells of each life by created, started and ended, each after its row", async () => {
  await using t = await makeEngine({ units: [service({ name: "s" })] });
  const seen: string[] = [];
  t.engine.bus.subscribe((event) => {
    if ("run" in event) seen.push(`${event.type} ${t.engine.getRun(event.run.id).status}`);
  });
  t.processes.only("s").exit(1);
  await t.clock.advance(second);
  assert.deepEqual(seen, ["run.failed ended", "run.created pending", "run.started running"]);
});

Deno.test("Engine.view() names the newest run of a service", async () => {
  await using t = await makeEngine({ units: [service({ name: "s" })] });
  t.processes.only("s").exit(1);
  await t.clock.advance(second);
  assert.equal(t.engine.view("s").lastRun!.createdAt, noon + second);
});

Deno.test("Engine.stopRun() is refused for a service that is closed to requests", async () => {
  await using t = await makeEngine({ units: [service({ name: "s", apiTrigger: false })] });
  const [run] = t.runs("s");
  assert.throws(() => t.engine.stopRun(run!.id), { code: "forbidden", message: /cannot stop "s"/ });
  const stopped = t.engine.bulk.stop({ ids: [run!.id] });
  await t.clock.advance(0);
  assert.deepEqual(await stopped, { affected: 0, skipped: [] });
  assert.equal(t.processes.alive("s").length, 1);
  await t.reload([]);
  assert.equal(t.processes.alive("s").length, 0, "what was removed is stopped all the same");
});

Deno.test("Services measures how long an instance was up by a clock that nobody can set", async () => {
  await using t = await makeEngine({ units: [service({ name: "s", startRetries: 0, healthyAfter: 5000 })] });
  await t.clock.advance(minute);
  t.clock.jump(-hour);
  t.processes.only("s").exit(1);
  await t.clock.advance(second);
  assert.equal(t.processes.alive("s").length, 1, "no failed start");
  t.clock.jump(hour);
  t.processes.only("s").exit(1);
  await settle();
  assert.equal(t.engine.view("s").service?.state, "fatal");
});

Deno.test("Services calls nothing healthy whose process has ended while a stray child holds its pipes", async () => {
  await using t = await makeEngine({
    units: [service({ name: "s", healthyAfter: second }), service({ name: "after", dependsOn: ["s"] })],
    before: (it) => it.processes.behave("s", { holdsPipes: true }),
  });
  t.processes.only("s").exit(1);
  await t.clock.advance(1.5 * second);
  assert.equal(state(t), "starting");
  assert.equal(t.processes.count("after"), 0);
});

Deno.test("Engine.stop() ends the others where a service that a reload took away ends meanwhile", async () => {
  const slow = { ignores: ["SIGTERM"] };
  const gone = service({ name: "gone", gracefulStop: second });
  const stays = [
    service({ name: "last", priority: 0 }),
    service({ name: "first", priority: 9, gracefulStop: 5 * second }),
  ];
  await using t = await makeEngine({ units: [gone, ...stays] });
  t.processes.behave("first", slow);
  t.processes.behave("gone", slow);
  t.engine.restartUnit("first", api);
  t.engine.restartUnit("gone", api);
  await t.clock.advance(10 * second);
  await t.reload(stays);
  const stopped = t.engine.stop();
  await t.clock.advance(10 * second);
  await stopped;
  assert.deepEqual(t.processes.alive(), []);
});
