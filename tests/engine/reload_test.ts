import assert from "node:assert/strict";
import type { Notifier } from "../../src/types.ts";
import { settle } from "../support/fake_clock.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { minute, second, service, task } from "../support/units.ts";

const api = { trigger: "api" } as const;

function state(t: TestEngine, name = "s"): string {
  return t.engine.view(name).service!.state;
}

/** Scripts of the live processes of a unit. */
function scripts(t: TestEngine, name = "s"): string[] {
  return t.processes.alive(name).map(({ spec }) => spec.script);
}

Deno.test("Engine.reload() reports what it changes, and with dryRun changes nothing", async () => {
  await using t = await makeEngine({
    units: [task({ name: "a" }), task({ name: "b" }), service({ name: "s" })],
  });
  t.config = {
    ...t.config,
    units: [task({ name: "b", maxConcurrent: 2, run: "false" }), task({ name: "c" }), service({ name: "s" })],
  };
  const plan = await t.engine.reload({ dryRun: true });
  assert.deepEqual(plan, {
    added: ["c"],
    removed: ["a"],
    changed: [{ name: "b", reasons: ["max_concurrent", "run"] }],
  });
  assert.deepEqual(t.engine.views().map(({ unit }) => unit.name), ["a", "b", "s"]);
  assert.deepEqual(await t.engine.reload({ dryRun: false }), plan);
  assert.deepEqual(t.engine.views().map(({ unit }) => unit.name), ["b", "c", "s"]);
  assert.throws(() => t.engine.run("a", api), { code: "not_found" });
  assert.equal(t.processes.count("s"), 1, "an unchanged service is not touched");
});

Deno.test("Engine.reload() takes in that the machine's time zone has changed", async () => {
  const units = [
    task({ name: "own", cron: "0 2 * * *", timezone: "UTC" }),
    task({ name: "t", cron: "0 2 * * *" }),
  ];
  await using t = await makeEngine({ units, hostTimezone: "Asia/Tokyo" });
  const next = (name: string) =>
    new Date(t.engine.ticks(name, { count: 1, after: t.clock.now() }).ticks[0]!.at);
  assert.equal(next("t").getUTCHours(), 2, "the configuration names UTC");
  const { timezone: _, ...daemon } = t.config.daemon;
  t.config = { ...t.config, daemon };
  await t.engine.reload({ dryRun: false });
  assert.equal(next("t").getUTCHours(), 17, "a zone that is no longer named gives way to the machine's");
  t.hostTimezone = "America/New_York";
  assert.equal(next("t").getUTCHours(), 17, "only a reload takes it in");
  await t.engine.reload({ dryRun: false });
  assert.equal(t.engine.timezone, "America/New_York");
  assert.equal(next("t").getUTCHours(), 7);
  assert.equal(next("own").getUTCHours(), 2);
  assert.equal(
    t.said.filter((line) => line === "info schedules that name no time zone go by another one").length,
    2,
  );
});

Deno.test("Engine.reload() of an invalid file changes nothing and reports every problem with its place", async () => {
  await using t = await makeEngine({ units: [task({ name: "a" })] });
  t.problems = [
    { file: "/etc/test/svc.toml", line: 3, column: 7, key: "tasks.a.cron", message: "bad cron" },
    { file: "/etc/test/x.env", line: 0, column: 0, key: "", message: "no such file" },
  ];
  await assert.rejects(() => t.engine.reload({ dryRun: false }), {
    code: "invalid",
    details: [
      { location: "/etc/test/svc.toml:3:7", message: "tasks.a.cron: bad cron" },
      { location: "/etc/test/x.env", message: "no such file" },
    ],
  });
  assert.deepEqual(t.engine.views().map(({ unit }) => unit.name), ["a"]);
});

Deno.test("Engine.reload() takes no blank file for the wish to remove all that stands in it", async () => {
  await using t = await makeEngine({ units: [task({ name: "a" }), service({ name: "s" })] });
  const { path } = t.config;
  const { file } = t.config.units[0]!.place;
  t.config = { ...t.config, units: [], sources: [{ path: file, hash: "", isBlank: true }] };
  await assert.rejects(() => t.engine.reload({ dryRun: false }), {
    code: "invalid",
    message:
      `cannot reload "${path}": "${file}" is blank, and 2 of the units that run come from it; it looks cut ` +
      `off (a full disk, or it is being written), nothing was changed. To remove them all, leave a comment in it`,
  });
  assert.deepEqual(t.engine.views().map(({ unit }) => unit.name), ["a", "s"]);
  // A comment is somebody's word.
  t.config = { ...t.config, sources: [{ path: file, hash: "" }] };
  assert.deepEqual((await t.engine.reload({ dryRun: false })).removed, ["a", "s"]);
});

