/**
 * A command to a terminal: a control sequence (CSI), a string command (OSC, DCS, ...) with its end, a short
 * escape; the second alternatives are the 8-bit spellings. Line ends are never part of one.
 */
const commands = new RegExp(
  [
    "(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]?",
    "(?:\\x1b[\\]PX^_]|[\\x9d\\x90\\x98\\x9e\\x9f])[^\\n\\x07\\x1b\\x9c]*(?:\\x07|\\x1b\\\\|\\x9c)?",
    "\\x1b[ -/]*[0-~]?",
  ].join("|"),
  "g",
);
// deno-lint-ignore no-control-regex -- these are the characters that begin a command
const begin = /[\x1b\x90\x98\x9b\x9d-\x9f]/;

/** Text without the commands that it holds for a terminal: what a person would read of it. */
export function withoutEscapes(text: string): string {
  return begin.test(text) ? text.replace(commands, "") : text;
}

/** The most of a line of output that is quoted elsewhere, in characters. */
const longestQuote = 300;

/** A line of output as it may be quoted elsewhere: nothing in it steers a terminal, and it is cut to a length. */
export function readable(line: string): string {
  const text = withoutEscapes(line).replace(/\p{Cc}+/gu, " ").trim();
  const chars = [...text];
  return chars.length > longestQuote ? `${chars.slice(0, longestQuote - 1).join("")}…` : text;
}
