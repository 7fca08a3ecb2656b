/** Cron expressions as values that the search for ticks can work on (docs/behaviour.md#cron). */

import { isTooLong, parseDuration } from "../duration.ts";
import { type DayRule, everFires, parseDays } from "./days.ts";
import { CronError, type Field, HOUR, MINUTE, MONTH, parseField, quote, SECOND } from "./field.ts";

export { CronError };

/** A schedule of wall-clock fields, or one of elapsed time. `source` is its text, trimmed. */
export type Schedule = FieldSchedule | EverySchedule;

/** A schedule of 5 or 6 fields, or of a nickname that stands for them; equal fields share their sets. */
export interface FieldSchedule {
  readonly kind: "fields";
  readonly source: string;
  readonly second: Field;
  readonly minute: Field;
  readonly hour: Field;
  readonly month: Field;
  readonly days: DayRule;
  /** Follows elapsed time when clocks change, as its second, minute or hour field begins with `*`; else fixed-time (docs/behaviour.md#zones). */
  readonly elapsed: boolean;
}

/** `@every`: whole milliseconds, 1000 or more, counted from an anchor that the caller keeps. */
export interface EverySchedule {
  readonly kind: "every";
  readonly source: string;
  readonly everyMs: number;
}

/** The schedule that a cron expression or nickname stands for; CronError when it is malformed or can never fire. */
export function parseCron(text: string): Schedule {
  const source = text.trim();
  if (source.startsWith("@")) return parseNickname(source);
  return parseFields(source, source);
}

/** Words that stand for fields, in small letters. */
export const nicknames: ReadonlyMap<string, string> = new Map([
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
  ["@monthly", "0 0 1 * *"],
  ["@weekly", "0 0 * * 0"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@hourly", "0 * * * *"],
]);

function parseNickname(source: string): Schedule {
  const [name = "", ...rest] = source.split(/\s+/);
  const known = name.toLowerCase();
  if (known === "@every") return parseEvery(source, rest);
  const fields = nicknames.get(known);
  if (fields === undefined) {
    if (known === "@reboot") {
      throw new CronError(`"@reboot" is not a time: leave the schedule out and use run_on_start`);
    }
    throw new CronError(
      `nickname ${quote(name)} is unknown: use ${[...nicknames.keys()].join(", ")} or @every`,
    );
  }
  if (rest.length > 0) {
    throw new CronError(`nickname ${quote(name)} stands alone: remove ${quote(rest.join(" "))} behind it`);
  }
  return parseFields(source, fields);
}

function parseEvery(source: string, rest: string[]): EverySchedule {
  const text = rest.join(" ");
  if (text === "") throw new CronError(`@every needs a duration: write for example "@every 15m"`);
  const everyMs = parseDuration(text);
  if (isTooLong(text)) throw new CronError(`@every ${quote(text)} is too long: 292 years are the most`);
  if (everyMs === undefined) {
    throw new CronError(`@every ${quote(text)} is not a duration: write for example "90s" or "1h30m"`);
  }
  if (everyMs < 1000) throw new CronError(`@every ${quote(text)} is under 1s`);
  if (!Number.isInteger(everyMs)) throw new CronError(`@every ${quote(text)} is finer than a millisecond`);
  return { kind: "every", source, everyMs };
}

function parseFields(source: string, text: string): FieldSchedule {
  if (text === "") throw new CronError(`the schedule "" is empty: write for example "0 2 * * *"`);
  const texts = text.split(/\s+/);
  if (texts.length < 5 || texts.length > 6) {
    const count = texts.length === 1 ? "1 field" : `${texts.length} fields`;
    throw new CronError(`${quote(text)} has ${count}: a schedule has 5, or 6 with leading seconds`);
  }
  const [minuteText, hourText, dateText, monthText, weekdayText] = texts.length === 5
    ? texts
    : texts.slice(1);
  const second = parseField(SECOND, texts.length === 5 ? "0" : texts[0] ?? "");
  const minute = parseField(MINUTE, minuteText ?? "");
  const hour = parseField(HOUR, hourText ?? "");
  const month = parseField(MONTH, monthText ?? "");
  const days = parseDays(dateText ?? "", weekdayText ?? "");
  if (!everFires(days, month.low)) {
    throw new CronError(
      `${quote(text)} can never fire: no month of ${quote(monthText ?? "")} has such a day`,
    );
  }
  const elapsed = second.star || minute.star || hour.star;
  return { kind: "fields", source, second, minute, hour, month, days, elapsed };
}
