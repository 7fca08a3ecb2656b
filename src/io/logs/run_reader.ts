import { segmentBases } from "../../core/log/segment.ts";
import type { LogLine } from "../../types.ts";
import { rawOf } from "./chunk.ts";
import { namesIn } from "./files.ts";
import { framesOf } from "./frames_file.ts";
import type { ReadMode } from "./index_file.ts";
import { SegmentReader } from "./segment_reader.ts";

/** A page holds no more output than this many bytes, however many lines were asked for. */
export const MAX_PAGE_BYTES = 16 * 1024 * 1024;

/** The log of one run as it is on the disk, for reading. Nothing of it is kept in memory. */
export class RunReader {
  readonly #folder: string;
  readonly #mode: ReadMode;
  readonly #bases: readonly number[];
  /** Number of the line after the last. */
  readonly total: number;

  /** A folder that isn't there reads as an empty log. */
  constructor(folder: string, mode: ReadMode) {
    this.#folder = folder;
    this.#mode = mode;
    this.#bases = segmentBases(namesIn(folder));
    this.total = this.#bases.length === 0 ? 0 : this.#read(this.#bases.length - 1, (last) => last.next);
  }

  /** Number of the oldest line that is there. */
  get first(): number {
    return this.#bases[0] ?? 0;
  }

  /**
   * At most `limit` lines from number `from` on; a negative `from` counts from the end. More than
   * `MAX_PAGE_BYTES` of output are cut off: at the front of a page that reaches the end, else at its end.
   */
  lines(from: number, limit: number): LogLine[] {
    let start = Math.max(this.first, from < 0 ? this.total + from : from);
    if (from < 0 && start + limit >= this.total) start = Math.max(start, this.#lineBeforeEnd(MAX_PAGE_BYTES));
    return this.linesFrom(start, { limit, bytes: MAX_PAGE_BYTES });
  }

  /** Lines from number `from` on: at most `limit`, and no more once they hold `bytes` bytes; but one, if there is one. */
  linesFrom(from: number, { limit, bytes: most }: { limit: number; bytes: number }): LogLine[] {
    const start = Math.max(this.first, from);
    const lines: LogLine[] = [];
    let bytes = most;
    for (let i = this.#segmentOf(start); i < this.#bases.length && lines.length < limit && bytes > 0; i++) {
      const some = this.#read(i, (segment) => segment.lines(start, { limit: limit - lines.length, bytes }));
      for (const line of some) {
        lines.push(line);
        bytes -= line.text.length;
      }
    }
    return lines;
  }

  /** The earlier frames of a line that was redrawn, oldest first; none where there are none. */
  frames(n: number): string[][] {
    const base = this.#bases[this.#segmentOf(n)];
    return base === undefined ? [] : framesOf({ folder: this.#folder, base }, n);
  }

  /** The first line that came at or after `time` (Unix ms); `total` when there is none. */
  firstSince(time: number): number {
    let low = 0;
    let high = this.#bases.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#read(middle, (segment) => segment.firstSince(time)) === undefined) low = middle + 1;
      else high = middle;
    }
    const found = low < this.#bases.length
      ? this.#read(low, (segment) => segment.firstSince(time))
      : undefined;
    return found ?? this.total;
  }

  /** What the process wrote, byte for byte, without system lines: to one stream, or to both as they were read. */
  *raw(stream?: "stdout" | "stderr"): Generator<Uint8Array> {
    for (const [i] of this.#bases.entries()) {
      using segment = this.#open(i);
      for (const chunk of segment.chunks()) {
        const part = rawOf(chunk);
        if (stream === undefined || part.stream === stream) yield part.bytes;
      }
    }
  }

  /** The segments that hold line `from` or follow it, in order; each is open until the next is asked for. */
  *segments(from = 0): Generator<SegmentReader> {
    for (let i = this.#segmentOf(Math.max(from, this.first)); i < this.#bases.length; i++) {
      using segment = this.#open(i);
      yield segment;
    }
  }

  /** All segments, open: the caller closes them. What is removed meanwhile can be read to its end. */
  openAll(): SegmentReader[] {
    const opened: SegmentReader[] = [];
    try {
      for (let i = 0; i < this.#bases.length; i++) opened.push(this.#open(i));
      return opened;
    } catch (error) {
      for (const segment of opened) segment[Symbol.dispose]();
      throw error;
    }
  }

  #lineBeforeEnd(bytes: number): number {
    let left = bytes;
    for (let i = this.#bases.length - 1; i >= 0; i--) {
      const { size, line } = this.#read(i, (segment) => {
        return { size: segment.size, line: segment.size > left ? segment.lineBeforeEnd(left) : 0 };
      });
      if (size > left) return line;
      left -= size;
    }
    return 0;
  }

  #segmentOf(line: number): number {
    let low = 0;
    let high = this.#bases.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#bases[middle] ?? 0) <= line) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  #read<T>(i: number, work: (segment: SegmentReader) => T): T {
    using segment = this.#open(i);
    return work(segment);
  }

  #open(i: number): SegmentReader {
    const base = this.#bases[i] ?? 0;
    const limit = this.#bases[i + 1] ?? Infinity;
    return SegmentReader.open({ folder: this.#folder, base, limit, mode: this.#mode });
  }
}