Deno.test("Engine.reload() refuses as a whole what only a restart can change, and names the keys", async () => {
  await using t = await makeEngine({ units: [task({ name: "a" })] });
  t.config = {
    ...t.config,
    units: [],
    daemon: { ...t.config.daemon, tls: "auto", trustedProxies: ["10.0.0.0/8"], metricsListen: "127.0.0.1:9" },
  };
  await assert.rejects(
    () => t.engine.reload({ dryRun: false }),
    (error: { code: string; message: string }) => {
      assert.equal(error.code, "invalid");
      for (const key of ["daemon.tls", "daemon.trusted_proxies", "daemon.metrics_listen"]) {
        assert.ok(error.message.includes(key), key);
      }
      return true;
    },
  );
  assert.deepEqual(t.engine.views().map(({ unit }) => unit.name), ["a"]);
});

Deno.test("Engine.reload() asks for a restart where the first notifier or ping comes in, and opens the way to a second", async () => {
  const chat = (host: string): Notifier => ({
    id: host,
    type: "slack",
    settings: { url: `https://${host}/x` },
  });
  await using t = await makeEngine({ units: [task({ name: "a" })] });
  const { config } = t;
  t.config = { ...config, notify: { ...config.notify, notifiers: [chat("one.example")] } };
  const refused = { code: "invalid", message: /notifiers\.one\.example can only change with a restart/ };
  await assert.rejects(() => t.engine.reload({ dryRun: false }), refused);
  t.config = { ...config, units: [task({ name: "a", pingUrl: "https://hc.example/1" })] };
  await assert.rejects(() => t.engine.reload({ dryRun: false }), { message: /tasks\.a\.ping_url can only/ });

  await using u = await makeEngine({ units: [task({ name: "a", pingUrl: "https://hc.example/1" })] });
  u.config = { ...u.config, notify: { ...u.config.notify, notifiers: [chat("one.example")] } };
  await u.engine.reload({ dryRun: false });
  assert.ok(u.net.allowed.includes("one.example:443"));
});

Deno.test("Engine.reload() lets active runs finish under the old definition and gives queued ones the new", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", run: "old", exitCodes: [0] })] });
  t.engine.run("t", api);
  t.engine.run("t", api);
  await t.reload([task({ name: "t", run: "new", exitCodes: [3] })]);
  assert.deepEqual(scripts(t, "t"), ["old"]);
  t.processes.only("t").exit(0);
  await settle();
  assert.deepEqual(scripts(t, "t"), ["new"]);
  t.processes.only("t").exit(3);
  await settle();
  assert.deepEqual(t.outcomes(), ["success", "success"]);
});

Deno.test("Engine.reload() starts queued runs when it raises max_concurrent", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  for (let i = 0; i < 3; i++) t.engine.run("t", api);
  await t.reload([task({ name: "t", maxConcurrent: 3 })]);
  assert.deepEqual(t.outcomes(), ["running", "running", "running"]);
});

Deno.test("Engine.reload() ends queued runs of a removed task as stopped and lets the active one finish", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t" }), task({ name: "u" })],
    daemon: { maxParallelRuns: 1 },
  });
  t.engine.run("t", api);
  const queued = t.engine.run("t", api);
  const inLine = t.engine.run("u", api);
  await t.reload([]);
  assert.deepEqual(t.outcomes("t"), ["running", "stopped"]);
  assert.equal(t.engine.getRun(inLine.id).endReason, "stopped");
  assert.deepEqual(t.eventsOf(queued.id), ["run.created", "run.completed"]);
  t.processes.only("t").exit(0);
  await settle();
  assert.deepEqual(t.outcomes("t"), ["success", "stopped"]);
});

