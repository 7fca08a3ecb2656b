import type { Ranges } from "../../log/hits.ts";

/** What is shown of a long line. */
export interface Excerpt {
  text: string;
  /** The hits that lie in it, in its own places. */
  ranges: Ranges;
}

/** So many characters are shown, and so many of them before the first hit. */
const length = 400;
const before = 60;

/** The part of a line around its first hit. */
export function excerptOf(line: string, ranges: Ranges): Excerpt {
  if (line.length <= length) return { text: line, ranges };
  const at = ranges[0]?.[0] ?? 0;
  const from = at <= before ? 0 : Math.min(at - before, line.length - length);
  const to = from + length;
  const lead = from === 0 ? "" : "… ";
  const shift = lead.length - from;
  return {
    text: lead + line.slice(from, to) + (to < line.length ? " …" : ""),
    ranges: ranges.filter(([start]) => start < to)
      .map(([start, end]) => [start + shift, Math.min(end, to) + shift] as const),
  };
}
