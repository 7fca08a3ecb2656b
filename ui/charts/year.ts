import { type Bucket, countOutcomes, type Outcome, type OutcomeCounts, worstOutcome } from "./outcomes.ts";

const day = 86_400_000;

/** One day of a year's calendar. */
export interface CalendarDay {
  /** Unix ms of its UTC midnight. */
  at: number;
  /** `2026-11-28`. */
  date: string;
  counts: OutcomeCounts;
  /** Undefined where nothing ran. */
  worst: Outcome | undefined;
  /** Column: weeks since the first one, from Monday on. */
  week: number;
  /** Row: 0 is Monday. */
  weekday: number;
}

/** When the calendar of 53 weeks that ends with the week of `now` begins: a Monday, UTC, Unix ms. */
export function yearStart(now: number): number {
  const today = Math.floor(now / day) * day;
  return today - weekdayOf(today) * day - 52 * 7 * day;
}

/** The days of that calendar, without those that are still to come. */
export function calendarOf(buckets: readonly Bucket[], now: number): CalendarDay[] {
  const first = yearStart(now);
  const byDay = new Map<number, Bucket[]>();
  for (const bucket of buckets) {
    const at = Math.floor(Date.parse(bucket.start) / day) * day;
    byDay.set(at, [...byDay.get(at) ?? [], bucket]);
  }
  const count = Math.floor((now - first) / day) + 1;
  return Array.from({ length: count }, (_, i) => {
    const at = first + i * day;
    const counts = countOutcomes(byDay.get(at) ?? []);
    return {
      at,
      date: new Date(at).toISOString().slice(0, 10),
      counts,
      worst: worstOutcome(counts),
      week: Math.floor(i / 7),
      weekday: i % 7,
    };
  });
}

/** Where a month begins in the calendar, for its labels. */
export function monthsOf(days: readonly CalendarDay[]): Array<{ week: number; name: string }> {
  const names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  return days.filter(({ date }) => date.endsWith("-01")).map(({ week, weekday, date }) => ({
    week: weekday === 0 ? week : week + 1,
    name: names[Number(date.slice(5, 7)) - 1] ?? "",
  })).filter(({ week }) => week < 52);
}

/** 0 for Monday; the first of January 1970 was a Thursday. */
function weekdayOf(at: number): number {
  return (Math.floor(at / day) + 3) % 7;
}