Deno.test("Engine.reload() counts what still runs of a task that is removed and added again", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", run: "old" })] });
  t.engine.run("t", api);
  await t.reload([]);
  await t.reload([task({ name: "t", run: "new" })]);
  t.engine.run("t", api);
  assert.deepEqual(scripts(t, "t"), ["old"]);
  t.processes.only("t").exit(0);
  await settle();
  assert.deepEqual(scripts(t, "t"), ["new"]);
});

Deno.test("Engine.reload() turns a service into a task of its name, which can run once the service has ended", async () => {
  await using t = await makeEngine({ units: [service({ name: "x", run: "svc" })] });
  await t.reload([task({ name: "x", run: "job" })]);
  assert.equal(t.processes.alive().length, 0);
  t.engine.run("x", api);
  assert.deepEqual(scripts(t, "x"), ["job"]);
  t.processes.only("x").exit(0);
  await settle();
  await t.reload([service({ name: "x", run: "svc" })]);
  assert.deepEqual(scripts(t, "x"), ["svc"]);
  assert.equal(state(t, "x"), "starting");
});

Deno.test("Engine.reload() does not let the end of a former service hold a place of the task that took its name", async () => {
  await using t = await makeEngine({
    units: [service({ name: "x", run: "svc" })],
    before: (it) => it.processes.behave("x", { ignores: ["SIGTERM"] }),
  });
  await t.reload([task({ name: "x", run: "job" })]);
  t.engine.run("x", api);
  await t.clock.advance(10 * second);
  assert.deepEqual(scripts(t, "x"), ["job"]);
});

Deno.test("Engine.reload() starts a new service unless autostart is false, and stops a removed one", async () => {
  await using t = await makeEngine({ units: [service({ name: "old" })] });
  await t.reload([service({ name: "new" }), service({ name: "idle", autostart: false })]);
  assert.deepEqual(t.processes.alive().map(({ spec }) => spec.name), ["new"]);
  assert.deepEqual(t.outcomes("old"), ["stopped"]);
  assert.throws(() => t.engine.view("old"), { code: "not_found" });
});

Deno.test("Engine.reload() recycles a changed service one instance at a time, the next when the new one is healthy", async () => {
  await using t = await makeEngine({ units: [service({ name: "s", run: "old", instances: 3 })] });
  await t.clock.advance(5 * second);
  await t.reload([service({ name: "s", run: "new", instances: 3 })]);
  assert.deepEqual(scripts(t), ["old", "old", "new"]);
  await t.clock.advance(4999);
  assert.deepEqual(scripts(t), ["old", "old", "new"]);
  await t.clock.advance(1);
  assert.deepEqual(scripts(t), ["old", "new", "new"]);
  await t.clock.advance(5000);
  assert.deepEqual(scripts(t), ["new", "new", "new"]);
  await t.clock.advance(60 * second);
  assert.equal(t.processes.count("s"), 6);
});

Deno.test("Engine.reload() goes on to the next instance after 30 s, not before, when the new one does not come up", async () => {
  await using t = await makeEngine({ units: [service({ name: "s", run: "old", instances: 2 })] });
  await t.clock.advance(5 * second);
  t.processes.behave("s", { exits: 1 });
  await t.reload([service({ name: "s", run: "new", instances: 2 })]);
  await t.clock.advance(29 * second);
  assert.deepEqual(scripts(t), ["old"], "a broken definition must not take all instances down at once");
  await t.clock.advance(1 * second);
  assert.deepEqual(scripts(t), []);
});

Deno.test("Engine.reload() during a recycling goes on one at a time, to the newest definition", async () => {
  await using t = await makeEngine({ units: [service({ name: "s", run: "one", instances: 3 })] });
  await t.clock.advance(5 * second);
  await t.reload([service({ name: "s", run: "two", instances: 3 })]);
  await t.clock.advance(2 * second);
  await t.reload([service({ name: "s", run: "three", instances: 3 })]);
  let fewest = 3;
  for (let i = 0; i < 60; i++) {
    await t.clock.advance(500);
    fewest = Math.min(fewest, t.engine.view("s").service!.healthyInstances);
  }
  assert.equal(fewest, 2);
  assert.deepEqual(scripts(t), ["three", "three", "three"]);
  assert.equal(t.processes.count("s"), 7, "three of one, one of two, three of three");
});

