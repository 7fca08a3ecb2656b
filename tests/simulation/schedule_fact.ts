import { nextTick, type Tick, ticksBetween } from "../../src/core/cron/next.ts";
import type { Schedule } from "../../src/core/cron/parse.ts";
import type { Zone } from "../../src/core/cron/zone.ts";
import type { Config, Task } from "../../src/types.ts";

/** What is known of a schedule. Times are of the wall clock. */
export interface ScheduleFact {
  definition: string;
  schedule: Schedule;
  zone: Zone;
  anchor: number;
  /** All ticks up to this one have been answered, by rows that were seen. */
  answered: number;
  /** The mark that is stored. */
  handled: number;
  isPaused: boolean;
  /** The clock was so far ahead that the schedule goes on before the mark. */
  back?: Back;
  /** What this boot must make of the ticks that were missed. */
  plan?: MissedPlan;
  /** The same, until the boot comes to it: the task. */
  missedBy?: Task;
  /** A missed row is to be followed by runs at once, so many as this, for ticks up to `until`. */
  follow?: { runs: number; at: number; until?: number };
}

/** Where a schedule goes on that a wrong clock had taken far ahead. */
export interface Back {
  /** When the clock was set right, and up to when that may not have been noticed. */
  from: number;
  noticed: number;
  /** The last tick that was answered since. */
  last: number;
  /** The clock has been moved again since. */
  isUnsure: boolean;
}

export interface MissedPlan {
  record?: { newest: number; count: number };
  run: number[];
}

/** From here on missed ticks are not counted. */
export const mostCounted = 10_000;

/** Further than a clock is set back in good order. */
export function isFarAhead(mark: number, now: number): boolean {
  return mark - now > 24 * 3_600_000;
}

/** The tick of a schedule after a moment. */
export function tickAfter(fact: ScheduleFact, after: number): Tick | undefined {
  return nextTick(fact.schedule, fact.zone, { after, anchor: fact.anchor });
}

/** What a start must make of the ticks up to `to`: counted one by one. */
export function planOf(
  fact: ScheduleFact,
  { task, to }: { task: Task; to: number },
): MissedPlan {
  const span = { from: fact.answered, to, anchor: fact.anchor };
  const missed: number[] = [];
  for (const { at, note } of ticksBetween(fact.schedule, fact.zone, span)) {
    if (note !== "repeat") missed.push(at);
  }
  const wanted = task.catchUp === "skip" ? 0 : task.catchUp === "latest" ? 1 : task.maxCatchUpRuns;
  const run = wanted === 0 ? [] : missed.slice(-wanted);
  const left = missed.slice(0, missed.length - run.length);
  return left.length === 0 ? { run } : { run, record: { newest: left.at(-1)!, count: left.length } };
}

/** How many ticks lie in (from, to], and whether the last is at `to`. */
export function countIn(
  fact: ScheduleFact,
  span: { from: number; to: number },
): { count: number; isTick: boolean } {
  let count = 0;
  let last = -1;
  for (const { at, note } of ticksBetween(fact.schedule, fact.zone, { ...span, anchor: fact.anchor })) {
    if (note !== "repeat") count++;
    last = at;
  }
  return { count, isTick: last === span.to };
}

/** A plan in words. */
export function say({ record, run }: MissedPlan): string {
  return `${
    record === undefined ? "no record" : `${record.count} up to ${iso(record.newest)}`
  }, ${run.length} to run`;
}

/** What a schedule is told apart by. */
export function definitionOf(task: Task, config: Config): string | undefined {
  if (task.cron === undefined) return undefined;
  return `${task.cron} ${task.timezone ?? config.daemon.timezone ?? "UTC"}`;
}

/** A moment in words. */
export function iso(at: number): string {
  return new Date(at).toISOString();
}
