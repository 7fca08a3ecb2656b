import type { Run } from "../data/runs.ts";
import { wallTime } from "../parts/times.tsx";
import { lengthOf } from "./stats.ts";

/** Runs as points, oldest first: when each began, and how long it took. */
export interface Points {
  runs: Run[];
  /** Unix seconds. */
  times: number[];
  /** Seconds. */
  lengths: number[];
  failed: boolean[];
}

/** The least that a logarithm can show, s. */
const least = 0.001;

/** The points of runs that executed and have ended. */
export function pointsOf(runs: readonly Run[]): Points {
  const shown = runs.filter((run) => lengthOf(run) !== undefined)
    .sort((a, b) => Date.parse(a.start_at!) - Date.parse(b.start_at!));
  return {
    runs: shown,
    times: shown.map((run) => Date.parse(run.start_at!) / 1000),
    lengths: shown.map((run) => Math.max(least, lengthOf(run)! / 1000)),
    failed: shown.map((run) => run.end_reason !== "success"),
  };
}

/** What stands at the marks of an axis of time, with the date where it changes. `splits` and `step`: seconds. */
export function timeLabels(
  splits: readonly number[],
  { step, zone }: { step: number; zone: string },
): string[] {
  let before = "";
  return splits.map((seconds) => {
    const [, date = "", time = ""] = wallTime(seconds * 1000, zone, { exact: true }).split(" ");
    const isNew = date !== before;
    before = date;
    if (step >= 86_400) return date.slice(5);
    const clock = step >= 60 ? time.slice(0, 5) : time;
    return isNew ? `${clock}\n${date.slice(5)}` : clock;
  });
}