Deno.test("Engine.reload() starts added instances under the new definition, once, and stops those that are too many", async () => {
  await using t = await makeEngine({ units: [service({ name: "s", run: "old", instances: 1 })] });
  await t.clock.advance(5 * second);
  await t.reload([service({ name: "s", run: "old", instances: 3 })]);
  assert.deepEqual(scripts(t), ["old", "old", "old"]);
  assert.equal(t.processes.count("s"), 3);
  await t.clock.advance(5 * second);
  await t.reload([service({ name: "s", run: "old", instances: 2 })]);
  assert.deepEqual(t.processes.alive("s").map(({ spec }) => spec.env.SVC_INSTANCE), ["0", "1"]);
  await t.reload([service({ name: "s", run: "new", instances: 3 })]);
  await t.clock.advance(60 * second);
  assert.deepEqual(scripts(t), ["new", "new", "new"]);
  assert.equal(t.processes.count("s"), 3 + 3, "the added one is started once");
});

Deno.test("Engine.reload() that brings an instance back while it is ending waits for its end: never two copies", async () => {
  await using t = await makeEngine({
    units: [service({ name: "s", instances: 2 })],
    before: (it) => it.processes.behave("s", { ignores: ["SIGTERM"] }),
  });
  await t.reload([service({ name: "s", instances: 1 })]);
  await t.reload([service({ name: "s", instances: 2 })]);
  await t.clock.advance(4999);
  assert.equal(t.processes.count("s"), 2);
  await t.clock.advance(10 * second);
  assert.equal(t.processes.count("s"), 3);
  assert.deepEqual(t.processes.alive("s").map(({ spec }) => spec.env.SVC_INSTANCE), ["0", "1"]);
});

Deno.test("Engine.reload() leaves a stopped service stopped and gives it the new definition", async () => {
  await using t = await makeEngine({ units: [service({ name: "s", run: "old" })] });
  void t.engine.stopUnit("s");
  await settle();
  await t.reload([service({ name: "s", run: "new" })]);
  await t.clock.advance(60 * second);
  assert.equal(state(t), "stopped");
  t.engine.startUnit("s", api);
  assert.deepEqual(scripts(t), ["new"]);
});

Deno.test("Engine.reload() leaves a stopped instance of a live service down", async () => {
  await using t = await makeEngine({ units: [service({ name: "s", run: "old", instances: 2 })] });
  await t.clock.advance(5 * second);
  t.engine.stopRun(t.runs().find(({ instance }) => instance === 0)!.id);
  await settle();
  await t.reload([service({ name: "s", run: "new", instances: 2 })]);
  await t.clock.advance(60 * second);
  assert.deepEqual(t.processes.alive("s").map(({ spec }) => [spec.script, spec.env.SVC_INSTANCE]), [[
    "new",
    "1",
  ]]);
});

Deno.test("Engine.reload() starts a fatal service that changed, not one that did not", async () => {
  await using t = await makeEngine({
    units: [service({ name: "s", startRetries: 0 }), service({ name: "u", startRetries: 0 })],
  });
  t.processes.only("s").exit(1);
  t.processes.only("u").exit(1);
  await settle();
  assert.equal(state(t), "fatal");
  await t.reload([
    service({ name: "s", startRetries: 0, run: "new" }),
    service({ name: "u", startRetries: 0 }),
  ]);
  assert.deepEqual(scripts(t), ["new"]);
  assert.equal(state(t, "u"), "fatal");
});

Deno.test("Engine.reload() lets a changed service that waits for a dependency go on waiting", async () => {
  const db = service({ name: "db", healthyAfter: 60_000 });
  await using t = await makeEngine({ units: [db, service({ name: "app", dependsOn: ["db"], run: "old" })] });
  await t.reload([db, service({ name: "app", dependsOn: ["db"], run: "new" })]);
  assert.equal(state(t, "app"), "waiting");
  await t.clock.advance(60 * second);
  assert.deepEqual(scripts(t, "app"), ["new"]);
});

Deno.test("Engine.reload() starts a waiting service whose dependency it takes away", async () => {
  const db = service({ name: "db", healthyAfter: 60_000 });
  await using t = await makeEngine({ units: [db, service({ name: "app", dependsOn: ["db"] })] });
  await t.reload([db, service({ name: "app" })]);
  assert.equal(state(t, "app"), "starting");
});

