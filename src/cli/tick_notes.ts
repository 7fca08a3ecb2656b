import { nextLocal } from "../core/cron/calendar.ts";
import type { Tick } from "../core/cron/next.ts";
import type { Schedule } from "../core/cron/parse.ts";
import { offsetAt, type Zone } from "../core/cron/zone.ts";

/** What daylight saving does to a tick, in words; empty where it does nothing. */
export function noteOf(tick: Tick, schedule: Schedule, zone: Zone): string {
  const shown = clock(tick.at + offsetAt(zone, tick.at));
  if (tick.note === "repeat") return `${shown} comes twice that day: does not run again`;
  if (tick.note === "" || schedule.kind === "every") return "";
  // The gap begins, on the clock as it was, where the tick is.
  const gap = Math.floor((tick.at + offsetAt(zone, tick.at - 1)) / 1000);
  return `${clock(nextLocal(schedule, gap) * 1000)} does not exist that day: runs at ${shown}`;
}

/** The time of day of a local time in ms, without seconds where there are none. */
function clock(local: number): string {
  const text = new Date(local).toISOString().slice(11, 19);
  return text.endsWith(":00") ? text.slice(0, 5) : text;
}
