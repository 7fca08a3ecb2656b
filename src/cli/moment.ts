import { parseDuration } from "../core/duration.ts";
import { UsageError } from "./failures.ts";

/**
 * The Unix ms that a text stands for: an RFC 3339 time, a date or date and time on the clock of `timezone`, or,
 * with `isPast`, a duration back from `now`. Throws `UsageError` that names `flag`.
 */
export function parseMoment(
  text: string,
  options: { flag: string; now: number; timezone: string; isPast: boolean },
): number {
  const span = options.isPast ? parseDuration(text) : undefined;
  const at = span === undefined ? parseTime(text, options.timezone) : options.now - span;
  if (at !== undefined) return at;
  const forms = options.isPast ? "a duration like 10m, or " : "";
  throw new UsageError(
    `${options.flag} is "${text}": give ${forms}a time like 2027-03-28T01:00:00Z or 2027-03-28`,
  );
}

/** As the API takes times. */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}

function parseTime(text: string, timezone: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return undefined;
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    // No offset: a time on the wall.
  }
  try {
    return Temporal.PlainDateTime.from(text).toZonedDateTime(timezone).epochMilliseconds;
  } catch {
    return undefined;
  }
}
