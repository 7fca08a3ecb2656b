import { nextTick, type Tick } from "./cron/next.ts";
import type { Schedule } from "./cron/parse.ts";
import type { Zone } from "./cron/zone.ts";

/** The next `count` ticks after a time (Unix ms), those that will only be recorded as `dst_skipped` included. */
export function upcomingTicks(
  schedule: Schedule,
  zone: Zone,
  options: { after: number; anchor: number; count: number },
): Tick[] {
  const ticks: Tick[] = [];
  let after = options.after;
  while (ticks.length < options.count) {
    const tick = nextTick(schedule, zone, { after, anchor: options.anchor });
    if (tick === undefined) break;
    ticks.push(tick);
    after = tick.at;
  }
  return ticks;
}

/** The first tick after a time that will run: one that is only recorded as `dst_skipped` is passed over. */
export function nextRunningTick(
  schedule: Schedule,
  zone: Zone,
  options: { after: number; anchor: number },
): number | undefined {
  let tick = nextTick(schedule, zone, options);
  while (tick?.note === "repeat") tick = nextTick(schedule, zone, { after: tick.at, anchor: options.anchor });
  return tick?.at;
}
