import { ticksBetween } from "../../core/cron/next.ts";
import type { Schedule } from "../../core/cron/parse.ts";
import { zoneOf } from "../../core/cron/zone.ts";

/** What of a schedule falls into the hours that a clock skips or shows twice. */
export interface ClockChanges {
  /** A tick of fixed time is due in a gap. */
  gap: boolean;
  /** Elapsed time goes on through both passes of a repeated hour, or a fixed tick comes back in the second. */
  repeat: boolean;
}

/** Looked at for five years from here on: rules of zones change rarely, and weekdays differ from year to year. */
const from = Date.UTC(2027, 0, 1);
const to = Date.UTC(2032, 0, 1);

/** Looks at the ticks of a schedule around the clock changes of a zone (IANA). */
export function clockChanges(schedule: Schedule, timezone: string): ClockChanges {
  const found: ClockChanges = { gap: false, repeat: false };
  if (schedule.kind === "every") return found;
  const zone = zoneOf(timezone);
  zone.periodAt(to / 1000);
  for (const [index, start] of zone.starts.entries()) {
    const at = start * 1000;
    if (at < from || at >= to) continue;
    const forward = ((zone.offsets[index] ?? 0) - (zone.offsets[index - 1] ?? 0)) * 1000;
    const span = { from: at - 1, to: forward > 0 ? at : at - forward - 1 };
    for (const { note } of ticksBetween(schedule, zone, span)) {
      if (forward < 0) found.repeat = true;
      else if (note === "gap") found.gap = true;
      break;
    }
  }
  return found;
}

/** True when a schedule fires at the same minutes of each hour, so that a zone of whole hours is as good as UTC. */
export function isHourly(schedule: Schedule, timezone: string): boolean {
  if (schedule.kind === "every" || !schedule.elapsed) return false;
  const { hour, month, days } = schedule;
  const allHours = hour.low === 0xffffff;
  const allDays = days.shapes.every((shape, index) => (shape | 1) >>> 0 === upTo(28 + Math.floor(index / 7)));
  const zone = zoneOf(timezone);
  const last = zone.periodAt(to / 1000);
  const now = zone.periodAt(from / 1000);
  return allHours && allDays && month.low === 0b1111111111110 &&
    zone.offsets.slice(now, last + 1).every((offset) => offset % 3600 === 0);
}

/** Bits 0 to `length`. */
function upTo(length: number): number {
  return length === 31 ? 0xffffffff : 2 ** (length + 1) - 1;
}
