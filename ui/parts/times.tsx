import { durationWords, relativeTime } from "../../src/core/time_words.ts";
import { now } from "../data/clock.ts";
import { shownZone } from "../data/daemon.ts";

const day = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string, kind: "date" | "exact"): Intl.DateTimeFormat {
  const key = `${kind} ${zone}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      ...(kind === "exact" ? { second: "2-digit", weekday: "short", timeZoneName: "short" } : {}),
    });
    formats.set(key, format);
  }
  return format;
}

/** `2026-11-25 14:03` on the wall clock of a zone; `exact`: `Wed 2026-11-25 14:03:07 CET`. `at`: Unix ms. */
export function wallTime(at: number, zone: string, { exact = false } = {}): string {
  const parts = new Map(
    formatOf(zone, exact ? "exact" : "date").formatToParts(at).map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? "";
  const minute = `${part("year")}-${part("month")}-${part("day")} ${part("hour")}:${part("minute")}`;
  return exact ? `${part("weekday")} ${minute}:${part("second")} ${part("timeZoneName")}` : minute;
}

/** `14:03:07` on the wall clock of a zone. */
export function clockTime(at: number, zone: string): string {
  return wallTime(at, zone, { exact: true }).split(" ")[2] ?? "";
}

/** A time relative to now up to a day, exact on hover and beyond. `at`: RFC 3339, or Unix ms. */
export function Time({ at }: { at: string | number | undefined }) {
  if (at === undefined) return <span class="muted">–</span>;
  const ms = typeof at === "number" ? at : Date.parse(at);
  const zone = shownZone.value;
  const isNear = Math.abs(ms - now.value) < day;
  return (
    <time dateTime={new Date(ms).toISOString()} title={wallTime(ms, zone, { exact: true })}>
      {isNear ? relativeTime(ms, now.value) : wallTime(ms, zone)}
    </time>
  );
}

/** How long something took, or takes until now. Both are RFC 3339. */
export function Duration({ from, to }: { from: string | undefined; to: string | undefined }) {
  if (from === undefined) return <span class="muted">–</span>;
  const end = to === undefined ? Math.max(now.value, Date.parse(from)) : Date.parse(to);
  return <span class="number">{durationWords(end - Date.parse(from))}</span>;
}
