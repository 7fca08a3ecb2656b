/**
 * Day rules that no list of dates and no list of weekdays says. In a month of a known length a date and its weekday
 * tell on which weekday the month began, so that any rule is a set of such pairs; only February needs its years told
 * apart.
 */

import { bitsOf } from "../../../core/cron/bits.ts";
import { type DayRule, daysOfMonth } from "../../../core/cron/days.ts";
import { datesText, monthsText, weekdaysText } from "./calendar_text.ts";

/** What stands before the time in each line: weekdays, years, months and dates. */
export function dayPairs(rule: DayRule, months: number): string[] {
  return lengths.flatMap(({ length, years, months: long }) => {
    const meant = months & long;
    return meant === 0 ? [] : linesOf(pairsOf(rule, length), `${years}-${monthsText(meant)}-`);
  });
}

const bits = (...months: number[]) => months.reduce((set, month) => set | 1 << month, 0);

/** Years up to 2199, where systemd's end; 2100 is no leap year though 4 divides it. */
const lengths = [
  { length: 31, years: "*", months: bits(1, 3, 5, 7, 8, 10, 12) },
  { length: 30, years: "*", months: bits(4, 6, 9, 11) },
  { length: 28, years: "1970/4,1971/4,1973/4,2100", months: bits(2) },
  { length: 29, years: "1972..2096/4,2104/4", months: bits(2) },
] as const;

/** For each weekday the dates (bits 1 to 31) on which the rule holds when it falls on them. */
function pairsOf(rule: DayRule, length: number): number[] {
  const pairs = [0, 0, 0, 0, 0, 0, 0];
  for (let first = 0; first < 7; first++) {
    for (const day of bitsOf(daysOfMonth(rule, { length, first }))) {
      const weekday = (first + day - 1) % 7;
      pairs[weekday] = (pairs[weekday] ?? 0) | 1 << day;
    }
  }
  return pairs;
}

/** One line for each set of dates, with all weekdays that have it. */
function linesOf(pairs: readonly number[], before: string): string[] {
  const weekdaysByDates = new Map<number, number>();
  for (const [weekday, dates] of pairs.entries()) {
    if (dates !== 0) weekdaysByDates.set(dates, (weekdaysByDates.get(dates) ?? 0) | 1 << weekday);
  }
  return [...weekdaysByDates].map(([dates, weekdays]) =>
    `${weekdaysText(weekdays)}${before}${datesText(dates)}`
  );
}
