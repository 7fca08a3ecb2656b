/** The days and months of a schedule in words. */

import { bitsOf } from "./bits.ts";
import type { DateField, DayRule, WeekdayField } from "./days.ts";
import { evenStep, joinWords, ordinal, runsOf } from "./words.ts";

/** The same days as the beginning of a sentence ("Mondays"), and as its end with the separator ("on Mondays"). */
export interface DayWords {
  lead: string;
  trail: string;
  /** No day is left out. */
  daily: boolean;
}

/** Words for a day rule within months (bits 1 to 12). */
export function describeDays(rule: DayRule, months: number): DayWords {
  const month = describeMonths(months);
  const anyDate = (rule.date.dates & EVERY_DATE) === EVERY_DATE;
  const anyWeekday = rule.weekday.weekdays === EVERY_WEEKDAY;
  if (rule.either ? anyDate || anyWeekday : anyDate && anyWeekday) {
    if (month === undefined) return { lead: "daily", trail: "", daily: true };
    const when = month.range ? `from ${month.text}` : `in ${month.text}`;
    return { lead: `daily ${when}`, trail: month.range ? `, ${when}` : ` ${when}`, daily: false };
  }
  let lead: string;
  if (rule.either) {
    lead = `${dateWords(rule.date, month)} and ${weekdayWords(rule.weekday, month)}`;
  } else if (anyWeekday) {
    lead = dateWords(rule.date, month);
  } else if (anyDate) {
    lead = weekdayWords(rule.weekday, month);
  } else {
    const fall = isSingle(rule.weekday) ? "falls" : "fall";
    lead = `${weekdayWords(rule.weekday, undefined)} that ${fall} on ${dateWords(rule.date, month)}`;
  }
  // "on Monday to Friday" is no English.
  const trail = /^[A-Z][a-z]+day to /.test(lead) ? `, ${lead}` : ` on ${lead}`;
  return { lead, trail, daily: false };
}

const EVERY_DATE = -2;
const EVERY_WEEKDAY = 0b1111111;

const weekdayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const weekNames = ["first", "second", "third", "fourth", "fifth"];

interface MonthWords {
  text: string;
  range: boolean;
}

function describeMonths(months: number): MonthWords | undefined {
  const numbers = bitsOf(months);
  if (numbers.length === 12) return undefined;
  const run = circularRun(numbers, 12);
  const name = (month: number): string => monthNames[month - 1] ?? "";
  if (run !== undefined) return { text: `${name(run.first)} to ${name(run.last)}`, range: true };
  return { text: joinWords(numbers.map(name)), range: false };
}

/** What follows a day that is counted within its month. */
function ofMonth(month: MonthWords | undefined): string {
  if (month === undefined) return "of the month";
  return month.range ? `of the month from ${month.text}` : `of ${month.text}`;
}

function dateWords(field: DateField, month: MonthWords | undefined): string {
  const items = plainDates(field.dates);
  for (const date of bitsOf(field.nearest)) items.push(`the weekday nearest the ${ordinal(date)}`);
  if (field.lastWorkday) items.push("the last weekday");
  for (const offset of bitsOf(field.fromEnd).reverse()) {
    if (offset === 0) items.push("the last day");
    else {items.push(
        offset === 1 ? "the day before the last day" : `the day ${offset} days before the last day`,
      );}
  }
  return `${joinWords(items)} ${ofMonth(month)}`;
}

function plainDates(dates: number): string[] {
  const numbers = bitsOf(dates & EVERY_DATE);
  const first = numbers[0];
  const last = numbers.at(-1);
  if (first === undefined || last === undefined) return [];
  const step = evenStep(numbers);
  if (step === 2 && first === 1 && last === 31) return ["odd days"];
  if (step === 2 && first === 2 && last === 30) return ["even days"];
  if (step > 1 && numbers.length > 3) {
    return [`every ${ordinal(step)} day from the ${ordinal(first)} to the ${ordinal(last)}`];
  }
  const parts: string[] = [];
  for (const run of runsOf(numbers, 1)) {
    if (run.length > 2) parts.push(`${ordinal(run[0] ?? 0)} to ${ordinal(run.at(-1) ?? 0)}`);
    else parts.push(...run.map(ordinal));
  }
  return [`the ${joinWords(parts)}`];
}

function weekdayWords(field: WeekdayField, month: MonthWords | undefined): string {
  const plain = plainWeekdays(field.weekdays);
  const special: string[] = [];
  for (const [index, mask] of field.nth.entries()) {
    for (const day of bitsOf(mask)) special.push(`the ${weekNames[index]} ${weekdayNames[day]}`);
  }
  for (const day of bitsOf(field.last)) special.push(`the last ${weekdayNames[day]}`);
  const parts: string[] = [];
  if (plain !== "") {
    parts.push(month === undefined ? plain : `${plain} ${month.range ? "from" : "in"} ${month.text}`);
  }
  if (special.length > 0) parts.push(`${joinWords(special)} ${ofMonth(month)}`);
  return joinWords(parts);
}

function plainWeekdays(weekdays: number): string {
  if (weekdays === 0b0111110) return "weekdays";
  if (weekdays === 0b1000001) return "weekends";
  const numbers = bitsOf(weekdays);
  const run = circularRun(numbers, 7);
  if (run !== undefined) return `${weekdayNames[run.first]} to ${weekdayNames[run.last]}`;
  // A week is read from Monday.
  if (numbers[0] === 0) numbers.push(numbers.shift() ?? 0);
  return joinWords(numbers.map((day) => `${weekdayNames[day]}s`));
}

/** First and last of three or more values that follow each other on a circle of `size`; undefined otherwise. */
function circularRun(values: readonly number[], size: number): { first: number; last: number } | undefined {
  if (values.length < 3 || values.length === size) return undefined;
  const runs = runsOf(values, 1);
  const [head, tail] = [runs[0], runs.at(-1)];
  const first = tail?.[0] ?? 0;
  const last = head?.at(-1) ?? 0;
  if (runs.length === 1) return { first, last };
  const meets = (head?.[0] ?? 0) + size - (tail?.at(-1) ?? 0) === 1;
  return runs.length === 2 && meets ? { first, last } : undefined;
}

function isSingle(field: WeekdayField): boolean {
  return field.weekdays === 0 &&
    [...field.nth, field.last].reduce((count, mask) => count + bitsOf(mask).length, 0) === 1;
}
