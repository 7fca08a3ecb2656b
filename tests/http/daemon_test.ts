import assert from "node:assert/strict";
import { createApp } from "../../src/http/app.ts";
import type { Peer } from "../../src/http/router.ts";
import { makeApp, testFacts } from "../support/make_app.ts";
import { makeEngine } from "../support/make_engine.ts";
import { minute, noon, second, service, task } from "../support/units.ts";

const post = { method: "POST" } as const;

Deno.test("GET /health says ok, and HEAD too", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t);
  assert.deepEqual((await app("/health")).body, { status: "ok" });
  assert.equal((await app("/health", { method: "HEAD" })).status, 200);
});

Deno.test("GET / is a page that names the product", async () => {
  await using t = await makeEngine({ units: [] });
  const { status, body, headers } = await makeApp(t)("/");
  assert.equal(status, 200);
  assert.match(headers.get("content-type") ?? "", /^text\/html/);
  assert.match(body, /svc/);
});

Deno.test("GET /api/daemon tells of the daemon and its units in short", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", cron: "* * * * *" }), service({ name: "s", dependsOn: [] })],
    daemon: { timezone: "Europe/Berlin" },
  });
  const { status, body } = await makeApp(t, { isConfigStale: () => true })("/api/daemon");
  assert.equal(status, 200);
  const { tasks, capabilities, ...rest } = body;
  assert.deepEqual(rest, {
    version: "1.2.3",
    fingerprint: "f00d",
    port: 8420,
    external_url: "",
    cloud_enabled: false,
    scheduling_active: true,
    service_managed: false,
    auth_disabled: true,
    adopted: 0,
    ended_meanwhile: 0,
    config_stale: true,
    config_loaded_at: new Date(noon).toISOString(),
    resolved_timezone: "Europe/Berlin",
    timezone_source: "config",
  });
  assert.deepEqual(tasks.map(({ name, kind, cron }: Record<string, string>) => [name, kind, cron]), [
    ["s", "service", undefined],
    ["t", "task", "* * * * *"],
  ]);
  assert.deepEqual(capabilities, [{ name: "docker", available: false }]);
});

Deno.test("GET /api/daemon names the host's zone where the configuration names none", async () => {
  await using t = await makeEngine({ units: [], hostTimezone: "Asia/Tokyo" });
  const { timezone: _, ...daemon } = t.config.daemon;
  t.config = { ...t.config, daemon };
  await t.engine.reload({ dryRun: false });
  const { body } = await makeApp(t)("/api/daemon");
  assert.equal(body.resolved_timezone, "Asia/Tokyo");
  assert.equal(body.timezone_source, "system");
});

Deno.test("GET /api/daemon/identity is told to the socket and to loopback, but to nobody through a proxy", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t);
  const { body } = await app("/api/daemon/identity");
  assert.deepEqual(body, {
    app: "svc",
    version: "1.2.3",
    fingerprint: "f00d",
    pid: 4711,
    data_dir: "/data",
    config_path: "/etc/test/svc.toml",
    socket_path: "/data/svc.sock",
  });
  const from = async (address: string, headers: Record<string, string> = {}) =>
    (await app("/api/daemon/identity", { peer: { kind: "tcp", address }, headers })).status;
  for (const address of ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"]) {
    assert.equal(await from(address), 200);
  }
  for (const address of ["10.0.0.1", "192.168.1.4", "fe80::1", "::ffff:10.0.0.1", "1270.0.0.1"]) {
    assert.equal(await from(address), 403, address);
  }
  const names = [
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Real-IP",
    "Forwarded",
    "Fly-Client-IP",
    "CF-Connecting-IP",
  ];
  for (const name of [...names, "X-Envoy-External-Address", "True-Client-IP", "X-Azure-ClientIP"]) {
    assert.equal(await from("127.0.0.1", { [name]: "127.0.0.1" }), 403, name);
  }
});

Deno.test("POST /api/daemon/reload applies, and with dry_run only reports", async () => {
  await using t = await makeEngine({ units: [task({ name: "a" }), task({ name: "b" })] });
  const app = makeApp(t);
  t.config = { ...t.config, units: [task({ name: "b", timeout: 5 }), task({ name: "c" })] };
  const expected = { added: ["c"], removed: ["a"], changed: [{ name: "b", reasons: ["timeout"] }] };
  const dry = await app("/api/daemon/reload?dry_run=true", post);
  assert.equal(dry.status, 200);
  assert.deepEqual(dry.body, expected);
  assert.equal((await app("/api/tasks/c")).status, 404);
  assert.deepEqual((await app("/api/daemon/reload", post)).body, expected);
  assert.equal((await app("/api/tasks/c")).status, 200);
  assert.deepEqual((await app("/api/daemon/reload", post)).body, { added: [], removed: [], changed: [] });
});

