import type { Span } from "./ansi.ts";

/** What is searched for in logs. */
export interface Query {
  text: string;
  isRegex: boolean;
  isCaseSensitive: boolean;
}

/** Places in a text, each from its first character to behind its last. */
export type Ranges = ReadonlyArray<readonly [from: number, to: number]>;

/** Longer texts are marked as a whole. */
const mostLength = 20_000;
const mostRanges = 500;

/**
 * What finds a query in the plain text of a line, for the marks that a hit gets: the daemon has searched already. An
 * expression that this browser doesn't know, or that could keep it busy, marks whole lines.
 */
export function finderOf({ text, isRegex, isCaseSensitive }: Query): (line: string) => Ranges {
  const expression = expressionOf(text, { isRegex, flags: isCaseSensitive ? "gu" : "giu" });
  return (line) => {
    if (expression === undefined || line.length > mostLength) return [[0, line.length]];
    const ranges: Array<readonly [number, number]> = [];
    for (const match of line.matchAll(expression)) {
      if (match[0].length > 0) ranges.push([match.index, match.index + match[0].length]);
      if (ranges.length >= mostRanges) break;
    }
    return ranges;
  };
}

/** Whether a line has what a query looks for; undefined where only the daemon can tell. */
export function testerOf({ text, isRegex, isCaseSensitive }: Query): ((line: string) => boolean) | undefined {
  const expression = expressionOf(text, { isRegex, flags: isCaseSensitive ? "u" : "iu" });
  return expression === undefined ? undefined : (line) => expression.test(line);
}

function expressionOf(
  text: string,
  { isRegex, flags }: { isRegex: boolean; flags: string },
): RegExp | undefined {
  if (text === "" || (isRegex && !isQuick(text))) return undefined;
  try {
    return new RegExp(isRegex ? text : text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), flags);
  } catch {
    return undefined;
  }
}

/** The browser's engine goes back and forth: a repeated group, or many repetitions, may take it for ever. */
function isQuick(pattern: string): boolean {
  const plain = pattern.replace(/\\./g, "x").replace(/\[[^\]]*\]/g, "x");
  return !/\)[*+{]/.test(plain) && (plain.match(/[*+{]/g) ?? []).length <= 2;
}

/** The pieces of a line, with those parts marked that lie in `ranges` of its plain text. */
export function markRanges(spans: readonly Span[], ranges: Ranges): Span[] {
  const marked: Span[] = [];
  let at = 0;
  let next = 0;
  for (const span of spans) {
    const end = at + span.text.length;
    let from = at;
    while (from < end) {
      while (next < ranges.length && ranges[next]![1] <= from) next++;
      const range = ranges[next];
      const isHit = range !== undefined && range[0] <= from;
      const to = range === undefined ? end : Math.min(end, isHit ? range[1] : range[0]);
      const text = span.text.slice(from - at, to - at);
      marked.push(isHit ? { ...span, text, isHit } : { ...span, text });
      from = to;
    }
    at = end;
  }
  return marked;
}

/** The index of the first number in an ascending list that is not below `n`; the length where there is none. */
export function indexFrom(list: readonly number[], n: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! < n) low = middle + 1;
    else high = middle;
  }
  return low;
}
