import { parse, TomlError } from "smol-toml";
import type { KeyPath } from "./report.ts";

/** A table as the TOML parser returns it. */
export type Table = Record<string, unknown>;

/** One TOML file of the configuration, its values substituted. */
export interface SourceFile {
  /** Absolute. */
  path: string;
  text: string;
  /** Empty when the file has a syntax error. */
  tree: Table;
}

/** The table that TOML text stands for, or its first syntax error with a 1-based position. */
export function parseToml(text: string): { tree: Table } | { message: string; line: number; column: number } {
  try {
    return { tree: parse(text) };
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) {
      // The parser gives up on nesting that no configuration has.
      return { message: "TOML that is nested too deeply or can't be read", line: 0, column: 0 };
    }
    // Only the first line of the message: the rest quotes the text, which may hold a secret.
    const reason = (thrown.message.split("\n")[0] ?? "").replace(/^Invalid TOML document: /, "");
    const open = openString(reason, { line: text.split("\n")[thrown.line - 1] ?? "", column: thrown.column });
    if (open !== undefined) {
      return { message: `not valid TOML: ${open}`, line: thrown.line, column: thrown.column };
    }
    const header = /^\s*(\[\[?[^\]]*\]\]?)/.exec(text.split("\n")[thrown.line - 1] ?? "")?.[1];
    const where = header !== undefined && /redefine/.test(reason) ? `: ${header} stands twice` : "";
    return { message: `not valid TOML: ${reason}${where}`, line: thrown.line, column: thrown.column };
  }
}

/** What a parser means that came to the end of a line, or to text, where a string has one quote too few. */
function openString(
  reason: string,
  { line, column }: { line: string; column: number },
): string | undefined {
  if (/unfinished string/.test(reason)) return "the string has no end: a closing quote may be missing";
  const isAtEnd = column > line.trimEnd().length;
  if (/control characters/.test(reason) && isAtEnd) {
    return "the string does not end on this line: a quote may be missing";
  }
  const isOdd = line.replace(/\\./g, "").split('"').length % 2 === 0;
  return /followed by an end-of-line/.test(reason) && isOdd
    ? `${reason}: a quote may be missing on this line`
    : undefined;
}

/** Whether a value is a TOML table (and no list, date or scalar). */
export function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** The value at a path of a tree; undefined when there is none. */
export function valueAt(tree: unknown, path: KeyPath): unknown {
  let value = tree;
  for (const part of path) {
    if (Array.isArray(value) && typeof part === "number") value = value[part];
    else if (isTable(value) && Object.hasOwn(value, part)) value = value[part];
    else return undefined;
  }
  return value;
}