Deno.test("POST /api/daemon/reload answers 422 with every configuration error", async () => {
  await using t = await makeEngine({ units: [] });
  t.problems = [1, 2].map((line) => ({ file: "/f", line, column: 3, key: "k", message: `no ${line}` }));
  const { status, body } = await makeApp(t)("/api/daemon/reload", post);
  assert.equal(status, 422);
  assert.deepEqual(body.errors, [
    { location: "/f:1:3", message: "k: no 1" },
    { location: "/f:2:3", message: "k: no 2" },
  ]);
});

Deno.test("createApp() answers 404 for unknown paths and 405 with Allow for wrong methods, as problem documents", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  const app = makeApp(t);
  for (
    const path of [
      "/api",
      "/api/",
      "/api/nothing",
      "/api/tasks/",
      "/api/tasks/t/",
      "/api/tasks/t/run/x",
      "/x%ff",
      "/api/tasks/t/fly",
    ]
  ) {
    const { status, headers } = await app(path);
    assert.equal(status, 404, path);
    assert.match(headers.get("content-type") ?? "", /^application\/problem\+json/);
  }
  const wrong: [string, string, string][] = [
    ["POST", "/health", "GET"],
    ["DELETE", "/api/tasks", "GET"],
    ["PUT", "/api/tasks/a.b:c", "GET"],
    ["GET", "/api/tasks/t/run", "POST"],
    ["GET", "/api/daemon/reload", "POST"],
    ["PATCH", "/api/runs/R1", "GET, DELETE"],
    ["GET", "/api/runs/R1/stop", "POST"],
  ];
  for (const [method, path, allow] of wrong) {
    const { status, headers, body } = await app(path, { method });
    assert.equal(status, 405, path);
    assert.deepEqual(
      (headers.get("allow") ?? "").split(", ").filter((word) => word !== "HEAD"),
      allow.split(", "),
    );
    assert.equal(body.status, 405);
  }
});

Deno.test("createApp() reports an internal error to the daemon and tells the client nothing of it", async () => {
  const reported: Error[] = [];
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, {
    report: (error) => void reported.push(error),
    isConfigStale: () => {
      throw new TypeError("secret detail");
    },
  });
  const { status, body } = await app("/api/daemon");
  assert.equal(status, 500);
  assert.ok(!JSON.stringify(body).includes("secret detail"));
  assert.equal(reported[0]?.message, "secret detail");
});

Deno.test("createApp() answers 501 to methods that no path has, whoever asks", async () => {
  await using t = await makeEngine({ units: [] });
  const app = createApp(t.engine, testFacts());
  const peer: Peer = { kind: "tcp", address: "10.0.0.1" };
  for (const method of ["PROPFIND", "QUERY", "PRI", "FOO"]) {
    for (const path of ["/", "/api/tasks", "/api/hooks/tasks/a/run", "/nowhere"]) {
      const answer = await app.request(path, { method }, { peer });
      assert.equal(answer.status, 501, `${method} ${path}`);
      assert.equal(answer.headers.get("content-type"), "application/problem+json");
      assert.equal((await answer.json()).status, 501);
    }
  }
});

Deno.test("GET /api/daemon says since when and why the database refuses, and /health that the daemon is there", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", cron: "* * * * * *" })] });
  const app = makeApp(t);
  assert.equal((await app("/api/daemon")).body.refusing, undefined);
  const own = t.store.transaction.bind(t.store);
  t.store.transaction = () => {
    throw new Error("database or disk is full");
  };
  await t.clock.advance(minute);
  assert.deepEqual((await app("/api/daemon")).body.refusing, {
    since: new Date(noon + second).toISOString(),
    why: "database or disk is full",
  });
  assert.deepEqual((await app("/health")).body, { status: "ok" });
  t.store.transaction = own;
  await t.clock.advance(4 * second);
  assert.equal((await app("/api/daemon")).body.refusing, undefined);
});
