/**
 * Zones as POSIX writes them: `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX.1-2024, XBD 8.3; tzset(3)). Offsets there count
 * west of Greenwich; here, as everywhere else, they are seconds east of it.
 */

/** A zone of one rule. */
export interface PosixZone {
  /** Seconds east of UTC, in standard time. */
  standard: number;
  /** Daylight saving time, where there is one. */
  daylight?: { offset: number; begins: YearRule; ends: YearRule };
}

/** A moment of each year, on the clock that is in force before it. */
export interface YearRule {
  day:
    | { kind: "week"; month: number; week: number; weekday: number }
    /** 1 to 365; 29 February is never counted. */
    | { kind: "julian"; day: number }
    /** 0 to 365. */
    | { kind: "zero"; day: number };
  /** Seconds after midnight; may lie on another day. */
  time: number;
}

const name = String.raw`(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)`;
const offset = String.raw`([+-]?\d{1,3}(?::\d{1,2}){0,2})`;
const date = String.raw`(M\d{1,2}\.[1-5]\.[0-6]|J?\d{1,3})`;
const rule = String.raw`,${date}(?:/${offset})?`;
const whole = new RegExp(`^${name}${offset}(?:${name}${offset}?(?:${rule}${rule})?)?$`);
const hasDaylight = new RegExp(`^${name}${offset}${name}`);
const hour = 3600;
/** What the C library takes for a daylight saving time without a rule. */
const usual = ["M3.2.0", undefined, "M11.1.0", undefined] as const;

/** Reads a zone of POSIX; undefined where the text is none. */
export function parsePosixZone(text: string): PosixZone | undefined {
  const found = whole.exec(text);
  if (found === null) return undefined;
  const [, west, westThen, ...written] = found;
  const standard = 0 - secondsOf(west!);
  if (Math.abs(standard) > 24 * hour) return undefined;
  if (!hasDaylight.test(text)) return { standard };
  const [from, fromTime, to, toTime] = written[0] === undefined ? usual : written;
  const begins = ruleOf(from!, fromTime);
  const ends = ruleOf(to!, toTime);
  if (begins === undefined || ends === undefined) return undefined;
  return {
    standard,
    daylight: { offset: westThen === undefined ? standard + hour : 0 - secondsOf(westThen), begins, ends },
  };
}

/** The moments of a year in which the zone's offset changes (UTC seconds), and what it is from then on. */
export function changesIn(zone: PosixZone, year: number): { at: number; offset: number }[] {
  const { standard, daylight } = zone;
  if (daylight === undefined) return [];
  return [
    { at: secondOf(daylight.begins, year) - standard, offset: daylight.offset },
    { at: secondOf(daylight.ends, year) - daylight.offset, offset: standard },
  ].sort((a, b) => a.at - b.at);
}

function ruleOf(date: string, time = "2"): YearRule | undefined {
  const seconds = secondsOf(time);
  if (date.startsWith("M")) {
    const [month, week, weekday] = date.slice(1).split(".").map(Number) as [number, number, number];
    if (month < 1 || month > 12) return undefined;
    return { day: { kind: "week", month, week, weekday }, time: seconds };
  }
  const kind = date.startsWith("J") ? "julian" : "zero";
  const day = Number(date.replace("J", ""));
  if (day > 365 || (kind === "julian" && day === 0)) return undefined;
  return { day: { kind, day }, time: seconds };
}

/** Seconds since 1970 on the wall clock. */
function secondOf({ day, time }: YearRule, year: number): number {
  return dayOf(day, year) * 86_400 + time;
}

/** Days since 1970. */
function dayOf(day: YearRule["day"], year: number): number {
  const daysTo = (month: number, date: number): number => Date.UTC(year, month - 1, date) / 86_400_000;
  switch (day.kind) {
    case "zero":
      return daysTo(1, 1) + day.day;
    case "julian":
      return daysTo(1, 1) + day.day - 1 + (daysTo(3, 1) - daysTo(2, 1) === 29 && day.day >= 60 ? 1 : 0);
    case "week": {
      const first = daysTo(day.month, 1);
      // 1 January 1970 was a Thursday.
      const weekday = (first + 4) % 7;
      const found = first + (day.weekday - weekday + 7) % 7 + (day.week - 1) * 7;
      // The fifth is the last one.
      return found >= daysTo(day.month + 1, 1) ? found - 7 : found;
    }
  }
}

function secondsOf(text: string): number {
  const [hours, minutes = 0, seconds = 0] = text.replace(/^[+-]/, "").split(":").map(Number) as [
    number,
    number?,
    number?,
  ];
  const size = hours * hour + minutes * 60 + seconds;
  return text.startsWith("-") ? 0 - size : size;
}
