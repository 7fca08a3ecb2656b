/** Reads what systemd.time(7) calls calendar events, in UTC: enough of it to check what is exported. */

const DAY = 86_400;

/** The instants (UTC seconds, ascending, each once) at which one of the lines fires, from `from` until before `to`, both midnights. */
export function firesOf(lines: readonly string[], { from, to }: { from: number; to: number }): number[] {
  const fires = new Set<number>();
  for (const line of lines) {
    const event = readEvent(line);
    for (let day = from; day < to; day += DAY) {
      if (!event.hasDay(new Date(day * 1000))) continue;
      for (const time of event.times) fires.add(day + time);
    }
  }
  return [...fires].sort((a, b) => a - b);
}

function readEvent(line: string): { hasDay: (date: Date) => boolean; times: number[] } {
  const match = /^(?:([A-Z][A-Za-z,.]*) )?(\S+?)-(\S+?)([-~])(\S+) (\S+):(\S+):(\S+)(?: UTC)?$/.exec(line);
  if (match === null) throw new RangeError(`no calendar event: "${line}"`);
  const [, weekdays, years, months, sign, dates, ...clock] = match;
  const inYears = setOf(years!, { min: 1970, max: 2199 });
  const inMonths = setOf(months!, { min: 1, max: 12 });
  const onWeekdays = weekdays === undefined ? undefined : weekdaysOf(weekdays);
  const [hours, minutes, seconds] = clock.map((text, index) =>
    setOf(text, { min: 0, max: index === 0 ? 23 : 59 })
  );
  const times = [...hours!].flatMap((hour) =>
    [...minutes!].flatMap((minute) => [...seconds!].map((second) => hour * 3600 + minute * 60 + second))
  );
  const hasDay = (date: Date): boolean => {
    const year = date.getUTCFullYear();
    const month = date.getUTCMonth() + 1;
    const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
    return inYears.has(year) && inMonths.has(month) &&
      (onWeekdays === undefined || onWeekdays.has(date.getUTCDay())) &&
      datesOf(dates!, { sign: sign!, length }).has(date.getUTCDate());
  };
  return { hasDay, times };
}

/** From the end (`~`) a value counts back, and its step goes on to the end of the month. */
function datesOf(text: string, { sign, length }: { sign: string; length: number }): Set<number> {
  if (sign === "-") return setOf(text, { min: 1, max: length });
  const days = new Set<number>();
  for (const item of text.split(",")) {
    const [base, step] = item.split("/");
    if (Number(base) > 28) throw new RangeError(`systemd counts back to the 28th last day, not to ${base}`);
    const first = length + 1 - Number(base);
    if (step === undefined) days.add(first);
    else for (let day = first; day <= length; day += Number(step)) days.add(day);
  }
  return days;
}

function setOf(text: string, { min, max }: { min: number; max: number }): Set<number> {
  const values = new Set<number>();
  for (const item of text.split(",")) {
    const [range = "", stepText] = item.split("/");
    const [firstText, lastText] = range === "*" ? [String(min), String(max)] : range.split("..");
    const first = Number(firstText);
    const last = lastText === undefined ? (stepText === undefined ? first : max) : Number(lastText);
    for (let value = first; value <= last; value += Number(stepText ?? 1)) values.add(value);
  }
  return values;
}

const names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

function weekdaysOf(text: string): Set<number> {
  const days = new Set<number>();
  for (const item of text.split(",")) {
    const [first, last = first] = item.split("..").map((name) => names.indexOf(name));
    for (let day = first!;; day = (day + 1) % 7) {
      days.add(day);
      if (day === last) break;
    }
  }
  return days;
}
