import assert from "node:assert/strict";
import { makeApp } from "../support/make_app.ts";
import { makeEngine } from "../support/make_engine.ts";
import { hour, noon, param, second, service, task } from "../support/units.ts";

const post = { method: "POST" } as const;

Deno.test("GET /api/tasks lists all units, sorted by name, without secrets and tokens", async () => {
  await using t = await makeEngine({
    units: [
      service({ name: "web" }),
      task({
        name: "backup",
        secrets: { KEY: "hunter2hunter2" },
        hookTokens: [{ token: "t".repeat(40), allow: ["run"] }],
      }),
    ],
  });
  const { status, body } = await makeApp(t)("/api/tasks");
  assert.equal(status, 200);
  assert.deepEqual(body.tasks.map(({ name }: { name: string }) => name), ["backup", "web"]);
  const text = JSON.stringify(body);
  assert.ok(!text.includes("hunter2") && !text.includes("tttt"));
});

Deno.test("GET /api/tasks/{taskName} shows a task with durations in nanoseconds", async () => {
  await using t = await makeEngine({
    units: [
      task({
        name: "t",
        cron: "0 * * * *",
        timezone: "Asia/Tokyo",
        retryAttempts: 2,
        retryDelay: 1500,
        jitter: 0.000001,
        gracefulStop: 5000,
        env: { A: "1" },
        envFile: "/etc/x.env",
        params: [param({ kind: "option", key: "--size", choices: ["a"], default: "a" })],
      }),
    ],
  });
  const app = makeApp(t);
  const { body } = await app("/api/tasks/t");
  assert.equal(body.kind, "task");
  assert.equal(body.next_run_at, new Date(noon + hour).toISOString());
  assert.equal(body.timezone, "Asia/Tokyo");
  assert.equal(body.retry_delay, 1_500_000_000);
  assert.equal(body.graceful_stop, 5_000_000_000);
  assert.equal(body.jitter, 1);
  assert.equal(body.restart, "on_failure");
  assert.deepEqual(body.env, { A: "1" });
  assert.equal(body.env_file, "/etc/x.env");
  assert.deepEqual(body.exit_codes, [0]);
  assert.equal(body.parameters[0].key, "--size");
  assert.deepEqual(body.parameters[0].choices, ["a"]);
  assert.equal(body.last_run, undefined);
  await app("/api/tasks/t/pause", post);
  const paused = (await app("/api/tasks/t")).body;
  assert.equal(paused.paused_at, new Date(noon).toISOString());
  assert.equal(paused.next_run_at, undefined);
  await app("/api/tasks/t/resume", post);
  assert.equal((await app("/api/tasks/t")).body.paused_at, undefined);
});

Deno.test("GET /api/tasks/{taskName} shows a service and its state", async () => {
  await using t = await makeEngine({
    units: [service({ name: "s", instances: 2, dependsOn: [], priority: -3, startRetries: 4 })],
  });
  await t.clock.advance(5 * second);
  const { body } = await makeApp(t)("/api/tasks/s");
  assert.equal(body.service_state, "running");
  assert.equal(body.healthy_instances, 2);
  assert.equal(body.instances, 2);
  assert.equal(body.priority, -3);
  assert.equal(body.start_retries, 4);
  assert.equal(body.healthy_after, 5_000_000_000);
  assert.equal(body.last_run.triggered_by, "service");
  assert.equal(body.cron, undefined);
});

Deno.test("Routes of units take names with dots and colons, escaped or not", async () => {
  await using t = await makeEngine({ units: [task({ name: "a.b:c-d_e" })] });
  const app = makeApp(t);
  for (const path of ["a.b:c-d_e", "a%2Eb%3Ac-d_e"]) {
    assert.equal((await app(`/api/tasks/${path}`)).status, 200);
    assert.equal((await app(`/api/tasks/${path}/next`)).status, 200);
  }
  assert.equal((await app("/api/tasks/a.b:c-d_e/run", post)).body.taskName, "a.b:c-d_e");
});

