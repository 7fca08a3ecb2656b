/**
 * Which days of a month a schedule means: dates, weekdays, and the items that count from the end of
 * the month or from its weekdays. A month is fully described by its length and its first weekday, so
 * a rule holds the 28 possible answers and never computes anything when ticks are looked for.
 */

import { bitsOf } from "./bits.ts";
import {
  beginsWithStar,
  CronError,
  DATE,
  intern,
  itemsOf,
  parseValue,
  quote,
  valuesOfItem,
  WEEKDAY,
} from "./field.ts";

/** The day of month field; all members but the flags are bit sets. */
export interface DateField {
  readonly star: boolean;
  /** Bits 1 to 31. */
  readonly dates: number;
  /** Bit n: n days before the last day (`L` is bit 0). */
  readonly fromEnd: number;
  /** Bit n: the weekday nearest to date n, in the same month (`nW`). */
  readonly nearest: number;
  /** `LW`: the last weekday of the month. */
  readonly lastWorkday: boolean;
}

/** The day of week field as sets of bits 0 (Sunday) to 6. */
export interface WeekdayField {
  readonly star: boolean;
  readonly weekdays: number;
  /** `dow#n` at index n - 1. */
  readonly nth: readonly number[];
  /** `dowL`: the last of its kind in the month. */
  readonly last: number;
}

/** Both day fields together. */
export interface DayRule {
  readonly date: DateField;
  readonly weekday: WeekdayField;
  /** One of the two is enough: neither field begins with a star. */
  readonly either: boolean;
  /** The days (bits 1 to 31) by `(length - 28) * 7 + weekday of the first`. */
  readonly shapes: Int32Array;
}

/** The rule of a day of month and a day of week field, shared by equal texts; CronError when one is malformed. */
export function parseDays(dateText: string, weekdayText: string): DayRule {
  return internedRule(`${dateText} ${weekdayText}`);
}

/** The days (bits 1 to 31) of a month with `length` days whose first is weekday `first` (0: Sunday). */
export function daysOfMonth(rule: DayRule, month: { length: number; first: number }): number {
  return rule.shapes[(month.length - 28) * 7 + month.first] ?? 0;
}

/** True when some month of `months` (bits 1 to 12) has a day of the rule in some year. */
export function everFires(rule: DayRule, months: number): boolean {
  for (const month of bitsOf(months)) {
    // A common and a leap year: each length of a month meets each first weekday within 400 years.
    for (const year of [2027, 2028]) {
      const length = lengthOfMonth(year, month);
      for (let first = 0; first < 7; first++) if (daysOfMonth(rule, { length, first }) !== 0) return true;
    }
  }
  return false;
}

/** The length of a month (1 to 12) in days. */
export function lengthOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return 30 + (month + (month >> 3) & 1);
}

const internedRule = intern((text) => {
  const [dateText = "", weekdayText = ""] = text.split(" ");
  const date = parseDate(dateText);
  const weekday = parseWeekday(weekdayText);
  const either = !date.star && !weekday.star;
  const shapes = new Int32Array(28);
  for (let length = 28; length <= 31; length++) {
    for (let first = 0; first < 7; first++) {
      const byDate = datesOf(date, { length, first });
      const byWeekday = weekdaysOf(weekday, { length, first });
      shapes[(length - 28) * 7 + first] = either ? byDate | byWeekday : byDate & byWeekday;
    }
  }
  const rule: DayRule = { date, weekday, either, shapes };
  return rule;
});

function parseDate(text: string): DateField {
  let dates = 0;
  let fromEnd = 0;
  let nearest = 0;
  let lastWorkday = false;
  for (const item of itemsOf(DATE, text)) {
    const special = /^(?:(L)(?:-(\d+))?|(LW)|(\d+)W)$/i.exec(item);
    if (special === null) {
      for (const date of valuesOfItem(DATE, item)) dates |= 1 << date;
    } else if (special[1] !== undefined) {
      const offset = Number(special[2] ?? 0);
      if (offset > 30) throw new CronError(`${DATE.name} ${quote(item)} counts back more than 30 days`);
      fromEnd |= 1 << offset;
    } else if (special[4] !== undefined) {
      nearest |= 1 << parseValue(DATE, special[4]);
    } else {
      lastWorkday = true;
    }
  }
  return { star: beginsWithStar(DATE, text), dates, fromEnd, nearest, lastWorkday };
}

function parseWeekday(text: string): WeekdayField {
  let weekdays = 0;
  let last = 0;
  const nth = [0, 0, 0, 0, 0];
  for (const item of itemsOf(WEEKDAY, text)) {
    const special = /^([a-z]{3}|\d+)(?:(L)|#(.*))$/i.exec(item);
    if (special === null) {
      if (/^L$/i.test(item)) {
        throw new CronError(
          `${WEEKDAY.name} ${quote(item)} needs a day in front, such as "5L" for the last Friday`,
        );
      }
      for (const weekday of valuesOfItem(WEEKDAY, item)) weekdays |= 1 << weekday;
      continue;
    }
    const bit = 1 << parseValue(WEEKDAY, special[1] ?? "") % 7;
    if (special[2] !== undefined) {
      last |= bit;
      continue;
    }
    const week = /^[1-5]$/.test(special[3] ?? "") ? Number(special[3]) : 0;
    if (week === 0) {
      throw new CronError(`${WEEKDAY.name} ${quote(item)} needs a week from 1 to 5 after the "#"`);
    }
    nth[week - 1] = (nth[week - 1] ?? 0) | bit;
  }
  return { star: beginsWithStar(WEEKDAY, text), weekdays, nth, last };
}

interface MonthShape {
  length: number;
  first: number;
}

function datesOf(field: DateField, month: MonthShape): number {
  let days = field.dates & upTo(month.length);
  for (const offset of bitsOf(field.fromEnd)) if (offset < month.length) days |= 1 << (month.length - offset);
  for (const date of bitsOf(field.nearest)) {
    if (date <= month.length) days |= 1 << nearestWorkday(date, month);
  }
  if (field.lastWorkday) days |= 1 << nearestWorkday(month.length, month);
  return days;
}

function weekdaysOf(field: WeekdayField, { length, first }: MonthShape): number {
  let days = onWeekdays(field.weekdays, first);
  for (const [index, weekdays] of field.nth.entries()) {
    if (weekdays !== 0) days |= onWeekdays(weekdays, first) & FIRST_WEEK << (7 * index);
  }
  if (field.last !== 0) days |= onWeekdays(field.last, first) & FIRST_WEEK << (length - 7);
  return days & upTo(length);
}

/** Bits 1 to 7. */
const FIRST_WEEK = 0b11111110;

/** Bits 1 to 31 that fall on one of `weekdays` (bits 0 to 6) when the first falls on `first`. */
function onWeekdays(weekdays: number, first: number): number {
  // The week that begins on the first of the month, as bits 0 to 6, four and a half times.
  const week = (weekdays | weekdays << 7) >>> first & 0b1111111;
  return (week | week << 7 | week << 14 | week << 21 | week << 28) << 1;
}

/** Saturday goes back a day and Sunday on a day, unless that would leave the month. */
function nearestWorkday(date: number, { length, first }: MonthShape): number {
  const weekday = (first + date - 1) % 7;
  if (weekday === 6) return date > 1 ? date - 1 : date + 2;
  if (weekday === 0) return date < length ? date + 1 : date - 2;
  return date;
}

/** Bits 1 to `length`. */
function upTo(length: number): number {
  return (length === 31 ? -1 : (1 << (length + 1)) - 1) & -2;
}
