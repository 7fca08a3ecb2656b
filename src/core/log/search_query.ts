import { userRegex } from "../user_regex.ts";
import { withoutEscapes } from "./plain.ts";

/** What to look for in the lines of logs. */
export interface LogQuery {
  text: string;
  /** `text` is a regular expression in the syntax of RE2. */
  regex: boolean;
  /** Upper and lower case differ. */
  caseSensitive: boolean;
}

/** A query made ready. */
export interface LogMatcher {
  /** Whether a line (without its end) matches; terminal commands in it don't count. */
  matches(line: string): boolean;
  /**
   * False when surely no line of a text of many lines matches, which was `bytes` bytes long; absent where that can't
   * be told more quickly.
   */
  mayMatch?(lines: string, bytes: number): boolean;
}

/** Makes a query ready, or says what is wrong with its regular expression. */
export function matcherOf(query: LogQuery): { matcher: LogMatcher } | { problem: string } {
  return query.regex ? regexMatcher(query) : { matcher: textMatcher(query) };
}

function textMatcher({ text, caseSensitive }: LogQuery): LogMatcher {
  const wanted = caseSensitive ? text : foldCase(text);
  const matches = caseSensitive
    ? (line: string): boolean => withoutEscapes(line).includes(wanted)
    : (line: string): boolean => foldCase(withoutEscapes(line)).includes(wanted);
  const plain = caseSensitive ? text : text.toLowerCase();
  const isPlain = /^[\x20-\x7e]*$/.test(text);
  return {
    matches,
    mayMatch(lines, bytes) {
      // As many characters as bytes: nothing beyond ASCII is in it, whose folding and commands would have to be known.
      if (!isPlain || lines.length !== bytes || lines.includes("\x1b")) return matches(lines);
      return (caseSensitive ? lines : lines.toLowerCase()).includes(plain);
    },
  };
}

function regexMatcher({ text, caseSensitive }: LogQuery): { matcher: LogMatcher } | { problem: string } {
  const made = userRegex(text, { ignoreCase: !caseSensitive });
  if ("problem" in made) return made;
  return { matcher: { matches: (line) => made.regex.test(withoutEscapes(line)) } };
}

/**
 * A text with the differences of case taken away. Upper case alone makes one of `σ` and `ς`, and of `ß` and
 * `SS`; lower case before it makes one of the letters that have an upper case of their own, such as `K` and the
 * sign of kelvin.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase();
}
