/**
 * Where lines are on a scroll bar. Nothing here needs the heights of all lines: what is seen hangs on an anchor, a
 * line and an offset. The scroll bar is exact near both ends of a log and a map of line numbers between them, since
 * millions of lines are higher than a browser allows.
 */

/** What is seen first: a line, and how many pixels of it are above the edge. */
export interface Anchor {
  n: number;
  offset: number;
}

/** All that the map is made from. `end` is the number behind the last line; heights are pixels. */
export interface Lines {
  first: number;
  end: number;
  /** The height of a line, or a guess for one that was never shown. */
  heightOf: (n: number) => number;
  average: number;
  viewport: number;
}

/** So many lines at each end have exact places. */
const edge = 500;
/** Browsers give up at 17 million pixels. */
const mostMiddle = 8_000_000;

interface Parts {
  head: number;
  middle: number;
  tail: number;
  /** The first line of the middle, and of the tail. */
  middleAt: number;
  tailAt: number;
}

function partsOf(lines: Lines): Parts {
  const { first, end, average } = lines;
  const isSmall = end - first <= 2 * edge;
  const middleAt = isSmall ? end : first + edge;
  const tailAt = isSmall ? end : end - edge;
  return {
    head: sum(lines, first, middleAt),
    middle: Math.min(mostMiddle, (tailAt - middleAt) * average),
    tail: sum(lines, tailAt, end),
    middleAt,
    tailAt,
  };
}

/** How high the lines from `from` up to `to` are together. */
export function sum({ heightOf }: Lines, from: number, to: number): number {
  let height = 0;
  for (let n = from; n < to; n++) height += heightOf(n);
  return height;
}

/** How high the whole log is for the scroll bar. */
export function contentHeight(lines: Lines): number {
  const { head, middle, tail } = partsOf(lines);
  return head + middle + tail;
}

/** Where an anchor is on the scroll bar. */
export function positionOf(lines: Lines, { n, offset }: Anchor): number {
  const { head, middle, middleAt, tailAt } = partsOf(lines);
  if (n < middleAt) return sum(lines, lines.first, n) + offset;
  if (n >= tailAt) return head + middle + sum(lines, tailAt, n) + offset;
  const share = (n - middleAt + offset / Math.max(1, lines.heightOf(n))) / (tailAt - middleAt);
  return head + share * middle;
}

/** What is seen first at a position of the scroll bar. */
export function anchorAt(lines: Lines, position: number): Anchor {
  const { head, middle, middleAt, tailAt } = partsOf(lines);
  if (position < head || middleAt === tailAt) {
    return moveBy(lines, { n: lines.first, offset: 0 }, position);
  }
  if (position >= head + middle) return moveBy(lines, { n: tailAt, offset: 0 }, position - head - middle);
  const at = middleAt + (position - head) / middle * (tailAt - middleAt);
  const n = Math.floor(at);
  return { n, offset: (at - n) * lines.heightOf(n) };
}

/** The anchor `delta` pixels further down, or up; not beyond the first line and the end. */
export function moveBy(lines: Lines, { n, offset }: Anchor, delta: number): Anchor {
  let at = n;
  let rest = offset + delta;
  while (rest < 0 && at > lines.first) rest += lines.heightOf(--at);
  while (at < lines.end - 1 && rest >= lines.heightOf(at)) rest -= lines.heightOf(at++);
  return clamp(lines, { n: at, offset: Math.max(0, rest) });
}

/** The anchor at which the last line ends with the view. */
export function endAnchor(lines: Lines): Anchor {
  let height = 0;
  for (let n = lines.end - 1; n >= lines.first; n--) {
    height += lines.heightOf(n);
    if (height >= lines.viewport) return { n, offset: height - lines.viewport };
  }
  return { n: lines.first, offset: 0 };
}

/** The anchor, or the nearest that is there. */
export function clamp(lines: Lines, anchor: Anchor): Anchor {
  if (anchor.n < lines.first) return { n: lines.first, offset: 0 };
  const last = endAnchor(lines);
  const isBehind = anchor.n > last.n || (anchor.n === last.n && anchor.offset > last.offset);
  return isBehind ? last : anchor;
}

/** Which lines are to be there: those that are seen, and `overscan` pixels of them on both sides. */
export function windowOf(lines: Lines, anchor: Anchor, overscan: number): { from: number; to: number } {
  let from = anchor.n;
  for (let height = 0; from > lines.first && height < overscan;) height += lines.heightOf(--from);
  let to = anchor.n;
  const wanted = anchor.offset + lines.viewport + overscan;
  for (let height = 0; to < lines.end && height < wanted;) height += lines.heightOf(to++);
  return { from, to };
}
