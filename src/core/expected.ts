import type { Happening } from "./notices.ts";
import { quantile } from "./quantile.ts";
import { durationWords, utcTime } from "./time_words.ts";

/** How much longer than its tick and its usual time a run may take before a success is said to stay away, ms. */
const leeway = 5 * 60_000;
/** So many runs tell what is usual. */
export const leastRuns = 20;
/** A run is not called slow for less than this beyond what is usual, ms. */
const leastExcess = 5000;

/** The value (at least one is there) that a share of all does not exceed, by nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  return quantile(values.toSorted((a, b) => a - b), share)!;
}

/**
 * When the next success of a task is due at the latest, Unix ms; undefined: none is expected. `every` is the task's
 * `expect_every`; `last` the end of its last success, or since when it is watched; `tick` the first tick after that,
 * where it has a schedule; `durations` those of its last successes, ms.
 */
export function successDue(
  { every, last, tick, durations }: {
    every: number | "auto";
    last: number;
    tick: number | undefined;
    durations: readonly number[];
  },
): number | undefined {
  if (every !== "auto") return every === 0 ? undefined : last + every;
  if (tick === undefined) return undefined;
  return tick + leeway + (durations.length === 0 ? 0 : 2 * percentile(durations, 0.95));
}

/**
 * From which time on (ms) a run is slow; undefined: it never is. `warnAfter` is the task's own (0: never), else three
 * times the 95th percentile of its last successes, where there are enough of them.
 */
export function slowAfter(
  { warnAfter, durations }: { warnAfter: number | undefined; durations: readonly number[] },
): number | undefined {
  if (warnAfter !== undefined) return warnAfter === 0 ? undefined : warnAfter;
  if (durations.length < leastRuns) return undefined;
  const usual = percentile(durations, 0.95);
  return Math.max(3 * usual, usual + leastExcess);
}

/**
 * That no success of a task was seen when one was due. `last`: the end of the last one, where its row is still there;
 * `since`: from when on one was waited for.
 */
export function happeningOfOverdue(
  { unit, due, last, since, at }: {
    unit: string;
    due: number;
    last: number | undefined;
    since: number;
    at: number;
  },
): Happening {
  return {
    kind: "run.overdue",
    reason: "",
    severity: "error",
    unit,
    runId: "",
    isFailure: true,
    title: `Task "${unit}" is overdue: no success was seen`,
    body: [
      `one was due by ${utcTime(due)}`,
      last === undefined
        ? `none was seen for ${durationWords(at - since)}`
        : `the last one ended ${durationWords(at - last)} ago`,
    ].join("\n"),
    at,
  };
}

/** That a run goes on for longer than it should. Times in ms. */
export function happeningOfSlow(
  { unit, runId, ran, usual, at }: {
    unit: string;
    runId: string;
    ran: number;
    /** The 95th percentile of its last successes; undefined: `warn_after` says what is too long. */
    usual: number | undefined;
    at: number;
  },
): Happening {
  return {
    kind: "run.slow",
    reason: "",
    severity: "warn",
    unit,
    runId,
    isFailure: false,
    title: `Task "${unit}" is slow: it still runs after ${durationWords(ran)}`,
    body: usual === undefined
      ? "that is longer than warn_after says"
      : `19 of 20 runs take ${durationWords(usual)} at most`,
    at,
  };
}
