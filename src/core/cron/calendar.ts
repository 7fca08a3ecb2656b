/**
 * Wall-clock arithmetic without a zone. A local time is a number: seconds from 1970-01-01T00:00:00 on
 * a clock that never changes. Plain numbers, because this is where the time of a search is spent.
 */

import { lowestFrom, lowestOf64 } from "./bits.ts";
import { daysOfMonth, lengthOfMonth } from "./days.ts";
import type { FieldSchedule } from "./parse.ts";

/** Seconds of a day. */
export const DAY = 86_400;

/** The last local second that is looked at, 9999-12-31T23:59:59. */
export const LAST_LOCAL = 253_402_300_799;

/** The first local time at or after `from` (whole seconds) that fits the fields; Infinity when there is none up to the year 9999. */
export function nextLocal(schedule: FieldSchedule, from: number): number {
  const today = Math.floor(from / DAY);
  const date = dateOf(today);
  const day = date & 31;
  let month = date >> 5 & 15;
  let year = date >> 9;
  const months = schedule.month.low;
  if (months >>> month & 1) {
    const first = today - day + 1;
    const days = daysOf(schedule, { year, month, first });
    if (days >>> day & 1) {
      const time = nextTimeOfDay(schedule, from - today * DAY);
      if (time >= 0) return today * DAY + time;
    }
    const later = days & (-2 << day);
    if (later !== 0) return (first + lowestFrom(later, 0) - 1) * DAY + nextTimeOfDay(schedule, 0);
  }
  for (;;) {
    month = lowestFrom(months, month + 1);
    if (month < 0) {
      month = lowestFrom(months, 0);
      year++;
      if (year > LAST_YEAR) return Infinity;
    }
    const first = dayOf(year, month);
    const days = daysOf(schedule, { year, month, first });
    if (days !== 0) return (first + lowestFrom(days, 0) - 1) * DAY + nextTimeOfDay(schedule, 0);
  }
}

/** True when a local time (whole seconds) fits all fields. */
export function fitsLocal(schedule: FieldSchedule, local: number): boolean {
  return nextLocal(schedule, local) === local;
}

const LAST_YEAR = 9999;

/** Days from 0000-03-01, where years that end with February begin, to 1970-01-01. */
const EPOCH = 719_468;

/** The day number (1970-01-01 is 0) of the first of a month. */
function dayOf(year: number, month: number): number {
  // Counted from March, the leap day is a year's last and the month lengths follow one straight line.
  const marchYear = month < 3 ? year - 1 : year;
  const marchMonth = month < 3 ? month + 9 : month - 3;
  return beginOf(marchYear) + Math.floor((153 * marchMonth + 2) / 5) - EPOCH;
}

/** Year, month and day of a day number, packed as `year << 9 | month << 5 | day` to spare an allocation. */
function dateOf(dayNumber: number): number {
  const days = dayNumber + EPOCH;
  let marchYear = Math.floor(days / 365.2425);
  // A year begins less than a day later than mean years say, but up to two days earlier.
  if (beginOf(marchYear + 1) <= days) marchYear++;
  const dayOfYear = days - beginOf(marchYear);
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  return marchMonth < 10
    ? marchYear << 9 | (marchMonth + 3) << 5 | day
    : (marchYear + 1) << 9 | (marchMonth - 9) << 5 | day;
}

/** Days from 0000-03-01 to March 1 of a year. */
function beginOf(marchYear: number): number {
  return 365 * marchYear + Math.floor(marchYear / 4) - Math.floor(marchYear / 100) +
    Math.floor(marchYear / 400);
}

function daysOf(
  schedule: FieldSchedule,
  { year, month, first }: { year: number; month: number; first: number },
): number {
  const weekday = ((first + 4) % 7 + 7) % 7;
  return daysOfMonth(schedule.days, { length: lengthOfMonth(year, month), first: weekday });
}

/** The first allowed second of the day at or after `from` (0 to 86399); -1 when the day has no more. */
function nextTimeOfDay(schedule: FieldSchedule, from: number): number {
  const hour = Math.floor(from / 3600);
  const minute = Math.floor(from / 60) % 60;
  const hours = schedule.hour.low;
  if (hours >>> hour & 1) {
    if (hasMinute(schedule, minute)) {
      const second = lowestOf64(schedule.second, from % 60);
      if (second >= 0) return from - from % 60 + second;
    }
    const later = lowestOf64(schedule.minute, minute + 1);
    if (later >= 0) return hour * 3600 + later * 60 + lowestOf64(schedule.second, 0);
  }
  const later = lowestFrom(hours, hour + 1);
  if (later < 0) return -1;
  return later * 3600 + lowestOf64(schedule.minute, 0) * 60 + lowestOf64(schedule.second, 0);
}

function hasMinute(schedule: FieldSchedule, minute: number): boolean {
  const { low, high } = schedule.minute;
  return (minute < 32 ? low >>> minute & 1 : high >>> (minute - 32) & 1) === 1;
}
