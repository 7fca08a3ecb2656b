import { nextLocal } from "../../../src/core/cron/calendar.ts";
import { parseCron, type Schedule } from "../../../src/core/cron/parse.ts";
import type { TickJson } from "../../../src/http/schemas/unit.ts";

/** What daylight saving does to a tick, in words; empty where it does nothing. */
export function tickNote(tick: TickJson, { cron, timezone }: { cron: string; timezone: string }): string {
  const shown = clock(tick.local);
  if (tick.note === "repeat") return `the second ${shown} is left out`;
  if (tick.note !== "gap") return "";
  const wanted = skippedTime(Date.parse(tick.at), { cron, timezone });
  return wanted === undefined
    ? `moved out of the hour that does not exist that day`
    : `${wanted} does not exist that day: runs at ${shown}`;
}

/** `Sun 2027-03-28 03:00`, with seconds where there are some. */
export function tickTime({ local }: Pick<TickJson, "local">): string {
  const date = local.slice(0, 10);
  const weekday =
    ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][new Date(`${date}T00:00:00Z`).getUTCDay()];
  return `${weekday} ${date} ${clock(local)}`;
}

/** The time of day of a local time, without seconds where there are none. */
function clock(local: string): string {
  const time = local.slice(11, 19);
  return time.endsWith(":00") ? time.slice(0, 5) : time;
}

/** The time of day that a tick was meant for, which the clocks have skipped. */
function skippedTime(at: number, { cron, timezone }: { cron: string; timezone: string }): string | undefined {
  let schedule: Schedule;
  try {
    schedule = parseCron(cron);
  } catch {
    return undefined;
  }
  if (schedule.kind !== "fields") return undefined;
  // The gap begins, on the clock as it was, where the tick is.
  const gap = Math.floor(at / 1000) + offsetBefore(at, timezone);
  const local = nextLocal(schedule, gap);
  return Number.isFinite(local) ? clock(new Date(local * 1000).toISOString()) : undefined;
}

/** The offset of a zone just before a time, seconds. Browsers know no Temporal yet. */
function offsetBefore(at: number, timezone: string): number {
  const name = new Intl.DateTimeFormat("en", { timeZone: timezone, timeZoneName: "longOffset" })
    .formatToParts(at - 1).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const match = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name);
  if (match === null) return 0;
  const [, sign, hours, minutes, seconds = "0"] = match;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}
