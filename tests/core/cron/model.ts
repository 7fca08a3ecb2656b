/**
 * A second, slow reading of cron expressions for the tests: it expands every field to a list of numbers,
 * asks Temporal for every local time that fits, and shares no code with the engine.
 */

import type { Tick } from "../../../src/core/cron/next.ts";

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

interface Fields {
  second: string;
  minute: string;
  hour: string;
  date: string;
  month: string;
  weekday: string;
}

function split(expression: string): Fields {
  const texts = expression.toLowerCase().split(" ");
  if (texts.length === 5) texts.unshift("0");
  const [second = "", minute = "", hour = "", date = "", month = "", weekday = ""] = texts;
  return { second, minute, hour, date, month, weekday };
}

function numberOf(text: string): number {
  const month = months.indexOf(text);
  const weekday = weekdays.indexOf(text);
  return month >= 0 ? month + 1 : weekday >= 0 ? weekday : Number(text);
}

function expand(text: string, limits: [number, number]): Set<number> {
  const [low, high] = limits;
  const found = new Set<number>();
  for (const item of text.split(",")) {
    const [base = "", step] = item.split("/");
    const circle: number[] = [];
    for (let turn = 0; turn < 2; turn++) for (let v = low; v <= high; v++) circle.push(v);
    let first = low;
    let last = high;
    if (base !== "*" && base !== "?") {
      const [from = "", to] = base.split("-");
      first = numberOf(from);
      last = to !== undefined ? numberOf(to) : step !== undefined ? high : first;
    }
    if (high === 7 && last < first) {
      // Weekdays: Sunday is 0 and 7, the circle has seven days.
      for (let v = first, i = 0;; v++, i++) {
        if (i % Number(step ?? 1) === 0) found.add(v % 7);
        if (v % 7 === last) break;
      }
      continue;
    }
    const begin = circle.indexOf(first);
    const end = circle.indexOf(last, begin);
    for (let at = begin; at <= end; at += Number(step ?? 1)) {
      const value = circle[at] ?? NaN;
      found.add(high === 7 ? value % 7 : value);
    }
  }
  return found;
}

/** True when the day fields and the month of an expression allow a date. */
export function dateFits(expression: string, day: Temporal.PlainDate): boolean {
  const { date, month, weekday } = split(expression);
  if (!expand(month, [1, 12]).has(day.month)) return false;
  const byDate = date.split(",").some((item) => dateItemFits(item, day));
  const byWeekday = weekday.split(",").some((item) => weekdayItemFits(item, day));
  const both = /^[*?]/.test(date) || /^[*?]/.test(weekday);
  return both ? byDate && byWeekday : byDate || byWeekday;
}

function dateItemFits(item: string, day: Temporal.PlainDate): boolean {
  const last = day.with({ day: day.daysInMonth });
  if (item === "l") return day.equals(last);
  if (item === "lw") return day.equals(workday(last));
  if (/^l-/.test(item)) return day.equals(last.subtract({ days: Number(item.slice(2)) }));
  if (/^\d+w$/.test(item)) {
    const wanted = parseInt(item);
    return wanted <= day.daysInMonth && day.equals(workday(day.with({ day: wanted })));
  }
  return expand(item, [1, 31]).has(day.day);
}

/** The nearest day from Monday to Friday in the same month. */
function workday(day: Temporal.PlainDate): Temporal.PlainDate {
  for (const distance of [0, -1, 1, -2, 2]) {
    const candidate = day.add({ days: distance });
    if (candidate.month === day.month && candidate.dayOfWeek <= 5) return candidate;
  }
  throw new Error("no weekday within two days");
}

function weekdayItemFits(item: string, day: Temporal.PlainDate): boolean {
  const special = /^(\w{3}|\d)(?:(l)|#(\d))$/.exec(item);
  if (special === null) return expand(item, [0, 7]).has(day.dayOfWeek % 7);
  if (numberOf(special[1] ?? "") % 7 !== day.dayOfWeek % 7) return false;
  if (special[2] !== undefined) return day.add({ days: 7 }).month !== day.month;
  return Math.ceil(day.day / 7) === Number(special[3]);
}

/** True when a local time fits all fields. */
export function localFits(expression: string, local: Temporal.PlainDateTime): boolean {
  const { second, minute, hour } = split(expression);
  return expand(second, [0, 59]).has(local.second) && expand(minute, [0, 59]).has(local.minute) &&
    expand(hour, [0, 23]).has(local.hour) && dateFits(expression, local.toPlainDate());
}

/** True when the expression follows elapsed time. */
export function isElapsed(expression: string): boolean {
  const { second, minute, hour } = split(expression);
  return [second, minute, hour].some((text) => text.startsWith("*"));
}

/** All ticks in (from, to], found by trying every local time of the days around. */
export function slowTicks(
  expression: string,
  zone: string,
  { from, to }: { from: number; to: number },
): Tick[] {
  const { second, minute, hour } = split(expression);
  const [seconds, minutes, hours] = [expand(second, [0, 59]), expand(minute, [0, 59]), expand(hour, [0, 23])];
  const elapsed = isElapsed(expression);
  const found = new Map<number, Tick>();
  const add = (at: number, note: Tick["note"]): void => {
    // A regular tick at the first instant after a gap is that tick and no second one.
    if (at > from && at <= to && (note === "" || !found.has(at))) found.set(at, { at, note });
  };
  const firstDay = plainDate(from, zone).subtract({ days: 2 });
  const lastDay = plainDate(to, zone).add({ days: 2 });
  for (let day = firstDay; Temporal.PlainDate.compare(day, lastDay) <= 0; day = day.add({ days: 1 })) {
    if (!dateFits(expression, day)) continue;
    for (const h of hours) {
      for (const m of minutes) {
        for (const s of seconds) {
          const local = day.toPlainDateTime({ hour: h, minute: m, second: s });
          const earlier = local.toZonedDateTime(zone, { disambiguation: "earlier" });
          const later = local.toZonedDateTime(zone, { disambiguation: "later" });
          if (!earlier.toPlainDateTime().equals(local)) {
            if (!elapsed) add(firstInstantFrom(local, [earlier, later]), "gap");
            continue;
          }
          add(earlier.epochMilliseconds, "");
          if (later.epochMilliseconds > earlier.epochMilliseconds) {
            add(later.epochMilliseconds, elapsed ? "" : "repeat");
          }
        }
      }
    }
  }
  return [...found.values()].sort((a, b) => a.at - b.at);
}

/** The first instant whose local time is not before `local`, which itself does not exist. */
function firstInstantFrom(
  local: Temporal.PlainDateTime,
  [before, after]: [Temporal.ZonedDateTime, Temporal.ZonedDateTime],
): number {
  let low = before.epochMilliseconds;
  let high = after.epochMilliseconds;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const there = Temporal.Instant.fromEpochMilliseconds(middle).toZonedDateTimeISO(before.timeZoneId);
    if (Temporal.PlainDateTime.compare(there.toPlainDateTime(), local) < 0) low = middle;
    else high = middle;
  }
  return high;
}

function plainDate(at: number, zone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate();
}
