import { ticksBetween } from "../../core/cron/next.ts";
import type { Schedule } from "../../core/cron/parse.ts";
import { zoneOf } from "../../core/cron/zone.ts";

/** The smallest time between two ticks, ms, as a year of UTC or its first thousand ticks show it. */
export function smallestGap(schedule: Schedule): number {
  if (schedule.kind === "every") return schedule.everyMs;
  const from = Date.UTC(2027, 0, 1);
  let smallest = 366 * 86_400_000;
  let last: number | undefined;
  let count = 0;
  for (const { at } of ticksBetween(schedule, zoneOf("UTC"), { from, to: from + 2 * smallest })) {
    if (last !== undefined) smallest = Math.min(smallest, at - last);
    last = at;
    if (++count === 1000) break;
  }
  return smallest;
}
