import type { CalendarTime } from "./calendar.ts";

/** A time of `OnCalendar` as a cron expression that comes at the very same moments; or why there is none. */
export function cronOfCalendar(time: CalendarTime): { cron: string } | { fault: string } {
  const days = daysOf(time);
  if ("fault" in days) return days;
  const seconds = field(time.seconds, { min: 0, max: 59 });
  const fields = [
    ...(seconds === "0" ? [] : [seconds]),
    field(time.minutes, { min: 0, max: 59 }),
    field(time.hours, { min: 0, max: 23 }),
    days.date,
    field(time.months, { min: 1, max: 12 }),
    days.weekday,
  ];
  return { cron: fields.join(" ") };
}

function daysOf(
  { weekdays, days, fromEnd }: CalendarTime,
): { date: string; weekday: string } | { fault: string } {
  if (days === undefined) return { date: "*", weekday: weekdayField(weekdays) };
  if (weekdays === undefined) {
    const date = fromEnd
      ? days.map((day) => day === 1 ? "L" : `L-${day - 1}`).join(",")
      : field(days, { min: 1, max: 31 });
    return { date, weekday: "*" };
  }
  // Seven days in a row hold each weekday once.
  const week = fromEnd ? undefined : [1, 8, 15, 22].indexOf(days[0] ?? 0);
  const isWeek = days.length === 7 && days.every((day, at) => day === (days[0] ?? 0) + at);
  if (isWeek && fromEnd && days[0] === 1) {
    return { date: "*", weekday: weekdays.map((weekday) => `${weekday}L`).join(",") };
  }
  if (isWeek && week !== undefined && week >= 0) {
    return { date: "*", weekday: weekdays.map((weekday) => `${weekday}#${week + 1}`).join(",") };
  }
  return {
    fault: "it wants weekday and day of the month at once, where cron takes either: write two conditions, " +
      "one of them in the script",
  };
}

function weekdayField(weekdays: number[] | undefined): string {
  return weekdays === undefined ? "*" : field(weekdays, { min: 0, max: 6, steps: false });
}

/** Values, in order, in the shortest usual form. */
function field(
  values: readonly number[] | undefined,
  { min, max, steps = true }: { min: number; max: number; steps?: boolean },
): string {
  const [first, second] = values ?? [];
  const last = values?.at(-1);
  if (values === undefined || values.length === max - min + 1) return "*";
  if (first === undefined || last === undefined || second === undefined) return String(first);
  const step = second - first;
  const isRow = values.every((value, at) => value === first + at * step);
  if (steps && isRow && step > 1 && values.length > 2) {
    return first === min && last + step > max ? `*/${step}` : `${first}-${last}/${step}`;
  }
  const runs: number[][] = [];
  for (const value of values) {
    const run = runs.at(-1);
    if (run !== undefined && value === (run.at(-1) ?? NaN) + 1) run.push(value);
    else runs.push([value]);
  }
  return runs.map((run) => run.length > 2 ? `${run[0]}-${run.at(-1)}` : run.join(",")).join(",");
}