Deno.test("Engine.reload() brings a service back that is removed and added again while it is ending: one copy, new definition", async () => {
  await using t = await makeEngine({
    units: [service({ name: "s", run: "old" })],
    before: (it) => it.processes.behave("s", { ignores: ["SIGTERM"] }),
  });
  await t.reload([]);
  await t.reload([service({ name: "s", run: "new" })]);
  assert.deepEqual(scripts(t), ["old"]);
  await t.clock.advance(5 * second);
  assert.deepEqual(scripts(t), ["new"]);
});

Deno.test("Engine.reload() that removes a service again before it is back leaves nothing of it", async () => {
  await using t = await makeEngine({
    units: [service({ name: "s", run: "old" })],
    before: (it) => it.processes.behave("s", { ignores: ["SIGTERM"] }),
  });
  await t.reload([]);
  await t.reload([service({ name: "s", run: "new" })]);
  await t.reload([]);
  await t.clock.advance(60 * second);
  assert.deepEqual(scripts(t), []);
  assert.equal(t.processes.count("s"), 1);
});

Deno.test("Engine.reload() that changes a service again before it is back starts the newest definition", async () => {
  await using t = await makeEngine({
    units: [service({ name: "s", run: "one" })],
    before: (it) => it.processes.behave("s", { ignores: ["SIGTERM"] }),
  });
  await t.reload([]);
  await t.reload([service({ name: "s", run: "two" })]);
  await t.reload([service({ name: "s", run: "three", instances: 2 })]);
  await t.clock.advance(60 * second);
  assert.deepEqual(scripts(t), ["three", "three"]);
});

Deno.test("Engine.stopUnit() of a service that is about to come back keeps it down", async () => {
  await using t = await makeEngine({
    units: [service({ name: "s", run: "old" })],
    before: (it) => it.processes.behave("s", { ignores: ["SIGTERM"] }),
  });
  await t.reload([]);
  await t.reload([service({ name: "s", run: "new" })]);
  void t.engine.stopUnit("s");
  await t.clock.advance(60 * second);
  assert.deepEqual(scripts(t), []);
});

Deno.test("Engine.reload() keeps the last handled tick of an unchanged schedule", async () => {
  const units = [task({ name: "t", cron: "* * * * *" })];
  await using t = await makeEngine({ units, before: (it) => it.processes.behave("t", { exits: 0 }) });
  await t.clock.advance(minute);
  await t.reload([task({ name: "t", cron: "* * * * *", description: "new" })]);
  await t.clock.advance(minute);
  assert.equal(t.runs().length, 2);
});

Deno.test("Engine.reload() is refused while the daemon stops", async () => {
  await using t = await makeEngine({ units: [] });
  await t.stop();
  await assert.rejects(() => t.engine.reload({ dryRun: false }), { code: "stopping" });
});

Deno.test("Engine.tellStale() tells each change once, and a reload ends it", async () => {
  await using t = await makeEngine({ units: [task({ name: "a" })] });
  for (const isStale of [false, true, true]) t.engine.tellStale(isStale);
  await t.reload([task({ name: "a", run: "new" })]);
  const told = t.events.filter(({ type }) => type === "config.stale");
  assert.deepEqual(told, [{ type: "config.stale", stale: true }, { type: "config.stale", stale: false }]);
});

Deno.test("Engine.reload() starts nothing that it takes away when it raises max_parallel_runs", async () => {
  const units = ["a", "b", "c"].map((name) => task({ name }));
  await using t = await makeEngine({ units, daemon: { maxParallelRuns: 1 } });
  for (const { name } of units) t.engine.run(name, { trigger: "api" });
  await t.reload([task({ name: "a" }), task({ name: "c", run: "new" })], { maxParallelRuns: 0 });
  assert.deepEqual(t.outcomes("b"), ["stopped"]);
  assert.equal(t.processes.count("b"), 0);
  assert.equal(t.processes.only("c").spec.script, "new");
});

Deno.test("Engine.reload() starts the fatal instances of a service that changed, not those that were stopped", async () => {
  const one = service({ name: "s", instances: 2, startRetries: 0 });
  await using t = await makeEngine({ units: [one] });
  t.engine.stopRun(t.processes.alive("s")[0]!.spec.runId);
  await settle();
  t.processes.only("s").exit(1);
  await settle();
  await t.reload([{ ...one, run: "new" }]);
  assert.equal(t.processes.only("s").spec.env.SVC_INSTANCE, "1");
});
