import { snakeTrigger } from "../core/run_words.ts";
import type { DebugRun, DebugView } from "../engine/debug_view.ts";
import type { PendingTimer } from "../engine/timers.ts";
import { isoTime } from "./run_json.ts";
import type { DebugJson } from "./schemas/debug.ts";

/** The part of the answer that the engine knows. */
export function debugJson(
  { at, runs, line, instances, retries, refusing }: DebugView,
): Pick<DebugJson, "at" | "runs" | "line" | "instances" | "retries" | "refusing"> {
  return {
    at: isoTime(at),
    ...(refusing === undefined ? {} : { refusing: { ...refusing, since: isoTime(refusing.since) } }),
    runs: runs.map(runOf),
    line: lineOf(line),
    instances: instances.map(instanceOf),
    retries: retries.map(({ unit, ofRun, attempt, dueAt, trigger }) => ({
      task_name: unit,
      retry_of_run_id: ofRun,
      attempt,
      due_at: isoTime(dueAt),
      triggered_by: snakeTrigger(trigger),
    })),
  };
}

function runOf(
  { id, unit, trigger, createdAt, phase, phaseFor, marks, machine }: DebugRun,
): DebugJson["runs"][0] {
  return {
    run_id: id,
    task_name: unit,
    triggered_by: snakeTrigger(trigger),
    created_at: isoTime(createdAt),
    phase,
    phase_ms: phaseFor,
    marks,
    ...(machine === undefined ? {} : { machine: machineOf(machine) }),
  };
}

function machineOf(
  { state: { phase, want, isStuck = false }, timers, pid }: NonNullable<DebugRun["machine"]>,
): NonNullable<DebugJson["runs"][0]["machine"]> {
  return {
    phase,
    ...(want === undefined ? {} : { want }),
    stuck: isStuck,
    ...(pid === undefined ? {} : { pid }),
    timers: timers.map(timerOf),
  };
}

function lineOf(
  { maxParallel, started, isGateShut, gateHolder, waiting }: DebugView["line"],
): DebugJson["line"] {
  return {
    max_parallel_runs: maxParallel,
    started,
    gate_shut: isGateShut,
    ...(gateHolder === undefined ? {} : { gate_holder: gateHolder }),
    waiting: waiting.map(({ id, unit, hold, deadline }) => ({
      run_id: id,
      task_name: unit,
      hold,
      ...(deadline === undefined ? {} : { deadline: isoTime(deadline) }),
    })),
  };
}

function instanceOf(
  { service, index, state, timers, runId, isLeaving }: DebugView["instances"][0],
): DebugJson["instances"][0] {
  const { phase, want, again, unhealthy, failedStarts } = state;
  return {
    task_name: service,
    index,
    phase,
    want,
    again,
    unhealthy,
    failed_starts: failedStarts,
    leaving: isLeaving,
    ...(runId === undefined ? {} : { run_id: runId }),
    timers: timers.map(timerOf),
  };
}

function timerOf({ name, left }: PendingTimer): { name: string; left_ms: number } {
  return { name, left_ms: left };
}
