import type { FeedRegion } from "../cli/log_stream.ts";
import type { LogLineJson } from "../http/schemas/run.ts";

/** Earlier frames of a line that was redrawn, and which of them stands in its place. */
export interface Rewind {
  /** Number of the line. */
  n: number;
  /** Oldest first, each with all its rows. */
  frames: readonly (readonly string[])[];
  at: number;
}

/** The part of a log that is held, and what of it is shown. The lines held have numbers without a gap but for dropped ones. */
export interface LogWindow {
  lines: readonly LogLineJson[];
  /** How many lines the log has so far. */
  total: number;
  /** Number of the oldest line that the log still has. */
  first: number;
  /** The newest lines stay in sight as they come. */
  isFollowing: boolean;
  /** Number of the line in the top row, where it isn't following. */
  top: number;
  /** What is being redrawn, by stream. */
  regions: Readonly<Record<string, readonly string[]>>;
  isDone: boolean;
  search: string;
  /** Numbers of the lines that hold the text, ascending; undefined while they are looked for. */
  hits?: readonly number[];
  /** Number of the hit that was gone to last. */
  at?: number;
  /** A page has been asked for. */
  isPaging: boolean;
  /** A line that is shown as it was before it was redrawn. */
  rewind?: Rewind;
}

/** The most lines that are held: enough that scrolling rarely waits, and no more memory than that. */
export const mostLines = 2000;
/** So many lines one page has. */
export const pageLines = 1000;

/** A window on a log of which nothing is known yet. */
export function newLogWindow(): LogWindow {
  return {
    lines: [],
    total: 0,
    first: 0,
    isFollowing: true,
    top: 0,
    regions: {},
    isDone: false,
    search: "",
    isPaging: false,
  };
}

/** The window once more lines have come live. Those that don't join what is held only count. */
export function addLive(
  window: LogWindow,
  { lines, regions }: { lines: readonly LogLineJson[]; regions?: readonly FeedRegion[] },
): LogWindow {
  let next = window;
  if (lines.length > 0) {
    const reached = endOf(window);
    const isJoined = window.lines.length === 0 || reached === window.total;
    const fresh = lines.filter(({ n }) => n >= reached);
    const total = Math.max(window.total, (lines.at(-1)?.n ?? 0) + 1);
    const held = isJoined ? [...window.lines, ...fresh] : window.lines;
    // While somebody reads further up, what they read is not taken away from them.
    const most = window.isFollowing ? mostLines : mostLines * 2;
    next = { ...next, total, lines: held.length > most ? held.slice(held.length - mostLines) : held };
  }
  for (const { stream, rows } of regions ?? []) {
    next = { ...next, regions: { ...next.regions, [stream]: rows } };
  }
  return next;
}

/** The window once a page has come that was asked for. */
export function addPage(
  window: LogWindow,
  page: { lines: readonly LogLineJson[]; first: number; total: number },
): LogWindow {
  const settled = {
    ...window,
    isPaging: false,
    first: page.first,
    total: Math.max(window.total, page.total),
  };
  const lines = page.lines.filter(({ n }) => n < page.total);
  const [from, to] = [lines[0]?.n, lines.at(-1)?.n];
  if (from === undefined || to === undefined) return settled;
  const start = window.lines[0]?.n;
  if (start === undefined) return { ...settled, lines };
  if (from < start && to >= start - 1) {
    const joined = [...lines.filter(({ n }) => n < start), ...window.lines];
    return { ...settled, lines: joined.slice(0, mostLines) };
  }
  if (from <= endOf(window) && to >= endOf(window)) {
    const joined = [...window.lines, ...lines.filter(({ n }) => n >= endOf(window))];
    return { ...settled, lines: joined.slice(-mostLines) };
  }
  // Somewhere else in the log.
  return from >= start && to < endOf(window) ? settled : { ...settled, lines };
}

/** The window moved by rows, down for a positive number; at the end it follows again. */
export function scrollBy(window: LogWindow, by: number, height: number): LogWindow {
  return scrollTo(window, topOf(window, height) + by, height);
}

/** The window with a line in its top row, as far as there are enough below it. */
export function scrollTo(window: LogWindow, line: number, height: number): LogWindow {
  const lowest = Math.max(window.first, window.total - height);
  const top = Math.min(Math.max(line, window.first), lowest);
  return { ...window, top, isFollowing: top >= lowest && line >= lowest };
}

/** Number of the line in the top row. */
export function topOf(window: LogWindow, height: number): number {
  return window.isFollowing ? Math.max(window.first, window.total - height) : window.top;
}

/** The lines in sight; of those that aren't held there is nothing. */
export function inSight(window: LogWindow, height: number): readonly LogLineJson[] {
  if (window.isFollowing) {
    const isJoined = endOf(window) === window.total;
    return isJoined ? window.lines.slice(-height) : [];
  }
  const from = indexOf(window.lines, window.top);
  return window.lines.slice(from, from + height).filter(({ n }) => n < window.top + height);
}

/** From which line a page must be read so that all in sight is held; undefined when it is, or one is coming. */
export function missingFrom(window: LogWindow, height: number): number | undefined {
  if (window.isPaging || window.total === 0) return undefined;
  const top = topOf(window, height);
  const bottom = Math.min(window.total, top + height);
  const start = window.lines[0]?.n;
  if (start === undefined) return Math.max(window.first, bottom - pageLines);
  if (top < start && start > window.first) {
    // A neighbouring page joins what is held; a far one takes its place.
    return top >= start - pageLines
      ? Math.max(window.first, start - pageLines)
      : Math.max(window.first, top - 200);
  }
  if (bottom > endOf(window)) return top <= endOf(window) ? endOf(window) : Math.max(window.first, top - 200);
  return undefined;
}

/** The window at the next hit of its search, downwards or upwards, around the ends. */
export function toHit(window: LogWindow, way: 1 | -1, height: number): LogWindow {
  const hits = window.hits ?? [];
  if (hits.length === 0) return window;
  const from = window.at ?? topOf(window, height) + (way === 1 ? -1 : height);
  const found = way === 1
    ? hits.find((n) => n > from) ?? hits[0]
    : hits.findLast((n) => n < from) ?? hits.at(-1);
  if (found === undefined) return window;
  return { ...scrollTo(window, found - Math.floor(height / 3), height), at: found };
}

/** Number behind the last line held. */
function endOf({ lines }: LogWindow): number {
  return (lines.at(-1)?.n ?? -1) + 1;
}

/** Index of the first line with at least this number. */
function indexOf(lines: readonly LogLineJson[], n: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.n ?? 0) < n) low = middle + 1;
    else high = middle;
  }
  return low;
}
