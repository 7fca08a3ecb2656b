import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Run } from "../types.ts";

/** Tells a collector of runs, each as a span of a trace of its own. */
export interface Tracer {
  /** A run is about to execute: what its process finds in TRACEPARENT (W3C Trace Context). */
  begin(run: Run): string;
  /** A run has ended, whether it executed or not. */
  end(run: Run): void;
}

/** A tracer by the interface of OpenTelemetry. A module of its own: a bundler can't see through a late import of that library. */
export function otelTracer(): Tracer {
  const tracer = trace.getTracer("svc");
  const spans = new Map<string, ReturnType<typeof tracer.startSpan>>();
  const start = (run: Run) =>
    tracer.startSpan(`run ${run.unit}`, {
      root: true,
      kind: SpanKind.INTERNAL,
      startTime: run.startedAt ?? run.createdAt,
      attributes: {
        "svc.unit": run.unit,
        "svc.run_id": run.id,
        "svc.trigger": run.trigger,
        "svc.attempt": run.retryAttempt,
        "svc.instance": run.instance,
        ...(run.retryOf === undefined ? {} : { "svc.retry_of": run.retryOf }),
      },
    });
  return {
    begin(run) {
      const span = start(run);
      spans.set(run.id, span);
      const { traceId, spanId, traceFlags } = span.spanContext();
      return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
    },
    end(run) {
      const span = spans.get(run.id) ?? start(run);
      spans.delete(run.id);
      const { endReason = "", exitCode, error } = run;
      span.setAttributes({ "svc.end_reason": endReason, "svc.exit_code": exitCode });
      if (run.isFailure) span.setStatus({ code: SpanStatusCode.ERROR, message: error ?? endReason });
      span.end(run.endedAt ?? run.createdAt);
    },
  };
}
