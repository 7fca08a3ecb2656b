/** Schedules in plain English. */

import { describeDays } from "./describe_days.ts";
import { describeTimes } from "./describe_times.ts";
import type { Schedule } from "./parse.ts";
import { everyUnit, joinWords } from "./words.ts";

/** What a schedule means, such as "Mondays at 06:30" or "every 15 minutes on weekdays": times of its zone, no full stop. */
export function describeCron(schedule: Schedule): string {
  if (schedule.kind === "every") return describeInterval(schedule.everyMs);
  const days = describeDays(schedule.days, schedule.month.low);
  const times = describeTimes(schedule, days.daily);
  const sentence = times.kind === "list" ? `${days.lead} at ${times.text}` : `${times.text}${days.trail}`;
  return `${sentence}${times.seconds}`;
}

const units: ReadonlyArray<readonly [string, number]> = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
];

function describeInterval(everyMs: number): string {
  const whole = units.find(([, size]) => everyMs % size === 0 && everyMs / size < 100 && everyMs >= size);
  if (whole !== undefined) return everyUnit(everyMs / whole[1], whole[0]);
  const parts: Array<{ count: number; unit: string }> = [];
  let rest = everyMs;
  for (const [unit, size] of units) {
    // What is left at the end are seconds, with their decimals.
    const count = unit === "second" ? rest / size : Math.floor(rest / size);
    if (count > 0) parts.push({ count, unit });
    rest -= count * size;
  }
  return `every ${joinWords(parts.map(({ count, unit }) => `${count} ${unit}${count === 1 ? "" : "s"}`))}`;
}
