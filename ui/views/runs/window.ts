/** Where a list of rows of one height stands in its scroller. */
export interface ListWindow {
  /** The rows to draw: from `first` up to, not including, `last`. */
  first: number;
  last: number;
  /** The rows that are seen, in part at least. */
  seenFirst: number;
  seenLast: number;
  /** Height of the whole list, px. */
  height: number;
  /** Where the first drawn row stands in it, px. */
  top: number;
}

interface Place {
  scrollTop: number;
  viewHeight: number;
  rowHeight: number;
  total: number;
  overscan?: number;
}

/** Browsers cut an element off beyond some height, Firefox at 17.8 million px. */
const tallest = 12_000_000;

/**
 * The rows to draw at a place of the scroll bar. A list that would be taller than a browser allows is drawn in a
 * shorter one, where each pixel of the scroll bar stands for more than one of the list.
 */
export function windowOf({ scrollTop, viewHeight, rowHeight, total, overscan = 10 }: Place): ListWindow {
  const full = total * rowHeight;
  const height = Math.min(full, tallest);
  const travel = Math.max(0, height - viewHeight);
  const at = Math.max(0, Math.min(scrollTop, travel));
  const fullTop = travel === 0 || full === height ? at : at / travel * (full - viewHeight);
  const seenFirst = Math.max(0, Math.min(total, Math.floor(fullTop / rowHeight)));
  const seenLast = Math.min(total, Math.ceil((fullTop + viewHeight) / rowHeight));
  const first = Math.max(0, seenFirst - overscan);
  return {
    first,
    last: Math.min(total, seenLast + overscan),
    seenFirst,
    seenLast,
    height,
    top: at + first * rowHeight - fullTop,
  };
}
