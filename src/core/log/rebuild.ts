import { countNewlines } from "./count.ts";
import { MAX_LINE, MAX_SPAN } from "./framer.ts";
import { CONTINUED, type IndexRecord, JOINED } from "./record.ts";

const NEWLINE = 10;

/** A segment whose index doesn't fit its log file, and what is still known of it. */
export interface Damaged {
  /** Number of the segment's first line, and the first number that belongs to the next one. */
  base: number;
  limit: number;
  /** Bytes in the log file, and how to read some of them. */
  size: number;
  read: (offset: number, length: number) => Uint8Array;
  /** The records of the index in file order; undefined where one can't be read. */
  known: ReadonlyArray<IndexRecord | undefined>;
  /** Numbers of the segment's system lines, ascending. */
  taken: readonly number[];
  /** The time given to lines of which no record tells it. */
  at: number;
}

export interface Rebuilt {
  records: IndexRecord[];
  /** The log file ends inside a line: a newline belongs there, as the last record's flags say. */
  torn: boolean;
}

/**
 * Makes an index that fits the log file: records that still agree with the bytes are kept, the rest is
 * indexed anew, as stdout and with the nearest known time. Lines beyond the segment's numbers are left out.
 */
export function rebuildIndex(damaged: Damaged): Rebuilt {
  const rebuilder = new Rebuilder(damaged);
  let adjacent = true;
  for (const record of damaged.known) {
    if (record === undefined || !rebuilder.endsLine(record.end)) {
      adjacent = false;
      continue;
    }
    if (!adjacent || !rebuilder.keep(record)) rebuilder.index(record.end, record.at);
    adjacent = true;
  }
  rebuilder.index(damaged.size, damaged.at);
  return { records: rebuilder.records, torn: rebuilder.torn };
}

class Rebuilder {
  readonly records: IndexRecord[] = [];
  torn = false;
  readonly #damaged: Damaged;
  readonly #taken: Set<number>;
  #offset = 0;
  #next: number;
  #continued = false;

  constructor(damaged: Damaged) {
    this.#damaged = damaged;
    this.#taken = new Set(damaged.taken);
    this.#next = damaged.base;
  }

  /** True when a line ends at `end`, beyond what is indexed by now. */
  endsLine(end: number): boolean {
    return end > this.#offset && end <= this.#damaged.size &&
      this.#damaged.read(end - 1, 1)[0] === NEWLINE;
  }

  /** Takes over a record that follows the last one directly, unless its numbers or length can't be right. */
  keep(record: IndexRecord): boolean {
    const length = record.end - this.#offset;
    if (length > MAX_SPAN || record.line < this.#next) return false;
    const lines = countNewlines(this.#damaged.read(this.#offset, length));
    if (record.line + lines > this.#damaged.limit) return false;
    for (let n = record.line; n < record.line + lines; n++) {
      if (this.#taken.has(n)) return false;
    }
    this.#add(record, lines);
    this.#continued = false;
    return true;
  }

  /** Indexes everything up to `end` anew. */
  index(end: number, at: number): void {
    while (this.#offset < end) {
      while (this.#taken.has(this.#next)) this.#next++;
      if (this.#next >= this.#damaged.limit) return;
      const bytes = this.#damaged.read(this.#offset, Math.min(MAX_SPAN, end - this.#offset));
      if (bytes.length === 0) return;
      this.#indexWindow(bytes, at);
    }
  }

  /** One record for the lines of a window, as many as have numbers in a row. */
  #indexWindow(bytes: Uint8Array, at: number): void {
    const flags = this.#continued ? CONTINUED : 0;
    const last = bytes.lastIndexOf(NEWLINE);
    if (last < 0) {
      const length = Math.min(bytes.length, MAX_LINE);
      const torn = this.#offset + length === this.#damaged.size;
      this.torn = torn;
      const end = this.#offset + length;
      this.#add({ line: this.#next, end, at, flags: flags | (torn ? JOINED : 0) }, 1);
      this.#continued = !torn;
      return;
    }
    let length = last + 1;
    let lines = countNewlines(bytes.subarray(0, length));
    const room = this.#numbersInARow(lines);
    if (room < lines) {
      length = 0;
      for (lines = 0; lines < room; lines++) length = bytes.indexOf(NEWLINE, length) + 1;
    }
    this.#add({ line: this.#next, end: this.#offset + length, at, flags }, lines);
    this.#continued = false;
  }

  #numbersInARow(wanted: number): number {
    let count = 0;
    while (
      count < wanted && this.#next + count < this.#damaged.limit && !this.#taken.has(this.#next + count)
    ) {
      count++;
    }
    return count;
  }

  #add(record: IndexRecord, lines: number): void {
    this.records.push(record);
    this.#offset = record.end;
    this.#next = record.line + lines;
  }
}
