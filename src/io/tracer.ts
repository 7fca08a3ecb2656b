import type { Run } from "../types.ts";
import { redactSpans } from "./redact_spans.ts";

/** Tells a collector of runs, each as a span of a trace of its own. */
export interface Tracer {
  /** A run is about to execute: what its process finds in TRACEPARENT (W3C Trace Context). */
  begin(run: Run): string;
  /** A run has ended, whether it executed or not. */
  end(run: Run): void;
}

/**
 * The tracer that Deno's OpenTelemetry exports for; undefined where the environment has not switched it on when the
 * program was started (`OTEL_DENO=true`). From then on no span holds a query. Its exporter needs no permission of this program.
 */
export async function systemTracer(): Promise<Tracer | undefined> {
  if (Deno.env.get("OTEL_DENO") !== "true") return undefined;
  redactSpans({ isOutgoing: false });
  return (await import("./otel_tracer.ts")).otelTracer();
}
