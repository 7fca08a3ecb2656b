import assert from "node:assert/strict";
import { until } from "../support/machine.ts";
import { startDaemonProcess } from "../support/daemon_process.ts";

interface Span {
  traceId: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Array<{ key: string; value: Record<string, unknown> }>;
  status?: { code?: number };
}

const config = `[tasks.a]
run = 'echo "$TRACEPARENT"; exit 3'
retry_attempts = 1
retry_delay = "10ms"
`;

/** A collector of traces by OTLP over HTTP, as JSON. */
function startCollector() {
  const spans: Span[] = [];
  /** All that was ever sent, of traces, logs and metrics. */
  const bodies: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const body = await request.text();
    bodies.push(body);
    const { resourceSpans = [] } = JSON.parse(body);
    for (const { scopeSpans } of resourceSpans) {
      for (const { scope, spans: found } of scopeSpans) if (scope.name === "svc") spans.push(...found);
    }
    return Response.json({});
  });
  return { spans, bodies, port: server.addr.port, [Symbol.asyncDispose]: () => server.shutdown() };
}

Deno.test("A run is a span of its own trace, which its process finds in TRACEPARENT", async () => {
  await using collector = startCollector();
  const daemon = await startDaemonProcess(config, {
    leavesNoCoverage: true,
    env: {
      SVC_AUTH: "off",
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
    },
  });
  await (await daemon.request("/api/tasks/a/run?wait=true", { method: "POST" })).body?.cancel();
  while (
    (await (await daemon.request("/api/runs?status=ended")).json()).total < 2
  ) { /* the retry is on its way */ }
  const { runs } = await (await daemon.request("/api/runs")).json();
  const logs = await Promise.all(
    runs.map(async ({ id }: { id: string }) => (await daemon.request(`/api/runs/${id}/log/raw`)).text()),
  );
  await daemon.end();
  assert.equal(collector.spans.length, 2);
  const traces = collector.spans.map(({ traceId }) => traceId).toSorted();
  assert.deepEqual(
    logs.map((log) => /^00-([0-9a-f]{32})-[0-9a-f]{16}-01\n/.exec(log)?.[1]).toSorted(),
    traces,
  );
  const attempts = collector.spans.map(({ name, attributes, status }) => {
    const values = Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
    return [
      name,
      values["svc.trigger"],
      String(values["svc.attempt"]),
      values["svc.end_reason"],
      status?.code,
    ];
  });
  assert.deepEqual(attempts.toSorted(), [
    ["run a", "api", "0", "failed", 2],
    ["run a", "api", "1", "failed", 2],
  ]);
  await Deno.remove(daemon.folder, { recursive: true });
});

Deno.test("No query of an address is exported, nor where requests of the daemon go", async () => {
  const hookToken = "hook-token-".repeat(4);
  await using collector = startCollector();
  await using receiver = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    () => new Response("no", { status: 500 }),
  );
  const target = `http://127.0.0.1:${receiver.addr.port}`;
  const daemon = await startDaemonProcess(
    `[tasks.a]
run = "exit 3"
hook_tokens = [{ token = "${hookToken}", allow = ["run"] }]
[services.s]
run = "exec sleep 60"
health_check = { http = "${target}/probe?key=probe-secret", interval = "100ms" }
[services.t]
run = "exec sleep 60"
health_check = { http = "http://127.0.0.1:1/probe?key=probe-secret", interval = "100ms" }
[notifiers.chat]
type = "slack"
url = "${target}/services/path-secret"
[notify]
global_notifiers = ["chat"]
`,
    {
      leavesNoCoverage: true,
      env: {
        SVC_AUTH: "off",
        OTEL_DENO: "true",
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
        OTEL_BSP_SCHEDULE_DELAY: "100",
      },
    },
  );
  try {
    const called = await daemon.request(`/api/hooks/tasks/a/run?wait=true&token=${hookToken}`, {
      method: "POST",
    });
    assert.equal(called.status, 201);
    await called.body?.cancel();
    await (await daemon.request("/api/auth/launch-ticket?ticket=ticket-secret")).body?.cancel();
    const sent = (): string => collector.bodies.join("\n");
    await until("all is exported", () =>
      Promise.resolve(
        ["/api/hooks/tasks/a/run", "/api/auth/launch-ticket", `"${target}"`, '"http://127.0.0.1:1"'].every(
          (text) => sent().includes(text),
        ),
      ));
    for (const secret of [hookToken, "ticket-secret", "probe-secret", "path-secret", "url.query"]) {
      assert.ok(!sent().includes(secret), `${secret}: ${new RegExp(`.{0,300}${secret}`).exec(sent())?.[0]}`);
    }
  } finally {
    await daemon.end();
    await Deno.remove(daemon.folder, { recursive: true });
  }
});
