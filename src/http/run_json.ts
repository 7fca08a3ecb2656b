import { camelReason, snakeReason, snakeTrigger } from "../core/run_words.ts";
import type { LogLine, LogPage, Run } from "../types.ts";
import type { ActionRunJson, LogLineJson, LogPageJson, RunJson } from "./schemas/run.ts";

/** RFC 3339 in UTC with ms. */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}

/** A text as it may be told of a unit, given by name: `engine.masked`. */
export type Mask = (unit: string, text: string) => string;

/** A run in the snake_case spelling; what is kept of its parameters stays, what is told of them is masked. */
export function runJson(run: Run, mask: Mask): RunJson {
  return {
    id: run.id,
    task_name: run.unit,
    status: run.status,
    exit_code: run.exitCode,
    triggered_by: snakeTrigger(run.trigger),
    created_at: isoTime(run.createdAt),
    retry_attempt: run.retryAttempt,
    instance_index: run.instance,
    ...(run.startedAt === undefined ? {} : { start_at: isoTime(run.startedAt) }),
    ...(run.endedAt === undefined ? {} : { end_at: isoTime(run.endedAt) }),
    ...(run.endReason === undefined ? {} : { end_reason: snakeReason(run.endReason) }),
    ...(run.error === undefined ? {} : { error: mask(run.unit, run.error) }),
    ...(run.params === undefined ? {} : { params: masked(run.params, (text) => mask(run.unit, text)) }),
    ...(run.retryOf === undefined ? {} : { retry_of_run_id: run.retryOf }),
    ...(run.peakMemoryBytes === undefined ? {} : { peak_memory_bytes: run.peakMemoryBytes }),
    ...(run.cpuTimeMs === undefined ? {} : { cpu_time_ms: run.cpuTimeMs }),
    ...(run.adoptedAt === undefined ? {} : { adopted_at: isoTime(run.adoptedAt) }),
  };
}

/** A run in the camelCase spelling, masked in the same way. */
export function actionRunJson(run: Run, mask: Mask): ActionRunJson {
  return {
    id: run.id,
    taskName: run.unit,
    status: run.status,
    exitCode: run.exitCode,
    isFailure: run.isFailure,
    triggeredBy: run.trigger,
    createdAt: isoTime(run.createdAt),
    retryAttempt: run.retryAttempt,
    instanceIndex: run.instance,
    ...(run.startedAt === undefined ? {} : { startedAt: isoTime(run.startedAt) }),
    ...(run.endedAt === undefined ? {} : { endedAt: isoTime(run.endedAt) }),
    ...(run.endReason === undefined ? {} : { endReason: camelReason(run.endReason) }),
    ...(run.error === undefined ? {} : { error: mask(run.unit, run.error) }),
    ...(run.params === undefined ? {} : { params: masked(run.params, (text) => mask(run.unit, text)) }),
    ...(run.retryOf === undefined ? {} : { retryOfRunId: run.retryOf }),
    ...(run.peakMemoryBytes === undefined ? {} : { peakMemoryBytes: run.peakMemoryBytes }),
    ...(run.cpuTimeMs === undefined ? {} : { cpuTimeMs: run.cpuTimeMs }),
    ...(run.adoptedAt === undefined ? {} : { adoptedAt: isoTime(run.adoptedAt) }),
  };
}

/** The same keys, with values that may be told. */
export function masked(
  values: Record<string, string>,
  mask: (text: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, mask(value)]));
}

export function logPageJson(page: LogPage): LogPageJson {
  return {
    lines: page.lines.map(logLineJson),
    first_available: page.firstAvailable,
    total_lines: page.totalLines,
    truncated: page.truncated,
    finalized: page.finalized,
  };
}

export function logLineJson(line: LogLine): LogLineJson {
  return {
    n: line.n,
    ts: line.at,
    stream: line.stream,
    text: line.text,
    ...(line.continued ? { continued: true } : {}),
    ...(line.frameCount === undefined ? {} : { frame_count: line.frameCount }),
  };
}
