/**
 * Schedules as lines of `OnCalendar=`. A calendar event of systemd has a list of weekdays that must fit *and* a
 * date, so that "either day field is enough" takes two lines, and the nearest workday three.
 */

import { bitsOf } from "../../../core/cron/bits.ts";
import type { DateField, WeekdayField } from "../../../core/cron/days.ts";
import type { FieldSchedule, Schedule } from "../../../core/cron/parse.ts";
import { twoDigits } from "../../../core/cron/words.ts";
import { everyTimes, type TimesOfDay } from "../every_times.ts";
import { valuesOf } from "../field_values.ts";
import { datesText, listText, monthsText, weekdaysText } from "./calendar_text.ts";
import { dayPairs } from "./day_pairs.ts";

/** A schedule as systemd says it: at times of a calendar, or so long after the last start. */
export type SystemdTimes =
  | { kind: "calendar"; lines: string[] }
  | { kind: "every"; everyMs: number };

/** The timer of a schedule; `timezone` (IANA) is left out for the machine's own. */
export function systemdTimes(schedule: Schedule, timezone?: string): SystemdTimes {
  if (schedule.kind === "every") {
    const times = everyTimes(schedule.everyMs);
    if (times === undefined) return { kind: "every", everyMs: schedule.everyMs };
    return { kind: "calendar", lines: times.map((time) => `*-*-* ${timeOf(time)} UTC`) };
  }
  const time = timeOf({
    hours: valuesOf(schedule.hour),
    minutes: valuesOf(schedule.minute),
    seconds: valuesOf(schedule.second),
  });
  const zone = timezone === undefined ? "" : ` ${timezone}`;
  return { kind: "calendar", lines: daysOf(schedule).map((day) => `${day} ${time}${zone}`) };
}

const ALL_DATES = ~1;
const ALL_WEEKDAYS = 0b1111111;
const WORKDAYS = 0b0111110;

/** What stands before the time in each line. */
function daysOf({ days, month }: FieldSchedule): string[] {
  const { date, weekday, either } = days;
  const months = monthsText(month.low);
  const anyDate = date.dates === ALL_DATES;
  const anyWeekday = weekday.weekdays === ALL_WEEKDAYS;
  if (either) {
    if (anyDate || anyWeekday) return [`*-${months}-*`];
    const texts = [byDate(date, months), byWeekday(weekday, months)];
    if (texts[0] !== undefined && texts[1] !== undefined) return [...texts[0], ...texts[1]];
  } else {
    const texts = anyWeekday
      ? byDate(date, months)
      : anyDate
      ? byWeekday(weekday, months)
      : bothPlain(date, weekday)
      ? [`${weekdaysText(weekday.weekdays)}*-${months}-${datesText(date.dates)}`]
      : undefined;
    if (texts !== undefined) return texts;
  }
  return dayPairs(days, month.low);
}

function bothPlain(date: DateField, weekday: WeekdayField): boolean {
  return !date.lastWorkday && date.fromEnd === 0 && date.nearest === 0 && weekday.last === 0 &&
    weekday.nth.every((days) => days === 0);
}

/** Undefined where it depends on how long the month is: the nearest workday, and days that February has not. */
function byDate(field: DateField, months: string): string[] | undefined {
  if (field.dates === ALL_DATES) return [`*-${months}-*`];
  const days: string[] = [];
  if (field.dates !== 0) days.push(`*-${months}-${datesText(field.dates)}`);
  if (field.fromEnd !== 0) {
    const fromEnd = bitsOf(field.fromEnd << 1);
    // February is the shortest month, and systemd counts no further back.
    if (fromEnd.some((day) => day > 28)) return undefined;
    // A step from the end would count forward again, so they are listed.
    days.push(`*-${months}~${fromEnd.map(twoDigits).join(",")}`);
  }
  const workdays = weekdaysText(WORKDAYS);
  for (const date of bitsOf(field.nearest)) {
    if (date > 27) return undefined;
    days.push(`${workdays}*-${months}-${twoDigits(date)}`);
    // A Saturday goes back to the Friday, a Sunday on to the Monday, and the month is never left.
    if (date === 1) days.push(`Mon *-${months}-02,03`);
    else days.push(`Fri *-${months}-${twoDigits(date - 1)}`, `Mon *-${months}-${twoDigits(date + 1)}`);
  }
  if (field.lastWorkday) days.push(`${workdays}*-${months}~01`, `Fri *-${months}~02,03`);
  return days;
}

function byWeekday(field: WeekdayField, months: string): string[] {
  const days: string[] = [];
  if (field.weekdays !== 0) days.push(`${weekdaysText(field.weekdays)}*-${months}-*`);
  for (const [index, weekdays] of field.nth.entries()) {
    if (weekdays === 0) continue;
    const first = 7 * index + 1;
    const last = Math.min(first + 6, 31);
    days.push(`${weekdaysText(weekdays)}*-${months}-${twoDigits(first)}..${twoDigits(last)}`);
  }
  if (field.last !== 0) days.push(`${weekdaysText(field.last)}*-${months}~07/1`);
  return days;
}

function timeOf({ hours, minutes, seconds }: TimesOfDay): string {
  return [
    listText(hours, { min: 0, max: 23 }),
    listText(minutes, { min: 0, max: 59 }),
    listText(seconds, { min: 0, max: 59 }),
  ].join(":");
}
