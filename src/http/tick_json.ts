import { describeCron } from "../core/cron/describe.ts";
import type { Tick } from "../core/cron/next.ts";
import type { Schedule } from "../core/cron/parse.ts";
import { isTimeZone, zoneOf } from "../core/cron/zone.ts";
import { upcomingTicks } from "../core/upcoming.ts";
import { Fault } from "../fault.ts";
import { isoTime } from "./run_json.ts";
import type { TickJson } from "./schemas/unit.ts";

/** A tick in UTC and on the wall clock of its zone. */
export function tickJson(tick: Tick, timezone: string): TickJson {
  const local = Temporal.Instant.fromEpochMilliseconds(tick.at).toZonedDateTimeISO(timezone);
  return {
    at: isoTime(tick.at),
    local: local.toString({ timeZoneName: "never", smallestUnit: "second" }),
    note: tick.note,
  };
}

/** An expression in words and its next ticks. Throws `Fault` for an unknown zone. */
export function preview(
  schedule: Schedule,
  options: { timezone: string; after: number; count: number },
): { description: string; ticks: TickJson[] } {
  const { timezone, after, count } = options;
  if (!isTimeZone(timezone)) {
    const message = `unknown time zone "${timezone}": use an IANA name like Europe/Berlin`;
    throw new Fault("invalid", message, [{ location: "query.timezone", message, value: timezone }]);
  }
  const zone = zoneOf(timezone);
  const ticks = upcomingTicks(schedule, zone, { after, anchor: after, count });
  return { description: describeCron(schedule), ticks: ticks.map((tick) => tickJson(tick, zone.name)) };
}
