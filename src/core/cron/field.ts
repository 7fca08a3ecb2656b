/**
 * One field of a cron expression: a list of values, ranges and steps, as a set of bits. Fields repeat
 * a lot over many schedules, so equal texts share one set.
 */

/** A schedule that can't be used; the message is one clause with the field and the offending text, without a full stop. */
export class CronError extends Error {
  override readonly name = "CronError";
}

/** The allowed values of a field as a 64-bit set; `star` says that its text begins with `*` (or `?` in a day field). */
export interface Field {
  readonly low: number;
  readonly high: number;
  readonly star: boolean;
}

/** What a kind of field is called, its limits (inclusive), and the names of its values from `min` on, lower case. */
export interface FieldKind {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** How many different values there are: day of week 7 is 0 again. */
  readonly size: number;
  readonly names?: readonly string[];
  readonly question?: boolean;
}

/** The seconds of a minute, in expressions of 6 fields. */
export const SECOND: FieldKind = { name: "second", min: 0, max: 59, size: 60 };
/** The minutes of an hour. */
export const MINUTE: FieldKind = { name: "minute", min: 0, max: 59, size: 60 };
/** The hours of a day. */
export const HOUR: FieldKind = { name: "hour", min: 0, max: 23, size: 24 };
/** The days of a month; the items with L and W are read by the day rules. */
export const DATE: FieldKind = { name: "day of month", min: 1, max: 31, size: 31, question: true };
/** The months of a year, 1 to 12 or by name. */
export const MONTH: FieldKind = {
  name: "month",
  min: 1,
  max: 12,
  size: 12,
  names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
};
/** The days of a week, Sunday 0 or 7, or by name; the items with L and # are read by the day rules. */
export const WEEKDAY: FieldKind = {
  name: "day of week",
  min: 0,
  max: 7,
  size: 7,
  names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
  question: true,
};

/** The set of a field without special day items; throws a CronError that names the field and the offending item. */
export function parseField(kind: FieldKind, text: string): Field {
  return internedField(kind)(text);
}

/** The values that one list item (`*`, `5`, `1-5`, `22-2`, `mon-fri/2`, `5/20`) stands for; CronError when malformed. */
export function valuesOfItem(kind: FieldKind, item: string): number[] {
  const [base = "", stepText, ...more] = item.split("/");
  if (more.length > 0) throw new CronError(`${kind.name} ${quote(item)} has more than one step`);
  const step = stepText === undefined ? 1 : parseStep(kind, { item, stepText });
  const { first, last } = parseRange(kind, { item, base, open: stepText !== undefined });
  const values: number[] = [];
  // A range that ends before it begins goes on past the highest value (22-2, fri-mon).
  const end = last < first ? last + kind.size : last;
  for (let value = first; value <= end; value += step) {
    values.push(kind.min + (value - kind.min) % kind.size);
  }
  return values;
}

/** The items of a list field; CronError when one of them is empty. */
export function itemsOf(kind: FieldKind, text: string): string[] {
  const items = text.split(",");
  if (items.includes("")) throw new CronError(`${kind.name} ${quote(text)} has an empty list item`);
  return items;
}

/** The number that a value's text stands for, names in any case; CronError when it is none or out of limits. */
export function parseValue(kind: FieldKind, text: string): number {
  if (/^\d+$/.test(text)) {
    const value = Number(text);
    if (value > kind.max) throw new CronError(`${kind.name} ${quote(text)} is over ${kind.max}`);
    if (value < kind.min) throw new CronError(`${kind.name} ${quote(text)} is under ${kind.min}`);
    return value;
  }
  const index = kind.names?.indexOf(text.toLowerCase()) ?? -1;
  if (index >= 0) return kind.min + index;
  const names = kind.names === undefined ? "" : ` or a name such as "${kind.names[1]}"`;
  throw new CronError(
    `${kind.name} ${quote(text)} is not a whole number from ${kind.min} to ${kind.max}${names}`,
  );
}

/** The text in quotes, cut when it is long, so that a message stays one line. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
}

/** True when a day or time field begins with a star, which decides how the fields of days combine and how clock changes are met. */
export function beginsWithStar(kind: FieldKind, text: string): boolean {
  return text.startsWith("*") || (kind.question === true && text.startsWith("?"));
}

/** A function that remembers its answers by text; at its bound it forgets them all, so that hostile input can't grow it. */
export function intern<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = make(text);
    if (known.size >= INTERNED_MAX) known.clear();
    known.set(text, made);
    return made;
  };
}

const INTERNED_MAX = 4096;

const interned = new Map<FieldKind, (text: string) => Field>();

function internedField(kind: FieldKind): (text: string) => Field {
  let parse = interned.get(kind);
  if (parse === undefined) {
    parse = intern((text) => makeField(kind, text));
    interned.set(kind, parse);
  }
  return parse;
}

function makeField(kind: FieldKind, text: string): Field {
  let low = 0;
  let high = 0;
  for (const item of itemsOf(kind, text)) {
    for (const value of valuesOfItem(kind, item)) {
      if (value < 32) low |= 1 << value;
      else high |= 1 << (value - 32);
    }
  }
  return { low, high, star: beginsWithStar(kind, text) };
}

function parseStep(kind: FieldKind, { item, stepText }: { item: string; stepText: string }): number {
  const step = /^\d+$/.test(stepText) ? Number(stepText) : 0;
  if (step < 1) {
    throw new CronError(
      `${kind.name} ${quote(item)} has the step ${quote(stepText)}: use a whole number from 1`,
    );
  }
  return step;
}

function parseRange(
  kind: FieldKind,
  { item, base, open }: { item: string; base: string; open: boolean },
): { first: number; last: number } {
  if (base === "*" || (base === "?" && kind.question)) return { first: kind.min, last: kind.max };
  const ends = base.split("-");
  if (ends.length > 2 || ends.includes("")) {
    throw new CronError(`${kind.name} ${quote(item)} is neither a value nor a range nor a step`);
  }
  const first = parseValue(kind, ends[0] ?? "");
  if (ends[1] !== undefined) return { first, last: parseValue(kind, ends[1]) };
  return { first, last: open ? kind.max : first };
}
