import { needsAttention, type Word } from "../../../src/core/words.ts";
import type { Run, RunChange } from "../../data/runs.ts";
import type { Unit } from "../../data/units.ts";
import { wordOfRun, wordOfUnit } from "../../parts/mark.tsx";

/** The newest failure of each task that no success has followed, by unit. */
export type Failures = ReadonlyMap<string, Run>;

/** Ends that say something is wrong; the word of each has the role bad or warn. */
export const wrongEnds = "failed,timeout,crashed,log_overflow,start_failed,missed,queue_full";

/** Failures after some things have happened to runs. Ids of runs sort by time. */
export function takeChanges(known: Failures, changes: readonly RunChange[]): Failures {
  const next = new Map(known);
  for (const change of changes) {
    if ("deleted" in change) {
      if (next.get(change.unit)?.id === change.deleted) next.delete(change.unit);
      continue;
    }
    const { run } = change;
    const before = next.get(run.task_name);
    if (run.status !== "ended" || (before !== undefined && run.id < before.id)) continue;
    if (run.end_reason === "success") next.delete(run.task_name);
    else if (needsAttention(wordOfRun(run))) next.set(run.task_name, run);
  }
  return next;
}

/**
 * What a list of wrong runs, newest first, says together with the newest run of each unit. `open`: units whose newest
 * run is neither that failure nor a success, so that a success between them has to be looked for.
 */
export function firstFailures(
  wrong: readonly Run[],
  units: ReadonlyMap<string, Unit>,
): { failures: Failures; open: string[] } {
  const failures = new Map<string, Run>();
  const seen = new Set<string>();
  const open: string[] = [];
  for (const run of wrong) {
    if (seen.has(run.task_name)) continue;
    seen.add(run.task_name);
    const unit = units.get(run.task_name);
    const last = unit?.last_run;
    if (unit?.kind !== "task" || last?.end_reason === "success") continue;
    failures.set(run.task_name, run);
    if (last?.id !== run.id) open.push(run.task_name);
  }
  return { failures, open };
}

/** A unit that somebody should look at. */
export interface Trouble {
  unit: Unit;
  word: Word;
  /** Since when, RFC 3339. */
  at: string | undefined;
  /** Whose output tells more. */
  run: Run | undefined;
  /** What has to change so that a dismissed one comes back. */
  key: string;
}

/** All that needs attention, the worst first, then the newest. A failure that is being retried is not yet one. */
export function troublesOf(
  units: Iterable<Unit>,
  { failures, active }: { failures: Failures; active: Iterable<Run> },
): Trouble[] {
  const retried = new Set<string>();
  for (const run of active) if (run.retry_of_run_id !== undefined) retried.add(run.task_name);
  const found: Trouble[] = [];
  for (const unit of units) {
    const trouble = unit.kind === "service" ? troubleOfService(unit) : troubleOfTask(unit, failures);
    if (trouble === undefined || retried.has(unit.name)) continue;
    found.push(trouble);
  }
  return found.sort((a, b) => rank(a) - rank(b) || Date.parse(b.at ?? "") - Date.parse(a.at ?? "") || 0);
}

function troubleOfService(unit: Unit): Trouble | undefined {
  const word = wordOfUnit(unit);
  if (!needsAttention(word)) return undefined;
  const run = unit.last_run;
  const at = run?.end_at ?? run?.created_at;
  return { unit, word, at, run, key: `${unit.name} ${unit.service_state}` };
}

function troubleOfTask(unit: Unit, failures: Failures): Trouble | undefined {
  const run = failures.get(unit.name);
  // Who has paused it has seen it.
  if (run === undefined || unit.paused_at !== undefined) return undefined;
  return { unit, word: wordOfRun(run), at: run.end_at ?? run.created_at, run, key: `${unit.name} ${run.id}` };
}

function rank({ word }: Trouble): number {
  return word.role === "bad" ? 0 : 1;
}

/** The dismissals that still mean something: what a service was dismissed for ends when it is well again, or stopped. */
export function stillMeant(dismissed: ReadonlySet<string>, units: ReadonlyMap<string, Unit>): string[] {
  return [...dismissed].filter((key) => {
    const unit = units.get(key.slice(0, key.lastIndexOf(" ")));
    return unit !== undefined && (unit.kind === "task" ||
      (unit.service_state !== "running" && unit.service_state !== "stopped"));
  });
}

/** `dismissed` with one more, and without those of the same unit before it. */
export function withDismissed(dismissed: ReadonlySet<string>, { key, unit }: Trouble): string[] {
  return [...dismissed].filter((one) => one.slice(0, one.lastIndexOf(" ")) !== unit.name).concat(key);
}
