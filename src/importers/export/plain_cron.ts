/**
 * Schedules in the narrower dialects of others. What is written is made from the values that a field stands for, not
 * from its text, since the same text is read differently: day 7, ranges round the end, and `*` beside a restricted
 * day field are no common ground.
 */

import { bitsOf } from "../../core/cron/bits.ts";
import type { DateField, WeekdayField } from "../../core/cron/days.ts";
import type { FieldSchedule, Schedule } from "../../core/cron/parse.ts";
import { evenStep, runsOf } from "../../core/cron/words.ts";
import { everyTimes } from "./every_times.ts";
import { valuesOf } from "./field_values.ts";

/** What a dialect knows beyond five plain fields. */
export interface CronDialect {
  /** Seven fields: seconds in front, years behind. */
  seconds: boolean;
  /** `L`, `LW`, `nW`, `nL` and `n#k`. */
  specials: boolean;
  /** More than one expression for a job. */
  several: boolean;
}

/** Expressions that say all of a schedule, in UTC where `utc` is set, or why there are none. */
export type PlainCron = { crons: string[]; utc: boolean } | { why: string };

/** A schedule in a dialect in which both day fields restricted mean "either". */
export function plainCron(schedule: Schedule, dialect: CronDialect): PlainCron {
  if (schedule.kind === "every") {
    const times = everyTimes(schedule.everyMs, dialect.several ? 12 : 1);
    if (times === undefined) return { why: "such an interval is no time of a calendar there" };
    const parts = times.map(({ hours, minutes, seconds }) =>
      withSeconds(seconds, { dialect, rest: `${timeText(minutes, 60)} ${timeText(hours, 24)} * * *` })
    );
    const crons = parts.filter((part) => part !== undefined);
    return crons.length === parts.length ? { crons, utc: true } : { why: noSeconds };
  }
  const days = daysText(schedule, dialect);
  if ("why" in days) return days;
  const month = textOf(bitsOf(schedule.month.low), { min: 1, max: 12 });
  const cron = withSeconds(valuesOf(schedule.second), {
    dialect,
    rest: `${timeText(valuesOf(schedule.minute), 60)} ${
      timeText(valuesOf(schedule.hour), 24)
    } ${days.date} ${month} ${days.weekday}`,
  });
  return cron === undefined ? { why: noSeconds } : { crons: [cron], utc: false };
}

const noSeconds = "there is nothing finer than a minute there";

function withSeconds(
  seconds: readonly number[],
  { dialect, rest }: { dialect: CronDialect; rest: string },
): string | undefined {
  if (seconds.length === 1 && seconds[0] === 0) return rest;
  return dialect.seconds ? `${timeText(seconds, 60)} ${rest} *` : undefined;
}

const ALL_DATES = ~1;
const ALL_WEEKDAYS = 0b1111111;

function daysText(
  { days: { date, weekday, either } }: FieldSchedule,
  dialect: CronDialect,
): { date: string; weekday: string } | { why: string } {
  const anyDate = date.dates === ALL_DATES;
  const anyWeekday = weekday.weekdays === ALL_WEEKDAYS;
  if (either ? anyDate || anyWeekday : anyDate && anyWeekday) return { date: "*", weekday: "*" };
  if (!either && !anyDate && !anyWeekday) {
    return { why: "two restricted day fields mean either of them there, not both" };
  }
  const dateText = anyDate ? "*" : dates(date, dialect);
  const weekdayText = anyWeekday ? "*" : weekdays(weekday, dialect);
  if (dateText === undefined || weekdayText === undefined) {
    return { why: "there is no word for such days (L, W, #) there" };
  }
  return { date: dateText, weekday: weekdayText };
}

function dates(field: DateField, { specials }: CronDialect): string | undefined {
  if (!specials && (field.fromEnd !== 0 || field.nearest !== 0 || field.lastWorkday)) return undefined;
  if ((field.fromEnd & ~1) !== 0) return undefined;
  const items = field.dates === 0 ? [] : [textOf(bitsOf(field.dates), { min: 1, max: 31 })];
  if (field.fromEnd !== 0) items.push("L");
  items.push(...bitsOf(field.nearest).map((date) => `${date}W`));
  if (field.lastWorkday) items.push("LW");
  return items.join();
}

function weekdays(field: WeekdayField, { specials }: CronDialect): string | undefined {
  const plain = field.last === 0 && field.nth.every((days) => days === 0);
  if (!specials && !plain) return undefined;
  const items = field.weekdays === 0 ? [] : [textOf(bitsOf(field.weekdays), { min: 0, max: 6 })];
  for (const [index, days] of field.nth.entries()) {
    items.push(...bitsOf(days).map((day) => `${day}#${index + 1}`));
  }
  items.push(...bitsOf(field.last).map((day) => `${day}L`));
  return items.join();
}

function timeText(values: readonly number[], size: number): string {
  const step = evenStep(values);
  if (step > 1 && values[0] === 0 && step * values.length === size && values.length > 2) return `*/${step}`;
  return textOf(values, { min: 0, max: size - 1 });
}

function textOf(values: readonly number[], { min, max }: { min: number; max: number }): string {
  if (values.length === max - min + 1) return "*";
  const step = evenStep(values);
  if (step > 1 && values.length > 2) return `${values[0]}-${values.at(-1)}/${step}`;
  return runsOf(values, 1).map((run) => run.length > 2 ? `${run[0]}-${run.at(-1)}` : run.join()).join();
}
