/** The ticks of a schedule in a time zone, clock changes included (docs/behaviour.md#zones). */

import { DAY, fitsLocal, LAST_LOCAL, nextLocal } from "./calendar.ts";
import type { FieldSchedule, Schedule } from "./parse.ts";
import type { Zone } from "./zone.ts";

/**
 * One tick: `at` in Unix ms. `gap`: a fixed-time tick that the clock skipped, moved to the first instant
 * after the gap. `repeat`: a fixed-time tick whose local time came before, not to be run again.
 */
export interface Tick {
  at: number;
  note: "" | "gap" | "repeat";
}

/**
 * The first tick strictly after `after` (Unix ms); undefined when there is none up to the year 9999. `@every` ticks at
 * `anchor` plus any whole multiple of its interval, anchor 0 unless given. RangeError when a time is not finite.
 */
export function nextTick(
  schedule: Schedule,
  zone: Zone,
  options: { after: number; anchor?: number },
): Tick | undefined {
  const { after, anchor = 0 } = options;
  if (!Number.isFinite(after) || !Number.isFinite(anchor)) {
    throw new RangeError(`no tick after ${after} with anchor ${anchor}: times must be finite`);
  }
  if (schedule.kind === "fields") {
    return nextFields(schedule, zone, Math.max(Math.floor(after / 1000) + 1, FIRST_SECOND));
  }
  const at = anchor + (Math.floor((after - anchor) / schedule.everyMs) + 1) * schedule.everyMs;
  return at > LAST_MS ? undefined : { at, note: "" };
}

/** All ticks after `from` and up to `to` (Unix ms, `to` included), in order, found one by one as they are asked for. */
export function* ticksBetween(
  schedule: Schedule,
  zone: Zone,
  options: { from: number; to: number; anchor?: number },
): Generator<Tick> {
  const { from, to, anchor = 0 } = options;
  let tick = nextTick(schedule, zone, { after: from, anchor });
  while (tick !== undefined && tick.at <= to) {
    yield tick;
    tick = nextTick(schedule, zone, { after: tick.at, anchor });
  }
}

/** 0001-01-01T00:00:00Z. */
const FIRST_SECOND = -62_135_596_800;

const LAST_MS = LAST_LOCAL * 1000;

/** The first tick at or after the UTC second `from`, looked for period by period in local time. */
function nextFields(schedule: FieldSchedule, zone: Zone, from: number): Tick | undefined {
  // LAST_LOCAL is a local time, and a zone may be a day behind; later than that nothing is asked of the zone.
  for (let second = from; second <= LAST_LOCAL + DAY;) {
    const period = zone.periodAt(second);
    const start = zone.starts[period] ?? -Infinity;
    const end = zone.starts[period + 1] ?? Infinity;
    const offset = zone.offsets[period] ?? 0;
    const former = period > 0 ? zone.offsets[period - 1] ?? offset : offset;
    let local = second + offset;
    if (second === start && offset > former && !schedule.elapsed) {
      // The clock has just skipped [start + former, local): whatever was due in there is due now, once.
      const skipped = nextLocal(schedule, start + former);
      if (skipped < local) {
        return { at: start * 1000, note: fitsLocal(schedule, local) ? "" : "gap" };
      }
      local = skipped;
    } else {
      local = nextLocal(schedule, local);
    }
    if (local > LAST_LOCAL) return undefined;
    const found = local - offset;
    if (found < end) {
      // Local times before start + former were on the clock once already, in the period before.
      const repeated = !schedule.elapsed && local < start + former;
      return { at: found * 1000, note: repeated ? "repeat" : "" };
    }
    second = end;
  }
  return undefined;
}
