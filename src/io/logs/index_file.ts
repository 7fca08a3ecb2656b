import { decodeRecord, HEADER_SIZE, type IndexRecord, isHeader, RECORD_SIZE } from "../../core/log/record.ts";
import { segmentFile } from "../../core/log/segment.ts";
import { openToRead, readAt } from "./files.ts";

/** Records are read in blocks of this many: the last steps of a search then cost no access. */
const BLOCK = 256;

/**
 * How a log is read. `live`: somebody may be writing it, an unfinished end is left alone. `ended`: nobody
 * writes; what is damaged is mended in memory. `repair`: mended on the disk too, where the disk allows it.
 */
export type ReadMode = "live" | "ended" | "repair";

/** A segment of a run: `limit` is the first line of the next one (or Infinity). */
export interface SegmentPlace {
  folder: string;
  base: number;
  limit: number;
  mode: ReadMode;
}

/** The records of a segment, by position. */
export interface LogIndex {
  readonly count: number;
  /** The record at a position below `count`; undefined when it can't be one. */
  at(i: number): IndexRecord | undefined;
  close(): void;
}

/** The index of a segment as it is on the disk, read block by block. */
export class IndexFile implements LogIndex {
  readonly count: number;
  readonly #file: Deno.FsFile;
  readonly #base: number;
  #block: Uint8Array = new Uint8Array(0);
  #blockAt = -1;

  private constructor(file: Deno.FsFile, { base, count }: { base: number; count: number }) {
    this.#file = file;
    this.#base = base;
    this.count = count;
  }

  /**
   * Opens the index of a segment whose log file has `size` bytes. Undefined when it doesn't fit, by its
   * header, its length or its last record; in a log that is being written, bytes without a record are
   * simply not there yet.
   */
  static open({ folder, base, mode }: SegmentPlace, size: number): LogIndex | undefined {
    const file = openToRead(`${folder}/${segmentFile(base, "idx")}`);
    if (file === undefined) return size === 0 ? new MemoryIndex([]) : undefined;
    const length = file.statSync().size;
    const count = Math.max(0, Math.floor((length - HEADER_SIZE) / RECORD_SIZE));
    const index = new IndexFile(file, { base, count });
    const end = count === 0 ? 0 : index.at(count - 1)?.end ?? Infinity;
    const isWhole = mode === "live"
      ? end <= size
      : end === size && (length === HEADER_SIZE + count * RECORD_SIZE || (length === 0 && size === 0));
    if (isWhole && (length === 0 || isHeader(readAt(file, { offset: 0, length: HEADER_SIZE }), base))) {
      return index;
    }
    file.close();
    return undefined;
  }

  at(i: number): IndexRecord | undefined {
    const blockAt = i - i % BLOCK;
    if (blockAt !== this.#blockAt) {
      const offset = HEADER_SIZE + blockAt * RECORD_SIZE;
      const length = Math.min(BLOCK, this.count - blockAt) * RECORD_SIZE;
      this.#block = readAt(this.#file, { offset, length });
      this.#blockAt = blockAt;
    }
    return decodeRecord(this.#block, (i - blockAt) * RECORD_SIZE, this.#base);
  }

  /** All that can be read, for a rebuild. */
  records(): Array<IndexRecord | undefined> {
    return Array.from({ length: this.count }, (_, i) => this.at(i));
  }

  close(): void {
    this.#file.close();
  }
}

/** An index that was made from the log file. */
export class MemoryIndex implements LogIndex {
  readonly #records: readonly IndexRecord[];

  constructor(records: readonly IndexRecord[]) {
    this.#records = records;
  }

  get count(): number {
    return this.#records.length;
  }

  at(i: number): IndexRecord | undefined {
    return this.#records[i];
  }

  close(): void {}
}