Deno.test("Routes of units answer 404 with the nearest name, also for names that can't be one", async () => {
  await using t = await makeEngine({ units: [task({ name: "backup" })] });
  const app = makeApp(t);
  const { status, body, headers } = await app("/api/tasks/bakcup");
  assert.equal(status, 404);
  assert.match(headers.get("content-type") ?? "", /^application\/problem\+json/);
  assert.equal(body.status, 404);
  assert.match(body.detail, /"bakcup".*backup/);
  for (const name of ["%2f", "a%2Fb", "%ff%fe", "%", "%zz", "..%2f..%2fetc", "x".repeat(3000), "%00"]) {
    for (const tail of ["", "/next"]) {
      assert.equal((await app(`/api/tasks/${name}${tail}`)).status, 404, name + tail);
    }
    for (const action of ["run", "start", "stop", "restart", "pause", "resume"]) {
      assert.equal((await app(`/api/tasks/${name}/${action}`, post)).status, 404, `${name} ${action}`);
    }
  }
});

Deno.test("GET /api/tasks/{taskName}/next lists ticks in UTC and on the wall clock", async () => {
  await using t = await makeEngine({
    units: [
      task({ name: "t", cron: "30 2 * * *", timezone: "Europe/Berlin" }),
      task({ name: "u" }),
      service({ name: "s" }),
    ],
  });
  const app = makeApp(t);
  const autumn = await app("/api/tasks/t/next?count=2&after=2027-10-30T23:00:00Z");
  assert.deepEqual(autumn.body.ticks, [
    { at: "2027-10-31T00:30:00.000Z", local: "2027-10-31T02:30:00+02:00", note: "" },
    { at: "2027-10-31T01:30:00.000Z", local: "2027-10-31T02:30:00+01:00", note: "repeat" },
  ]);
  const spring = await app("/api/tasks/t/next?count=1&after=2027-03-28T02:00:00%2B02:00");
  assert.deepEqual(spring.body.ticks, [
    { at: "2027-03-28T01:00:00.000Z", local: "2027-03-28T03:00:00+02:00", note: "gap" },
  ]);
  assert.equal((await app("/api/tasks/t/next")).body.ticks.length, 10);
  assert.equal((await app("/api/tasks/t/next?count=1000")).body.ticks.length, 1000);
  assert.deepEqual((await app("/api/tasks/u/next")).body.ticks, []);
  assert.deepEqual((await app("/api/tasks/s/next")).body.ticks, []);
  for (
    const query of [
      "count=0",
      "count=1001",
      "count=x",
      "count=1.5",
      "count=",
      "after=now",
      "after=2027-02-30T00:00:00Z",
    ]
  ) {
    const { status, body } = await app(`/api/tasks/t/next?${query}`);
    assert.equal(status, 422, query);
    assert.equal(body.errors[0].location, `query.${query.split("=")[0]}`);
  }
});

Deno.test("GET /api/schedule/preview describes an expression and lists its ticks", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t);
  const { status, body } = await app("/api/schedule/preview?cron=0+0+*+*+*&timezone=Asia/Tokyo&count=2");
  assert.equal(status, 200);
  assert.deepEqual(body.ticks.map(({ local }: { local: string }) => local), [
    "2027-01-16T00:00:00+09:00",
    "2027-01-17T00:00:00+09:00",
  ]);
  assert.ok(body.description.length > 0);
  const every = await app(`/api/schedule/preview?cron=${encodeURIComponent("@every 90s")}&count=1`);
  assert.equal(every.body.ticks[0].at, new Date(noon + 90_000).toISOString());
  const cases = [
    ["cron=61+*+*+*+*", "query.cron"],
    ["cron=", "query.cron"],
    ["", "query.cron"],
    ["cron=0+0+30+2+*", "query.cron"],
    ["cron=*+*+*+*+*&timezone=Mars/Olympus", "query.timezone"],
    ["cron=*+*+*+*+*&count=1001", "query.count"],
  ];
  for (const [query, location] of cases) {
    const answer = await app(`/api/schedule/preview?${query}`);
    assert.equal(answer.status, 422, query);
    assert.equal(answer.body.errors[0].location, location, query);
  }
});

Deno.test("GET /api/tasks shows what a unit uses once it was looked at", async () => {
  await using t = await makeEngine({ units: [service({ name: "s", instances: 2 })] });
  t.engine.watch();
  const app = makeApp(t);
  assert.equal((await app("/api/tasks/s")).body.usage, undefined);
  for (const process of t.processes.alive("s")) {
    process.used = { cpuMs: 250, memoryBytes: 1000.5, oomKills: 0 };
  }
  await t.clock.advance(second);
  const usage = { cpu_percent: 50, memory_bytes: 2001 };
  assert.deepEqual((await app("/api/tasks/s")).body.usage, usage);
  assert.deepEqual((await app("/api/tasks")).body.tasks[0].usage, usage);
});
