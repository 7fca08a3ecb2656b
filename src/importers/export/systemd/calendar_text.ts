/** The lists of a calendar event of systemd. */

import { bitsOf } from "../../../core/cron/bits.ts";
import { evenStep, runsOf, twoDigits } from "../../../core/cron/words.ts";

/** Months of a date: `*`, or a list. */
export function monthsText(months: number): string {
  return listText(bitsOf(months), { min: 1, max: 12 });
}

/** "Mon..Fri", "Sat,Sun", with a blank behind; empty for all days. */
export function weekdaysText(weekdays: number): string {
  // From Monday on, as systemd counts: Sunday is the last.
  const days = bitsOf((weekdays >> 1 & 0b111111) | (weekdays & 1) << 6);
  if (days.length === 7) return "";
  const nameOf = (day: number | undefined) => weekdayNames[((day ?? 0) + 1) % 7];
  const texts = runsOf(days, 1).map((run) =>
    run.length > 2 ? `${nameOf(run[0])}..${nameOf(run.at(-1))}` : run.map(nameOf).join(",")
  );
  return `${texts.join(",")} `;
}

/** A list of days of the month, or of days from its end. */
export function datesText(dates: number): string {
  return listText(bitsOf(dates), { min: 1, max: 31 });
}

/**
 * `*`, a step through all minutes or seconds (`00/5`), or values and ranges, each of two digits. Other steps are listed:
 * systemd 252 goes from `00/5` at 20:00 on New Year's Eve to 05:00, and finds no time at all for `06/8` before a
 * night in which clocks go forward.
 */
export function listText(values: readonly number[], { min, max }: { min: number; max: number }): string {
  if (values.length === max - min + 1) return "*";
  const step = evenStep(values);
  const isEven = (max - min + 1) % step === 0 && values[0] === min &&
    values.length === (max - min + 1) / step;
  if (step > 1 && values.length > 2 && max === 59 && isEven) return `${twoDigits(min)}/${step}`;
  return runsOf(values, 1).map((run) =>
    run.length > 2 ? `${twoDigits(run[0] ?? 0)}..${twoDigits(run.at(-1) ?? 0)}` : run.map(twoDigits).join(",")
  ).join(",");
}

const weekdayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
