// deno-lint-ignore-file no-control-regex -- control characters are what this file is about

import { bidiControls } from "../core/visible.ts";

/**
 * A text that does nothing to a terminal but colour it: colour and weight sequences (SGR) stay, all other escape
 * sequences and control characters go, line ends and tabs excepted. Without `colours` those go, too.
 */
export function printable(text: string, { colours = true }: { colours?: boolean } = {}): string {
  if (!unsafe.test(text)) return text;
  return text.replace(sequences, (found) => colours && /^\x1b\[[0-9;:]*m$/.test(found) ? found : "");
}

const breaks = /\s*[\n\t\u2028\u2029]\s*/g;
const lineBreaks = /\s*[\n\r\u2028\u2029]\s*/g;

/** Colours that the command line itself uses; see `Style`. */
const ownColour = /^\x1b\[(?:[0-3]|3[1-6])m$/;

/**
 * What the command line itself says, with names and words of others in it: nothing that commands a terminal stays but
 * colours of its own, and without `colours` not those either.
 */
export function spoken(text: string, { colours }: { colours: boolean }): string {
  if (!unsafe.test(text)) return text;
  return text.replace(sequences, (found) => colours && ownColour.test(found) ? found : "");
}

/** Words of others as a part of a line: no colours, and no other line. */
export function withinLine(text: string): string {
  return spoken(text, { colours: false }).replace(breaks, " ");
}

/** Lines with their ends: whatever words of others stand in one, it stays one. */
export function asLines(lines: readonly string[]): string {
  return lines.map((line) => `${line.replace(lineBreaks, " ")}\n`).join("");
}

/** What a line of output looks like after its last carriage return, and with its colours ended: safe to put among other lines. */
export function printableLine(text: string): string {
  const shown = printable(text.slice(text.lastIndexOf("\r", text.length - 2) + 1));
  return shown.includes("\x1b") && !/\x1b\[0?m$/.test(shown) ? `${shown}\x1b[0m` : shown;
}

/** Control characters but tab and line feed: C0, DEL and C1, and those that turn the direction of writing. */
const control = `[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f${bidiControls}]`;
const unsafe = new RegExp(control);

/**
 * In this order: control sequences; strings for the operating system, the device and other programs, which may
 * lack their end; two-character and charset escapes; what is left.
 */
const sequences = new RegExp(
  [
    "\\x1b\\[[0-?]*[ -/]*[@-~]?",
    "\\x1b[\\]PX^_][^\\x07\\x1b\\n]*(?:\\x07|\\x1b\\\\)?",
    "\\x1b[ -/]*[0-~]?",
    control,
  ].join("|"),
  "g",
);
