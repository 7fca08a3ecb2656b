import assert from "node:assert/strict";
import { makeEngine, type Setup, type TestEngine } from "../support/make_engine.ts";
import { minute, noon, second, service, task } from "../support/units.ts";

/** An engine that keeps metrics. */
function makeMeasured(setup: Setup): Promise<TestEngine> {
  return makeEngine({ ...setup, daemon: { ...setup.daemon, metrics: true } });
}

/** Lines of one metric, as they are written. */
function linesOf(t: TestEngine, name: string): string[] {
  const text = t.engine.metrics!.text({ version: "1.2.3" });
  return text.split("\n").filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
}

const names = [
  "svc_build_info gauge",
  "svc_runs_total counter",
  "svc_run_duration_seconds histogram",
  "svc_active_runs gauge",
  "svc_queued_runs gauge",
  "svc_start_lateness_seconds histogram",
  "svc_next_tick_timestamp_seconds gauge",
  "svc_service_instances gauge",
  "svc_restarts_total counter",
  "svc_log_bytes_total counter",
  "svc_log_dropped_lines_total counter",
  "svc_deliveries_total counter",
  "svc_event_loop_lag_seconds histogram",
  "svc_process_resident_memory_bytes gauge",
  "svc_database_bytes gauge",
];

Deno.test("Metrics tells of every metric, also where nothing has happened", async () => {
  await using t = await makeMeasured({ units: [] });
  const text = t.engine.metrics!.text({ version: "1.2.3" });
  assert.deepEqual([...text.matchAll(/^# TYPE (.+)$/gm)].map(([, type]) => type), names);
  assert.deepEqual(linesOf(t, "svc_build_info"), ['svc_build_info{version="1.2.3"} 1']);
  assert.deepEqual(linesOf(t, "svc_start_lateness_seconds_count"), ["svc_start_lateness_seconds_count 0"]);
  assert.deepEqual(linesOf(t, "svc_process_resident_memory_bytes"), [
    "svc_process_resident_memory_bytes 50000000",
  ]);
  assert.ok(Number(linesOf(t, "svc_database_bytes")[0]!.split(" ")[1]) >= 4096);
});

Deno.test("Metrics is absent, and sets no timer, unless the configuration asks for it", async () => {
  await using off = await makeEngine({ units: [] });
  await using on = await makeMeasured({ units: [] });
  assert.equal(off.engine.metrics, undefined);
  assert.equal(on.clock.waiting, off.clock.waiting + 1);
});

/** What has ended at least once. */
function counted(t: TestEngine): string[] {
  return linesOf(t, "svc_runs_total").filter((line) => !line.endsWith(" 0"));
}

Deno.test("Metrics counts what alerts ask for from 0, before anything has happened", async () => {
  await using t = await makeMeasured({
    units: [task({ name: "x" }), service({ name: "web" })],
    before: (t) => {
      const ops = { id: "ops", type: "webhook", settings: { url: "https://ops.example.com/hook" } } as const;
      t.config = { ...t.config, notify: { ...t.config.notify, notifiers: [ops] } };
    },
  });
  const reasons = (unit: string): string[] =>
    linesOf(t, "svc_runs_total").filter((line) => line.includes(`task="${unit}"`)).map((line) =>
      /end_reason="(.*)"} 0$/.exec(line)![1]!
    ).sort();
  assert.deepEqual(reasons("x"), [
    "crashed",
    "failed",
    "log_overflow",
    "missed",
    "start_failed",
    "success",
    "timeout",
  ]);
  assert.deepEqual(reasons("web"), ["crashed", "failed", "log_overflow", "start_failed", "unhealthy"]);
  assert.deepEqual(linesOf(t, "svc_deliveries_total"), [
    'svc_deliveries_total{notifier="ops",outcome="given_up"} 0',
  ]);
});

Deno.test("Metrics counts ended runs by reason, and how long they ran", async () => {
  await using t = await makeMeasured({ units: [task({ name: "x" }), task({ name: "y" })] });
  for (const code of [0, 0, 3]) {
    t.engine.run("x", { trigger: "api" });
    await t.clock.advance(2 * second);
    t.processes.only("x").exit(code);
    await t.clock.advance(0);
  }
  t.processes.behave("y", { refuses: "no such shell" });
  t.engine.run("y", { trigger: "api" });
  await t.clock.advance(0);
  assert.deepEqual(counted(t), [
    'svc_runs_total{task="x",end_reason="success"} 2',
    'svc_runs_total{task="x",end_reason="failed"} 1',
    'svc_runs_total{task="y",end_reason="start_failed"} 1',
  ]);
  assert.deepEqual(linesOf(t, "svc_run_duration_seconds_sum"), ['svc_run_duration_seconds_sum{task="x"} 6']);
  assert.ok(
    linesOf(t, "svc_run_duration_seconds_bucket").includes(
      'svc_run_duration_seconds_bucket{task="x",le="1"} 0',
    ),
  );
  assert.ok(
    linesOf(t, "svc_run_duration_seconds_bucket").includes(
      'svc_run_duration_seconds_bucket{task="x",le="5"} 3',
    ),
  );
  assert.deepEqual(linesOf(t, "svc_start_lateness_seconds_count"), ["svc_start_lateness_seconds_count 0"]);
});

Deno.test("Metrics counts what already happens while the engine starts", async () => {
  await using t = await makeMeasured({
    units: [task({ name: "x", runOnStart: true })],
    before: ({ processes }) => processes.behave("x", { refuses: "no such shell" }),
  });
  assert.deepEqual(counted(t), ['svc_runs_total{task="x",end_reason="start_failed"} 1']);
});

Deno.test("Metrics shows active and waiting runs, and the next tick while a schedule is not paused", async () => {
  await using t = await makeMeasured({
    units: [task({ name: "a" }), task({ name: "x", cron: "*/5 * * * *" })],
  });
  for (let n = 0; n < 3; n++) t.engine.run("x", { trigger: "api" });
  assert.deepEqual(linesOf(t, "svc_active_runs"), [
    'svc_active_runs{task="a"} 0',
    'svc_active_runs{task="x"} 1',
  ]);
  assert.deepEqual(linesOf(t, "svc_queued_runs"), [
    'svc_queued_runs{task="a"} 0',
    'svc_queued_runs{task="x"} 2',
  ]);
  assert.deepEqual(linesOf(t, "svc_next_tick_timestamp_seconds"), [
    `svc_next_tick_timestamp_seconds{task="x"} ${noon / 1000 + 300}`,
  ]);
  t.engine.pause("x");
  assert.deepEqual(linesOf(t, "svc_next_tick_timestamp_seconds"), []);
});

Deno.test("Metrics measures from the tick to the start: waiting counts, a retry does not", async () => {
  await using t = await makeMeasured({
    units: [task({ name: "x", cron: "* * * * *", retryAttempts: 1, retryDelay: 1000 })],
  });
  await t.clock.advance(minute);
  assert.deepEqual(linesOf(t, "svc_start_lateness_seconds_sum"), ["svc_start_lateness_seconds_sum 0"]);
  await t.clock.advance(minute);
  t.clock.stall(20 * second);
  t.processes.only("x").exit(0);
  await t.clock.advance(0);
  assert.deepEqual(linesOf(t, "svc_start_lateness_seconds_sum"), ["svc_start_lateness_seconds_sum 20"]);
  assert.deepEqual(linesOf(t, "svc_start_lateness_seconds_count"), ["svc_start_lateness_seconds_count 2"]);
  t.processes.only("x").exit(1);
  await t.clock.advance(5 * second);
  assert.equal(t.processes.count("x"), 3);
  assert.deepEqual(linesOf(t, "svc_start_lateness_seconds_count"), ["svc_start_lateness_seconds_count 2"]);
});

Deno.test("Metrics counts the instances of a service by state, and its restarts by policy, not those by hand", async () => {
  await using t = await makeMeasured({ units: [service({ name: "web", instances: 2 })] });
  const inState = (state: string): string =>
    linesOf(t, "svc_service_instances").find((line) => line.includes(`state="${state}"`))!;
  assert.equal(linesOf(t, "svc_service_instances").length, 8);
  assert.equal(inState("starting"), 'svc_service_instances{service="web",state="starting"} 2');
  assert.deepEqual(linesOf(t, "svc_restarts_total"), ['svc_restarts_total{service="web"} 0']);
  await t.clock.advance(6 * second);
  t.processes.alive("web")[0]!.exit(1);
  await t.clock.advance(0);
  assert.equal(inState("healthy"), 'svc_service_instances{service="web",state="healthy"} 1');
  assert.equal(inState("backing_off"), 'svc_service_instances{service="web",state="backing_off"} 1');
  await t.clock.advance(10 * second);
  assert.equal(inState("healthy"), 'svc_service_instances{service="web",state="healthy"} 2');
  assert.deepEqual(linesOf(t, "svc_restarts_total"), ['svc_restarts_total{service="web"} 1']);
  assert.deepEqual(counted(t), ['svc_runs_total{task="web",end_reason="failed"} 1']);
  t.engine.restartUnit("web", { trigger: "api" });
  await t.clock.advance(10 * second);
  assert.equal(t.processes.count("web"), 5);
  assert.deepEqual(linesOf(t, "svc_restarts_total"), ['svc_restarts_total{service="web"} 1']);
});

Deno.test("Metrics adds up the output of live and ended runs, and the lines that were dropped", async () => {
  await using t = await makeMeasured({
    units: [task({ name: "x" }), task({ name: "small", logMaxSize: 1, logOnFull: "drop_new" })],
  });
  t.engine.run("x", { trigger: "api" });
  t.processes.only("x").print("12345\n");
  assert.deepEqual(linesOf(t, "svc_log_bytes_total"), ["svc_log_bytes_total 6"]);
  t.processes.only("x").exit(0);
  await t.clock.advance(0);
  t.engine.run("small", { trigger: "api" });
  const lines = "many words\n".repeat(20_000);
  t.processes.only("small").print(lines);
  await t.clock.advance(250);
  const during = linesOf(t, "svc_log_dropped_lines_total");
  assert.deepEqual(linesOf(t, "svc_log_bytes_total"), [`svc_log_bytes_total ${lines.length + 6}`]);
  assert.ok(Number(during[0]!.split(" ")[1]) > 0, during[0]);
  t.processes.only("small").exit(0);
  await t.clock.advance(0);
  assert.deepEqual(linesOf(t, "svc_log_dropped_lines_total"), during);
});

Deno.test("Metrics sees how late its timer is each second, and ends with the engine", async () => {
  await using t = await makeMeasured({ units: [] });
  await t.clock.advance(2 * second);
  t.clock.stall(1300);
  await t.clock.advance(0);
  assert.deepEqual(linesOf(t, "svc_event_loop_lag_seconds_count"), ["svc_event_loop_lag_seconds_count 3"]);
  assert.deepEqual(linesOf(t, "svc_event_loop_lag_seconds_sum"), ["svc_event_loop_lag_seconds_sum 0.3"]);
  const before = t.clock.waiting;
  await t.stop();
  assert.deepEqual(linesOf(t, "svc_event_loop_lag_seconds_count").length, 1);
  assert.ok(t.clock.waiting < before);
  const count = linesOf(t, "svc_event_loop_lag_seconds_count");
  await t.clock.advance(minute);
  assert.deepEqual(linesOf(t, "svc_event_loop_lag_seconds_count"), count);
});

Deno.test("Metrics goes on over a reload, with the units that there are then", async () => {
  await using t = await makeMeasured({ units: [task({ name: "x" })] });
  t.processes.behave("x", { exits: 0 });
  t.engine.run("x", { trigger: "api" });
  await t.clock.advance(0);
  await t.reload([task({ name: "y" })]);
  assert.deepEqual(counted(t), ['svc_runs_total{task="x",end_reason="success"} 1']);
  assert.deepEqual(linesOf(t, "svc_active_runs"), ['svc_active_runs{task="y"} 0']);
});
