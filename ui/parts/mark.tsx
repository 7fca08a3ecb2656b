import { markOf, runWord, serviceWord, taskWord, type Word } from "../../src/core/words.ts";
import type { Run } from "../data/runs.ts";
import type { Unit } from "../data/units.ts";

/** The word of a run as the API tells it. */
export function wordOfRun(run: Run): Word {
  return runWord({
    status: run.status,
    exitCode: run.exit_code,
    ...(run.end_reason === undefined ? {} : { reason: run.end_reason }),
  });
}

/** The word of a unit as the API tells it. */
export function wordOfUnit(unit: Unit): Word {
  if (unit.kind === "service") {
    return serviceWord({
      state: unit.service_state ?? "stopped",
      healthy: unit.healthy_instances ?? 0,
      instances: unit.instances ?? 1,
    });
  }
  const last = unit.last_run;
  return taskWord({
    isPaused: unit.paused_at !== undefined,
    active: unit.active_runs ?? 0,
    queued: unit.queued_runs ?? 0,
    ...(last === undefined || last.status !== "ended"
      ? {}
      : { last: { status: last.status, exitCode: last.exit_code, reason: last.end_reason ?? "success" } }),
  });
}

/** A state: its mark in the colour of its role, and its word unless a table says it elsewhere. */
export function State({ word, isMarkOnly = false }: { word: Word; isMarkOnly?: boolean }) {
  return (
    <span class={`state ${word.role}`} title={isMarkOnly ? word.text : undefined}>
      <span class={`mark ${word.mark}`} aria-hidden="true">{markOf(word.mark)}</span>
      <span class={isMarkOnly ? "hidden" : undefined}>{word.text}</span>
    </span>
  );
}
