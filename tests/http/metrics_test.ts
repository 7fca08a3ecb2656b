import assert from "node:assert/strict";
import { createMetricsApp } from "../../src/http/routes/metrics.ts";
import { alice, authOf } from "../support/auth.ts";
import { makeApp, testFacts } from "../support/make_app.ts";
import { makeEngine } from "../support/make_engine.ts";
import { task } from "../support/units.ts";

const textType = "text/plain; version=0.0.4; charset=utf-8";

Deno.test("GET /metrics answers Prometheus text to everybody when metrics are on", async () => {
  await using t = await makeEngine({ units: [task({ name: "x" })], daemon: { metrics: true } });
  const app = makeApp(t, { auth: authOf(t) });
  const { status, headers, body } = await app("/metrics", { peer: alice });
  assert.equal(status, 200);
  assert.equal(headers.get("content-type"), textType);
  assert.equal(headers.get("cache-control"), "no-store");
  assert.match(body, /^svc_build_info\{version="1\.2\.3"\} 1$/m);
  assert.match(body, /^svc_active_runs\{task="x"\} 0$/m);
  assert.ok(body.endsWith("\n"));
  assert.equal((await app("/metrics", { method: "POST", peer: alice })).status, 405);
});

Deno.test("GET /metrics is unknown when metrics are off, or served elsewhere", async () => {
  for (
    const daemon of [{}, { metricsListen: "127.0.0.1:9" }, { metrics: true, metricsListen: "127.0.0.1:9" }]
  ) {
    await using t = await makeEngine({ units: [], daemon });
    const { status, headers } = await makeApp(t)("/metrics");
    assert.equal(status, 404, JSON.stringify(daemon));
    assert.equal(headers.get("content-type"), "application/problem+json");
  }
});

Deno.test("GET /metrics is no part of the API's description", async () => {
  await using t = await makeEngine({ units: [], daemon: { metrics: true } });
  const { body } = await makeApp(t)("/openapi.json");
  assert.deepEqual(Object.keys(body.paths).filter((path) => path === "/metrics"), []);
});

Deno.test("createMetricsApp() answers GET /metrics and nothing else", async () => {
  await using t = await makeEngine({ units: [], daemon: { metrics: true, metricsListen: "127.0.0.1:9" } });
  const app = createMetricsApp(t.engine, testFacts());
  const ask = (path: string) => app.request(path, {}, { peer: alice });
  const answer = await ask("/metrics");
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), textType);
  assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
  assert.match(await answer.text(), /^# TYPE svc_build_info gauge$/m);
  for (const path of ["/", "/health", "/api/tasks", "/api/daemon", "/openapi.json"]) {
    const { status, headers } = await ask(path);
    assert.equal(status, 404, path);
    assert.equal(headers.get("content-type"), "application/problem+json");
  }
});
