import { type IndexRecord, JOINED } from "../../core/log/record.ts";

/** Bytes `start` up to but not including `end` of a log file. */
export interface Extent {
  start: number;
  end: number;
}

/** What a walk must know of a segment: its records, which follow from each other, and single bytes of its log. */
export interface WalkedSegment {
  count: number;
  record(i: number): IndexRecord;
  byteAt(offset: number): number | undefined;
}

const NEWLINE = 10;
/** After so many records a caller can pause. */
const STRIDE = 4096;

/**
 * Returns where in a log file the bytes lie that the process itself wrote: all but newlines that were added. What it
 * yields means nothing: there a caller can pause.
 */
export function* walkExtents({ count, record, byteAt }: WalkedSegment): Generator<undefined, Extent[]> {
  const extents: Extent[] = [];
  let open: Extent = { start: 0, end: 0 };
  for (let i = 0; i < count; i++) {
    const { end, flags } = record(i);
    const isAdded = (flags & JOINED) !== 0 && byteAt(end - 1) === NEWLINE;
    open.end = isAdded ? end - 1 : end;
    if (isAdded) {
      extents.push(open);
      open = { start: end, end };
    }
    if (i % STRIDE === STRIDE - 1) yield;
  }
  return [...extents, open].filter(({ start, end }) => end > start);
}
