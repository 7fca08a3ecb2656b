import { isTimeZone } from "../../../core/cron/zone.ts";

/** A time of `OnCalendar`; a field that is absent takes every value. */
export interface CalendarTime {
  /** 0 (Sunday) to 6. */
  weekdays?: number[];
  months?: number[];
  /** Days of the month, or from its end (1 is the last) where `fromEnd` is set. */
  days?: number[];
  fromEnd: boolean;
  hours?: number[];
  minutes?: number[];
  seconds?: number[];
  zone?: string;
}

/** Reads a time as systemd does; or says why it can't be taken. */
export function readCalendar(text: string): CalendarTime | { fault: string } {
  const wrong = (why: string): { fault: string } => ({ fault: `${why}, so systemd refuses it as well` });
  if (/\s#/.test(text)) return wrong("a remark can't stand behind a value");
  let words = text.trim().split(/\s+/);
  let zone: string | undefined;
  const last = words.at(-1) ?? "";
  if (words.length > 1 && /^[A-Za-z]/.test(last) && isTimeZone(last)) {
    zone = last;
    words = words.slice(0, -1);
  }
  if (words.length === 1 && /^@\d+$/.test(words[0] ?? "")) {
    return { fault: "it names one moment, in seconds since 1970, which cron has no field for" };
  }
  const short = words.length === 1 ? shorthands.get(words[0]?.toLowerCase() ?? "") : undefined;
  if (short !== undefined) words = short.split(" ");
  const time: CalendarTime = { fromEnd: false, ...(zone === undefined ? {} : { zone }) };
  if (/^[A-Za-z]/.test(words[0] ?? "")) {
    const weekdays = readWeekdays(words.shift() ?? "");
    if (weekdays === undefined) return wrong(`${JSON.stringify(text)} begins with no weekday`);
    if (weekdays.length < 7) time.weekdays = weekdays;
  }
  if (words[0]?.includes("-") || words[0]?.includes("~")) {
    const fault = readDate(words.shift() ?? "", time);
    if (fault !== undefined) return fault.isWrong ? wrong(fault.why) : { fault: fault.why };
  } else if (words[0] === "*") return wrong('"*" is no weekday');
  const clock = words.shift() ?? "00:00";
  if (words.length > 0) return wrong(`${JSON.stringify(words.join(" "))} is one word too many`);
  const why = readClock(clock, time);
  return why === undefined ? time : why.isWrong ? wrong(why.why) : { fault: why.why };
}

interface Why {
  why: string;
  isWrong: boolean;
}

function readWeekdays(text: string): number[] | undefined {
  const found = new Set<number>();
  for (const item of text.replace(/,$/, "").split(",")) {
    const [first = "", last = first, ...more] = item.split(/\.\.|-/);
    const [from, to] = [weekday(first), weekday(last)];
    if (from === undefined || to === undefined || more.length > 0) return undefined;
    // Monday is the first day, and a range does not go round the end.
    const [low, high] = [(from + 6) % 7, (to + 6) % 7];
    if (high < low) return undefined;
    for (let at = low; at <= high; at++) found.add((at + 1) % 7);
  }
  return [...found].sort((a, b) => a - b);
}

const weekdayNames = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

function weekday(text: string): number | undefined {
  const at = weekdayNames.findIndex((name) =>
    name === text.toLowerCase() || name.slice(0, 3) === text.toLowerCase()
  );
  return at < 0 ? undefined : at;
}

function readDate(text: string, time: CalendarTime): Why | undefined {
  const match = /^(?:([^-~]+)-)?([^-~]+)([-~])([^-~]+)$/.exec(text);
  if (match === null) return { why: `${JSON.stringify(text)} is no date`, isWrong: true };
  const [, year = "*", month = "", sign, day = ""] = match;
  if (year !== "*") {
    return { why: `it names the year ${JSON.stringify(year)}, which cron has no field for`, isWrong: false };
  }
  const months = readChain(month, { min: 1, max: 12 });
  time.fromEnd = sign === "~";
  // From the end of a month a step goes on to its last day.
  const days = time.fromEnd ? readFromEnd(day) : readChain(day, { min: 1, max: 31 });
  if (months === undefined) return { why: `${JSON.stringify(month)} is no month`, isWrong: true };
  if (days === undefined) return { why: `${JSON.stringify(day)} is no day of a month`, isWrong: true };
  if (months !== "any") time.months = months;
  if (days !== "any") time.days = days;
  else time.fromEnd = false;
  return undefined;
}

/** Days from the end of a month; no further than each month has days. A step without a range goes on to the last day. */
function readFromEnd(text: string): number[] | "any" | undefined {
  if (text === "*") return "any";
  const found = new Set<number>();
  for (const item of text.split(",")) {
    const [, first = "", stop, step] = /^(\d{1,4})(?:\.\.(\d{1,4}))?(?:\/(\d{1,4}))?$/.exec(item) ?? [];
    const from = Number(first);
    const every = step === undefined ? 1 : Number(step);
    if (first === "" || every < 1 || from < 1 || from > 28) return undefined;
    if (stop === undefined && step !== undefined) {
      if (from - every < 1) return undefined;
      for (let at = from; at >= 1; at -= every) found.add(at);
    } else {
      const to = stop === undefined ? from : Number(stop);
      const end = to - (to - from) % every;
      if (to < from || end > 28) return undefined;
      for (let at = from; at <= end; at += every) found.add(at);
    }
  }
  return [...found].sort((a, b) => a - b);
}

function readClock(text: string, time: CalendarTime): Why | undefined {
  const parts = text.split(":");
  if (parts.length < 2 || parts.length > 3) {
    return { why: `${JSON.stringify(text)} is no time of day`, isWrong: true };
  }
  if (/\./.test((parts[2] ?? "").replaceAll("..", ""))) {
    return { why: `${JSON.stringify(text)} has fractions of a second, which cron has not`, isWrong: false };
  }
  const [hour = "", minute = "", second = "00"] = parts;
  const hours = readChain(hour, { min: 0, max: 23 });
  const minutes = readChain(minute, { min: 0, max: 59 });
  const seconds = readChain(second, { min: 0, max: 59 });
  if (hours === undefined || minutes === undefined || seconds === undefined) {
    return { why: `${JSON.stringify(text)} is no time of day`, isWrong: true };
  }
  if (hours !== "any") time.hours = hours;
  if (minutes !== "any") time.minutes = minutes;
  if (seconds !== "any") time.seconds = seconds;
  return undefined;
}

/** Values, ranges (`a..b`) and steps (`a/n`, to the end; `a..b/n`), with commas between them. */
function readChain(text: string, { min, max }: { min: number; max: number }): number[] | "any" | undefined {
  if (text === "*") return "any";
  const found = new Set<number>();
  for (const item of text.split(",")) {
    const [, first = "", last, step] = /^(\d{1,4})(?:\.\.(\d{1,4}))?(?:\/(\d{1,4}))?$/.exec(item) ?? [];
    if (first === "") return undefined;
    const from = Number(first);
    const to = last !== undefined ? Number(last) : step !== undefined ? max : from;
    const every = step === undefined ? 1 : Number(step);
    // A range ends with the last value that its steps come to; a step without a range has to lead somewhere.
    const end = to - (to - from) % every;
    if (from < min || from > max || end > max || to < from || every < 1) return undefined;
    if (last === undefined && step !== undefined && from + every > max) return undefined;
    for (let at = from; at <= end; at += every) found.add(at);
  }
  return found.size === max - min + 1 ? "any" : [...found].sort((a, b) => a - b);
}

const shorthands: ReadonlyMap<string, string> = new Map([
  ["minutely", "*-*-* *:*:00"],
  ["hourly", "*-*-* *:00:00"],
  ["daily", "*-*-* 00:00:00"],
  ["weekly", "Mon *-*-* 00:00:00"],
  ["monthly", "*-*-01 00:00:00"],
  ["quarterly", "*-01,04,07,10-01 00:00:00"],
  ["semiannually", "*-01,07-01 00:00:00"],
  ["semi-annually", "*-01,07-01 00:00:00"],
  ["biannually", "*-01,07-01 00:00:00"],
  ["bi-annually", "*-01,07-01 00:00:00"],
  ["yearly", "*-01-01 00:00:00"],
  ["annually", "*-01-01 00:00:00"],
  ["anually", "*-01-01 00:00:00"],
]);
