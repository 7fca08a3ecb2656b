import { z } from "zod";
import { isTooLong, parseDuration } from "../duration.ts";
import { nearest } from "../nearest.ts";
import { parseSize } from "../size.ts";
import { durationPattern, sizePattern } from "./patterns.ts";

/** What reading one TOML value gives: the value in the program's own form, or a sentence about what is wrong. */
export type Outcome<T> = { value: T } | { fault: string };

/** A value schema: raw TOML in, the program's own form out. */
export type Value<T> = z.ZodType<T>;

/**
 * A schema from a reader. `json` describes the raw form for the JSON Schema; the reader's own sentence is the
 * whole message of a failure.
 */
export function value<T>(json: Record<string, unknown>, read: (raw: unknown) => Outcome<T>): Value<T> {
  return z.unknown().transform((raw, context): T => {
    const outcome = read(raw);
    if ("value" in outcome) return outcome.value;
    context.issues.push({ code: "custom", message: outcome.fault, input: raw });
    return z.NEVER;
  }).meta(json);
}

/** Any text without NUL; `check` may refuse it with a sentence. A `secret` one is never quoted. */
export function text(
  options: {
    check?: (text: string) => string | undefined;
    secret?: boolean;
    json?: Record<string, unknown>;
  } = {},
): Value<string> {
  return value({ type: "string", ...options.json }, (raw) => {
    if (typeof raw !== "string") {
      return { fault: `expected a string, got ${options.secret ? kindOf(raw) : describe(raw)}` };
    }
    if (raw.includes("\0")) return { fault: "the text holds a NUL character, which no program can be given" };
    const fault = options.check?.(raw);
    return fault === undefined ? { value: raw } : { fault };
  });
}

/** Text that says something. */
export function words(options: { secret?: boolean; json?: Record<string, unknown> } = {}): Value<string> {
  return text({
    ...options,
    check: (raw) => raw.trim() === "" ? "is empty: give it a value, or leave the key out" : undefined,
  });
}

/** One of a few words. */
export function choice<T extends string>(...known: [T, ...T[]]): Value<T> {
  return value({ type: "string", enum: known }, (raw) => {
    const found = known.find((word) => word === raw);
    if (found !== undefined) return { value: found };
    const list = known.map((word) => `"${word}"`).join(", ");
    if (typeof raw !== "string") return { fault: `expected one of ${list}, got ${describe(raw)}` };
    const near = nearest(raw, known);
    const hint = near === undefined ? "" : `: did you mean "${near}"?`;
    return { fault: `${quoted(raw)} is not one of ${list}${hint}` };
  });
}

/** true or false. */
export function flag(): Value<boolean> {
  return value({ type: "boolean" }, (raw) => {
    if (typeof raw === "boolean") return { value: raw };
    return { fault: `expected true or false, got ${describe(raw)}` };
  });
}

/** A whole number within bounds, both included. */
export function whole({ min, max = Number.MAX_SAFE_INTEGER }: { min: number; max?: number }): Value<number> {
  const json = { type: "integer", minimum: min, ...(max < Number.MAX_SAFE_INTEGER && { maximum: max }) };
  return value(json, (raw) => {
    if (typeof raw !== "number") return { fault: `expected a whole number, got ${describe(raw)}` };
    if (!Number.isSafeInteger(raw)) return { fault: `expected a whole number, got ${raw}` };
    if (raw < min) return { fault: `expected at least ${min}, got ${raw}` };
    return raw > max ? { fault: `expected at most ${max}, got ${raw}` } : { value: raw };
  });
}

/** A number of 0 or more, fractions allowed. */
export function amount(): Value<number> {
  return value({ type: "number", minimum: 0 }, (raw) => {
    if (typeof raw !== "number") return { fault: `expected a number, got ${describe(raw)}` };
    return Number.isFinite(raw) && raw >= 0 ? { value: raw } : { fault: `expected 0 or more, got ${raw}` };
  });
}

/** A duration in milliseconds from text such as "1h30m"; a bare 0 means none unless `positive`. */
export function duration({ positive = false }: { positive?: boolean } = {}): Value<number> {
  const json = {
    type: positive ? "string" : ["string", "integer"],
    description: 'a duration such as "1h30m"',
    pattern: durationPattern({ positive }),
    ...(!positive && { maximum: 0, minimum: 0 }),
  };
  return value(json, (raw) => readDuration(raw, { positive }));
}

/** What a duration (ms) is read from; 0 stands for none, where that makes sense. */
export function readDuration(
  raw: unknown,
  { positive = false }: { positive?: boolean } = {},
): { value: number } | { fault: string } {
  const none = raw === 0 || raw === "0";
  const ms = none ? 0 : typeof raw === "string" ? parseDuration(raw) : undefined;
  if (ms === 0 && positive) {
    return { fault: `expected more than 0, got ${JSON.stringify(raw)}: none makes no sense here` };
  }
  if (ms !== undefined) return { value: ms };
  if (typeof raw === "string" && isTooLong(raw)) {
    return { fault: `${quoted(raw)} is too long: 292 years are the most` };
  }
  if (typeof raw === "string") {
    return {
      fault: `${quoted(raw)} is no duration: write number and unit as in "90s" or "1h30m"` +
        " (ns us ms s m h d w)",
    };
  }
  return { fault: `expected a duration such as "90s", got ${describe(raw)}` };
}

/** A size in bytes from a number of bytes or text such as "100mb". */
export function size(): Value<number> {
  return value({ type: ["string", "integer"], minimum: 0, pattern: sizePattern }, (raw) => {
    if (typeof raw === "number") {
      if (Number.isSafeInteger(raw) && raw >= 0) return { value: raw };
      return { fault: `expected whole bytes, 0 or more, got ${raw}` };
    }
    if (typeof raw !== "string") return { fault: `expected a size such as "100mb", got ${describe(raw)}` };
    const bytes = parseSize(raw);
    if (bytes !== undefined) return { value: bytes };
    return {
      fault: `${quoted(raw)} is no size: write bytes, or a number with k m g t, as in "100mb" or "1gib"`,
    };
  });
}

/** A list of values of one kind; a `filled` one has at least one. */
export function list<T>(item: Value<T>, { filled = false }: { filled?: boolean } = {}): Value<T[]> {
  const items = z.array(item);
  return filled
    ? items.min(1, { error: "is an empty list: name at least one, or leave the key out" })
    : items;
}

/** A value as it is shown in a message: its kind, and itself where it is short. */
export function describe(raw: unknown): string {
  if (typeof raw === "string") return `the string ${quoted(raw)}`;
  if (typeof raw === "number") return `the number ${raw}`;
  if (typeof raw === "boolean") return String(raw);
  return kindOf(raw);
}

/** The kind of a TOML value, without the value. */
export function kindOf(raw: unknown): string {
  if (raw === undefined) return "nothing";
  if (Array.isArray(raw)) return "a list";
  if (raw instanceof Date) return "a date";
  return typeof raw === "object" ? "a table" : `a ${typeof raw}`;
}

/** A text in quotes, cut where it is long, so that a message stays one line. */
export function quoted(raw: string): string {
  const shown = JSON.stringify(raw.length > 80 ? `${raw.slice(0, 79)}…` : raw);
  return shown;
}
