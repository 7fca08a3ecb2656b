import assert from "node:assert/strict";
import { settle } from "../support/fake_clock.ts";
import { makeApp } from "../support/make_app.ts";
import { makeEngine } from "../support/make_engine.ts";
import { makeStreams } from "../support/make_streams.ts";
import { failures, noon, service, task } from "../support/units.ts";

const reading = { busy: 100, total: 1000, memTotal: 4000, memAvailable: 1000 };

Deno.test("GET /api/system tells of the machine and its load", async () => {
  await using t = await makeEngine({
    units: [],
    before: ({ processes }) => void (processes.reading = reading),
  });
  t.clock.stall(3 * 3_600_000 + 60_000);
  const { status, body } = await makeApp(t)("/api/system");
  assert.equal(status, 200);
  const { $schema: _, ...rest } = body;
  assert.deepEqual(rest, {
    cpu_usage: 10,
    mem_usage: 75,
    mem_total: 4000,
    mem_used: 3000,
    uptime: "3 h 01 m",
    version: "1.2.3",
    name: "svc",
    cpu_cores: 4,
    host: "box",
    os: "linux",
    arch: "amd64",
    work_dir: "/srv",
  });
});

Deno.test("GET /api/system has no figures where the machine tells none", async () => {
  await using t = await makeEngine({ units: [] });
  const { status, body } = await makeApp(t)("/api/system");
  assert.equal(status, 200);
  assert.deepEqual([body.cpu_usage, body.mem_usage, body.mem_total, body.mem_used], [0, 0, 0, 0]);
});

Deno.test("GET /api/system/metrics answers the samples since a time", async () => {
  await using t = await makeEngine({
    units: [],
    before: ({ processes }) => void (processes.reading = reading),
  });
  t.engine.monitor.start();
  await settle();
  await t.clock.advance(15_000);
  const app = makeApp(t);
  const all = (await app("/api/system/metrics")).body.samples;
  assert.deepEqual(all[0], {
    ts: noon / 1000 + 5,
    cpu: 0,
    mem: 75,
    mem_total: 4000,
    mem_used: 3000,
  });
  assert.equal(all.length, 3);
  const since = new Date(noon + 5001).toISOString();
  assert.equal((await app(`/api/system/metrics?since=${since}`)).body.samples.length, 2);
  assert.equal((await app("/api/system/metrics?since=yesterday")).status, 422);
});

Deno.test("GET /api/events/stream tells samples without an id", async () => {
  await using t = await makeEngine({
    units: [],
    before: ({ processes }) => void (processes.reading = reading),
  });
  t.engine.monitor.start();
  await settle();
  const app = makeStreams(t);
  await using events = await app.open("/api/events/stream?task_name=other");
  await t.clock.advance(5000);
  const [ping, sample] = await events.take(2);
  assert.equal(ping?.name, "ping");
  assert.equal(sample?.name, "system.sample");
  assert.deepEqual(JSON.parse(sample!.data), {
    sample: { ts: noon / 1000 + 5, cpu: 0, mem: 75, mem_total: 4000, mem_used: 3000 },
    uptime: "5.0 s",
  });
  assert.equal(sample?.id, undefined);
  app.streams.close();
});

Deno.test("GET /api/config tells the configuration in force", async () => {
  await using t = await makeEngine({
    units: [
      task({
        name: "t",
        cron: "0 3 * * *",
        failures: failures("failed", "3", "10-20", "output:oops"),
        umask: "027",
      }),
      service({ name: "s", limits: { cpu: 1.5 } }),
    ],
    daemon: { timezone: "Europe/Berlin", shutdownTimeout: 1500 },
  });
  const { status, body } = await makeApp(t)("/api/config");
  assert.equal(status, 200);
  assert.equal(body.path, "/etc/test/svc.toml");
  assert.equal(body.daemon.timezone, "Europe/Berlin");
  assert.equal(body.daemon.shutdown_timeout, 1_500_000_000);
  assert.deepEqual(body.storage, { max_size: 10e9, min_free_space: 0 });
  const [s, u] = body.units;
  assert.deepEqual([s.name, s.kind, s.limits, s.instances], ["s", "service", { cpu: 1.5 }, 1]);
  assert.deepEqual([u.name, u.cron, u.timezone, u.umask], ["t", "0 3 * * *", "Europe/Berlin", "027"]);
  assert.deepEqual(u.failures, ["failed", "3", "10-20", "output:oops"]);
  assert.deepEqual(u.place, { file: "/etc/test/svc.toml", line: 1, column: 1 });
  for (const state of ["active_runs", "queued_runs", "service_state", "next_run_at"]) {
    assert.equal(state in u || state in s, false, state);
  }
});

Deno.test("GET /api/config leaks no secret, token, credential or address that is one", async () => {
  const hidden = (what: string) => `hidden-${what}`;
  await using t = await makeEngine({
    units: [
      task({
        name: "t",
        secrets: { KEY: hidden("secret") },
        hookTokens: [{ token: hidden("token"), allow: ["run"] }],
        pingUrl: `https://ping.example/${hidden("ping")}`,
      }),
      service({
        name: "s",
        healthCheck: {
          probe: {
            kind: "http",
            url: `http://me:${hidden("password")}@localhost:80/ok?key=${hidden("query")}#${hidden("hash")}`,
          },
          interval: 1000,
          timeout: 1000,
          retries: 3,
          startPeriod: 0,
        },
      }),
    ],
    before: (test) => {
      test.config.notify.notifiers = [{
        id: "chat",
        type: "slack",
        settings: { url: `https://hooks.example/${hidden("hook")}` },
      }];
      test.config.compose = [{
        alias: "c",
        file: "/c.yaml",
        profiles: [],
        group: "",
        nameFormat: "{service}",
        pull: "missing",
        withDeps: false,
        overrides: { web: { secrets: { KEY: hidden("override") } } },
        place: { file: "/etc/test/svc.toml", line: 1, column: 1 },
      }];
    },
  });
  const { body } = await makeApp(t)("/api/config");
  assert.equal(JSON.stringify(body).match(/hidden-\w+/g), null);
  assert.deepEqual(body.notifiers, [{ id: "chat", type: "slack" }]);
  assert.equal(body.units[0].health_check.http, "http://localhost/ok");
  assert.deepEqual(body.compose[0].overridden, ["web"]);
});
