import assert from "node:assert/strict";
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
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const { resourceSpans = [] } = await request.json();
    for (const { scopeSpans } of resourceSpans) {
      for (const { scope, spans: found } of scopeSpans) if (scope.name === "svc") spans.push(...found);
    }
    return Response.json({});
  });
  return { spans, port: server.addr.port, [Symbol.asyncDispose]: () => server.shutdown() };
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
