import { type Tick, ticksBetween } from "./cron/next.ts";
import type { Schedule } from "./cron/parse.ts";
import type { Zone } from "./cron/zone.ts";
import type { CatchUp } from "../types.ts";

/** What becomes of ticks that were missed (docs/behaviour.md#downtime). Times are Unix ms. */
export interface MissedPlan {
  /** Ticks to run now, oldest first. */
  run: number[];
  /** The one row for all ticks that are not run. */
  record?: { newest: number; count: number; isFailure: boolean };
}

/** Counting stops here: nobody needs to know how many seconds a year has. */
export const mostCounted = 10_000;

const hour = 3_600_000;

/** Plans over the ticks in (from, to]. Ticks of a repeated hour would not have run and are not missed. */
export function planMissed(
  schedule: Schedule,
  zone: Zone,
  span: { from: number; to: number; anchor: number; catchUp: CatchUp; maxCatchUpRuns: number },
): MissedPlan {
  const wanted = span.catchUp === "all" ? span.maxCatchUpRuns : 1;
  const newest = newestTicks(schedule, zone, { ...span, wanted: wanted + 1 });
  if (newest.length === 0) return { run: [] };
  const run = span.catchUp === "skip" ? [] : newest.slice(-wanted);
  const left = newest.slice(0, newest.length - run.length);
  const newestLeft = left.at(-1);
  if (newestLeft === undefined) return { run };
  const count = countTicks(schedule, zone, { ...span, most: mostCounted + run.length }) - run.length;
  return { run, record: { newest: newestLeft, count, isFailure: span.catchUp !== "latest" } };
}

/** The newest `wanted` ticks in (from, to], oldest first: looks back in windows, so that a long absence costs little. */
function newestTicks(
  schedule: Schedule,
  zone: Zone,
  span: { from: number; to: number; anchor: number; wanted: number },
): number[] {
  for (let window = hour;; window *= 8) {
    const from = Math.max(span.from, span.to - window);
    const found: number[] = [];
    for (const tick of ticksBetween(schedule, zone, { from, to: span.to, anchor: span.anchor })) {
      if (isMissable(tick)) found.push(tick.at);
    }
    if (found.length >= span.wanted || from === span.from) return found.slice(-span.wanted);
  }
}

function countTicks(
  schedule: Schedule,
  zone: Zone,
  span: { from: number; to: number; anchor: number; most: number },
): number {
  let count = 0;
  for (const tick of ticksBetween(schedule, zone, span)) {
    if (isMissable(tick) && ++count >= span.most) break;
  }
  return count;
}

function isMissable(tick: Tick): boolean {
  return tick.note !== "repeat";
}
