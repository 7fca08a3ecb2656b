/** Durations and times in words. All arguments are milliseconds; times are Unix milliseconds. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30.44 * DAY;

/** A duration such as `320 ms`, `1.2 s`, `42 s`, `4 m 07 s`, `2 h 03 m` or `3 d 04 h`. */
export function durationWords(ms: number): string {
  const span = Math.max(0, ms);
  if (span < SECOND) return `${Math.round(span)} ms`;
  if (span < 9.95 * SECOND) return `${(span / SECOND).toFixed(1)} s`;
  const seconds = Math.round(span / SECOND);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${two(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${two(minutes % 60)} m`;
  return `${Math.floor(hours / 24)} d ${two(hours % 24)} h`;
}

/** A duration by its largest unit alone, such as `12 s`, `4 m`, `2 d` or `4 months`. */
export function roughWords(ms: number): string {
  const span = Math.max(0, ms);
  if (span < MINUTE) return `${Math.floor(span / SECOND)} s`;
  if (span < HOUR) return `${Math.floor(span / MINUTE)} m`;
  if (span < DAY) return `${Math.floor(span / HOUR)} h`;
  if (span < 2 * MONTH) return `${Math.floor(span / DAY)} d`;
  const months = Math.floor(span / MONTH);
  return months < 24 ? `${months} months` : `${Math.floor(months / 12)} years`;
}

/** A time as seen from `now`: `4 m ago`, `just now`, `in 2 h 10 m`, `in 19 h`. */
export function relativeTime(at: number, now: number): string {
  const span = Math.abs(at - now);
  if (span < SECOND) return at > now ? "now" : "just now";
  if (at <= now) return `${roughWords(span)} ago`;
  const hours = Math.floor(span / HOUR);
  const minutes = Math.floor(span / MINUTE) % 60;
  // Near enough that the minutes matter.
  if (hours >= 1 && hours < 10 && minutes > 0) return `in ${hours} h ${minutes} m`;
  return `in ${roughWords(span)}`;
}

/** How a time is to be shown. */
export interface TimeStyle {
  now: number;
  /** IANA name of the zone for exact times. */
  timezone: string;
  /** Exact, in UTC, always. */
  utc?: boolean;
}

/** A time relative to now up to a day, and exact in the zone beyond: `4 m ago`, `2026-11-25 14:03`. */
export function timeWords(at: number, { now, timezone, utc }: TimeStyle): string {
  if (utc) return utcTime(at);
  return Math.abs(at - now) < DAY ? relativeTime(at, now) : zonedTime(at, timezone).slice(0, 16);
}

/** `2026-11-25T14:03:07Z`: exact to the second. */
export function utcTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** `2026-11-25 14:03:07` on the wall clock of a zone. */
export function zonedTime(at: number, timezone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);
  return local.toPlainDateTime().toString({ smallestUnit: "second" }).replace("T", " ");
}

/** `Sun 2027-03-28 03:00:00 CEST`: the wall clock of a zone with weekday and the zone's own short name. */
export function fullTime(at: number, timezone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);
  const weekday = weekdays[local.dayOfWeek - 1] ?? "";
  return `${weekday} ${zonedTime(at, timezone)} ${zoneLabel(at, timezone) ?? local.offset}`;
}

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/** English speakers have short names for the zones of their own parts of the world only. */
const locales = ["en-US", "en-GB", "en-AU", "en-IN"] as const;
const formats = new Map<string, Intl.DateTimeFormat[]>();

/** The short name of a zone at a time, such as "CEST"; undefined where there is only an offset. */
function zoneLabel(at: number, timezone: string): string | undefined {
  let known = formats.get(timezone);
  if (known === undefined) {
    known = locales.map((locale) =>
      new Intl.DateTimeFormat(locale, { timeZone: timezone, timeZoneName: "short" })
    );
    formats.set(timezone, known);
  }
  for (const format of known) {
    const label = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value;
    if (label !== undefined && /^[A-Z]{2,5}$/.test(label)) return label;
  }
  return undefined;
}

function two(n: number): string {
  return String(n).padStart(2, "0");
}
