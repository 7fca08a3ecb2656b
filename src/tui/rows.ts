// deno-lint-ignore-file no-control-regex -- the colours of output are escape sequences
import stringWidth from "string-width";
import { withoutEscapes } from "../core/log/plain.ts";
import type { Role } from "../core/words.ts";

/** A piece of text that looks one way. */
export interface Span {
  text: string;
  role?: Role;
  isBold?: boolean;
  isItalic?: boolean;
  isInverse?: boolean;
  /** One of the 16 colours, as output asked for it; wins over the role. */
  colour?: string;
}

/** One row of the screen. */
export type Row = readonly Span[];

/** A span of text, by role. */
export function span(text: string, role?: Role): Span {
  return role === undefined ? { text } : { text, role };
}

/** A span in bold. */
export function bold(text: string, role?: Role): Span {
  return { ...span(text, role), isBold: true };
}

/** How many columns a text without escape sequences takes. */
export function widthOf(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text);
}

/** How many columns a row takes. */
export function rowWidth(row: Row): number {
  return row.reduce((sum, { text }) => sum + widthOf(text), 0);
}

/** A text cut to a number of columns, the cut shown where there is room for that. */
export function cut(text: string, width: number, ellipsis = "…"): string {
  if (widthOf(text) <= width) return text;
  const mark = width > ellipsis.length ? ellipsis : "";
  const room = Math.max(0, width - mark.length);
  let kept = "";
  let columns = 0;
  for (const { segment } of segmenter.segment(text)) {
    columns += widthOf(segment);
    if (columns > room) break;
    kept += segment;
  }
  return kept + mark;
}

/** Characters as people count them: a cut never splits one. */
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A text in exactly so many columns. */
export function fit(text: string, width: number, ellipsis?: string): string {
  const shown = cut(text, width, ellipsis);
  return shown + " ".repeat(Math.max(0, width - widthOf(shown)));
}

/** A row cut to a number of columns; `fill` makes it exactly as wide. */
export function fitRow(row: Row, width: number, options: { fill?: boolean; ellipsis?: string } = {}): Row {
  const spans: Span[] = [];
  let left = width;
  for (const one of row) {
    if (left <= 0) break;
    const text = cut(one.text, left, options.ellipsis);
    if (text !== "") spans.push(text === one.text ? one : { ...one, text });
    left -= widthOf(text);
    if (text !== one.text) break;
  }
  if (options.fill && left > 0) spans.push({ text: " ".repeat(left) });
  return spans;
}

/** The row that the cursor stands on; without the focus it is only told by weight. */
export function highlight(row: Row, { width, hasFocus }: { width: number; hasFocus: boolean }): Row {
  if (!hasFocus) return row.map((one) => ({ ...one, isBold: true }));
  return fitRow(row, width, { fill: true }).map((one) => ({ ...one, isInverse: true }));
}

/** A text in lines of at most so many columns, broken at blanks where there are any. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    for (const word of paragraph.split(" ")) {
      const longer = line === "" ? word : `${line} ${word}`;
      if (widthOf(longer) <= width) {
        line = longer;
        continue;
      }
      if (line !== "") lines.push(line);
      line = word;
      while (widthOf(line) > width) {
        const head = cut(line, Math.max(1, width), "");
        if (head === "") break;
        lines.push(head);
        line = line.slice(head.length);
      }
    }
    lines.push(line);
  }
  return lines;
}

/** A row in as many rows as it takes; an empty one takes one. */
export function wrapRow(row: Row, width: number): Row[] {
  const rows: Span[][] = [[]];
  let left = width;
  for (const one of row) {
    for (let { text } = one; text !== "";) {
      const head = cut(text, left, "");
      // A character that is wider than the whole row would never find its place.
      if (head === "" && left === width) break;
      if (head !== "") rows.at(-1)!.push({ ...one, text: head });
      text = text.slice(head.length);
      left -= widthOf(head);
      if (text === "") break;
      rows.push([]);
      left = width;
    }
  }
  return rows;
}

/** A line of output as spans: its colours stay (the 16 of the terminal), nothing else of it steers one. */
export function spansOfOutput(line: string): Span[] {
  const last = line.slice(line.lastIndexOf("\r", line.length - 2) + 1);
  const spans: Span[] = [];
  let look: Omit<Span, "text"> = {};
  let from = 0;
  const put = (text: string): void => {
    const plain = withoutEscapes(text).replaceAll("\t", "    ").replace(/[\x00-\x1f\x7f-\x9f]/g, "");
    if (plain !== "") spans.push({ ...look, text: plain });
  };
  for (const found of last.matchAll(/\x1b\[([0-9;]*)m/g)) {
    put(last.slice(from, found.index));
    look = lookAfter(look, found[1] ?? "");
    from = found.index + found[0].length;
  }
  put(last.slice(from));
  return spans;
}

const colours = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

function lookAfter(before: Omit<Span, "text">, codes: string): Omit<Span, "text"> {
  let look = before;
  const list = codes.split(";").map(Number);
  for (let at = 0; at < list.length; at++) {
    const code = list[at] ?? 0;
    if (code === 0) look = {};
    else if (code === 1) look = { ...look, isBold: true };
    else if (code === 2) look = { ...look, role: "muted" };
    else if (code === 3) look = { ...look, isItalic: true };
    else if (code === 7) look = { ...look, isInverse: true };
    else if (code >= 30 && code <= 37) look = { ...look, colour: colours[code - 30]! };
    else if (code >= 90 && code <= 97) look = { ...look, colour: `${colours[code - 90]}Bright` };
    else if (code === 39) look = { ...look, colour: "" };
    // Colours beyond the 16 take more numbers, which must not be read as something else.
    else if (code === 38 || code === 48) at += list[at + 1] === 5 ? 2 : 4;
  }
  return look;
}
