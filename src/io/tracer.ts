import type { Tracer } from "./otel_tracer.ts";
import { redactSpans } from "./redact_spans.ts";
import { ownVariable } from "./own_variable.ts";

/**
 * The tracer that Deno's OpenTelemetry exports for; undefined where the environment has not switched it on when the
 * program was started (`OTEL_DENO=true`). From then on no span holds a query. Its exporter needs no permission of this program.
 */
export async function systemTracer(): Promise<Tracer | undefined> {
  if (ownVariable("OTEL_DENO") !== "true") return undefined;
  redactSpans({ isOutgoing: false });
  return (await import("./otel_tracer.ts")).otelTracer();
}
