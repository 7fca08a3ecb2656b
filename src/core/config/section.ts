import { z } from "zod";
import { nearest } from "../nearest.ts";
import type { KeyPath, Message, Report } from "./report.ts";
import { isTable, type Table, valueAt } from "./source.ts";
import { describe, quoted, type Value } from "./values.ts";

/** The keys of a table, each with the schema of its value. */
export type Shape = Record<string, Value<unknown>>;

/** What a table says: its own keys, read, nothing defaulted. */
export type Draft<S extends Shape> = { -readonly [K in keyof S]?: z.output<S[K]> };

/** One kind of table: its keys, which of them it must have, and what the others are when they are left out. */
export interface Section<S extends Shape, D extends keyof S = never> {
  /** All rules, for checking and for the JSON Schema. */
  schema: z.ZodType<Draft<S>>;
  /** The same without required keys: reads what is left of a table with errors. */
  loose: z.ZodType<Draft<S>>;
  keys: readonly (keyof S & string)[];
  /** The built-in defaults, read. */
  builtIn: { readonly [K in D]: z.output<S[K]> };
  /** Keys that belong elsewhere, with the sentence that says so. */
  foreign: ReadonlyMap<string, string>;
}

/** A section of `shape`; `defaults` in the spelling of TOML. */
export function section<
  S extends Shape,
  const D extends { readonly [K in keyof S]?: unknown } = Record<never, never>,
>(
  shape: S,
  options: {
    defaults?: D;
    required?: readonly (keyof S & string)[];
    foreign?: ReadonlyMap<string, string>;
    json?: Record<string, unknown>;
  } = {},
): Section<S, keyof D & keyof S> {
  const { defaults, required = [], foreign = new Map(), json = {} } = options;
  const keys: (keyof S & string)[] = Object.keys(shape);
  const strict: Record<string, z.ZodType> = {};
  const loose: Record<string, z.ZodType> = {};
  const builtIn: Record<string, unknown> = {};
  for (const key of keys) {
    const schema = shape[key];
    if (schema === undefined) continue;
    const described = defaults !== undefined && key in defaults
      ? schema.meta({ [FALLBACK]: defaults[key] })
      : schema;
    loose[key] = described.optional();
    strict[key] = required.includes(key) ? described : described.optional();
    if (defaults !== undefined && key in defaults) builtIn[key] = schema.parse(defaults[key]);
  }
  // The shapes above are built key by key, beyond what the type of zod's objects can follow.
  return {
    schema: z.strictObject(strict).meta(json) as unknown as z.ZodType<Draft<S>>,
    loose: z.strictObject(loose) as unknown as z.ZodType<Draft<S>>,
    keys,
    builtIn: builtIn as Section<S, keyof D & keyof S>["builtIn"],
    foreign,
  };
}

/** The name under which a value's default is kept beside its schema, until the JSON Schema calls it `default`. */
export const FALLBACK = "svcDefault";

/** Where a table stands, and who hears about what is wrong with it. */
export interface Site {
  file: string;
  path: KeyPath;
  report: Report;
}

/** What a raw value says as a table of this kind; every fault is reported and its key left out. */
export function readTable<S extends Shape, D extends keyof S>(
  section: Section<S, D>,
  raw: unknown,
  { file, path, report }: Site,
): Draft<S> {
  if (!isTable(raw)) {
    report.error({ file, path }, `expected a table, got ${describe(raw)}`);
    return {};
  }
  const result = section.schema.safeParse(raw);
  if (result.success) return result.data;
  const issues = result.error.issues;
  for (const issue of issues) {
    for (const fault of inWords(issue, { raw, section })) {
      report.error({ file, path: [...path, ...fault.path] }, fault.message);
    }
  }
  const rest = section.loose.safeParse(without(raw, issues));
  if (rest.success) return rest.data;
  const coarse = section.loose.safeParse(withoutKeys(raw, [...issues, ...rest.error.issues]));
  return coarse.success ? coarse.data : {};
}

type Issue = z.core.$ZodIssue;

/** An issue as sentences for people, each at the path of its value. */
function inWords(
  issue: Issue,
  { raw, section }: { raw: Table; section: Section<Shape> },
): { path: KeyPath; message: Message }[] {
  const path = issue.path.filter((part) => typeof part !== "symbol");
  const found = valueAt(raw, path);
  if (issue.code === "unrecognized_keys") {
    const siblings = path.length === 0 ? section.keys : siblingKeys(section.schema, path);
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: (path.length === 0 ? section.foreign.get(key) : undefined) ??
        (() => unknownKey(key, siblings)),
    }));
  }
  if (found === undefined) {
    return [{ path, message: `is missing: ${JSON.stringify(path.at(-1))} is required here` }];
  }
  if (issue.code === "custom" || issue.code === "too_small") return [{ path, message: issue.message }];
  if (issue.code === "invalid_type") {
    const wanted = issue.expected === "array" ? "a list" : "a table";
    return [{ path, message: `expected ${wanted}, got ${describe(found)}` }];
  }
  return [{ path, message: `is not valid: ${issue.message}` }];
}

/** The sentence about a key that no table of this kind has. */
export function unknownKey(key: string, known: readonly string[]): string {
  const near = nearest(key, known);
  if (near !== undefined) return `unknown key ${quoted(key)}: did you mean "${near}"?`;
  if (known.length === 0 || known.length > 12) {
    return `unknown key ${quoted(key)}: remove it, or look it up in the output of "svc schema"`;
  }
  return `unknown key ${quoted(key)}: known here are ${known.map((word) => `"${word}"`).join(", ")}`;
}

/** The keys of the strict object at a path inside a schema. */
function siblingKeys(schema: z.ZodType, path: KeyPath): string[] {
  let at: unknown = schema;
  for (const part of path) {
    at = unwrap(at);
    if (at instanceof z.ZodArray) at = at.element;
    else if (at instanceof z.ZodObject) at = at.shape[part];
    else if (at instanceof z.ZodRecord) at = at.valueType;
  }
  at = unwrap(at);
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? schema.unwrap() : schema;
}

/** A copy of a table without the values that issues point at, or, for items of lists, without the list. */
function without(raw: Table, issues: readonly Issue[]): Table {
  const copy = structuredClone(raw);
  for (const issue of issues) {
    const path = issue.path.filter((part) => typeof part !== "symbol");
    const faulty = issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...path, key]) : [path];
    for (const target of faulty) {
      const last = target.at(-1);
      const holder = valueAt(copy, target.slice(0, -1));
      if (isTable(holder) && last !== undefined && last in holder) delete holder[last];
      else if (target[0] !== undefined) delete copy[target[0]];
    }
  }
  return copy;
}

function withoutKeys(raw: Table, issues: readonly Issue[]): Table {
  const copy = { ...raw };
  for (const issue of issues) {
    if (issue.path.length === 0 && issue.code === "unrecognized_keys") {
      for (const key of issue.keys) delete copy[key];
    } else delete copy[String(issue.path[0])];
  }
  return copy;
}
