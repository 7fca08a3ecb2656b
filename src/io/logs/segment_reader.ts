import { MAX_SPAN } from "../../core/log/framer.ts";
import type { IndexRecord } from "../../core/log/record.ts";
import { segmentFile } from "../../core/log/segment.ts";
import type { SystemLine } from "../../core/log/system.ts";
import { decodeLines } from "../../core/log/text.ts";
import type { LogLine } from "../../types.ts";
import { type Chunk, linesIn } from "./chunk.ts";
import { type Extent, walkExtents } from "./extents.ts";
import { openToRead, readAt } from "./files.ts";
import { withFrameCounts } from "./frames_file.ts";
import { IndexFile, type LogIndex, MemoryIndex, type SegmentPlace } from "./index_file.ts";
import { rebuiltIndex } from "./repair.ts";
import { mergeLines, systemLines } from "./system_lines.ts";

/** Chunks are read together up to this many bytes. */
const READ_SIZE = 256 * 1024;

/** The index turned out not to fit the log file. */
class Unfit extends Error {}

/**
 * Reads one segment. An index that is missing, torn or noise is replaced by one made from the log file:
 * reading never fails for what is in the files, only for what the disk says.
 */
export class SegmentReader implements Disposable {
  readonly #place: SegmentPlace;
  readonly #log: Deno.FsFile | undefined;
  readonly #system: SystemLine[];
  #size: number;
  #index: LogIndex;

  private constructor(place: SegmentPlace) {
    this.#place = place;
    this.#log = openToRead(`${place.folder}/${segmentFile(place.base, "log")}`);
    try {
      this.#system = systemLines(place);
      this.#size = this.#log?.statSync().size ?? 0;
      this.#index = IndexFile.open(place, this.#size) ?? this.#rebuilt();
    } catch (error) {
      this.#log?.close();
      throw error;
    }
  }

  /** Opens a segment; one that has just been dropped reads as empty. */
  static open(place: SegmentPlace): SegmentReader {
    return new SegmentReader(place);
  }

  [Symbol.dispose](): void {
    this.#log?.close();
    this.#index.close();
  }

  /** Number of the line after the last. */
  get next(): number {
    return this.#fitting(() => {
      const last = this.#index.count - 1;
      const { line, lines } = last < 0 ? { line: this.#place.base, lines: 0 } : this.#extent(last);
      const system = this.#system[this.#system.length - 1]?.n ?? -1;
      return Math.min(Math.max(line + lines, system + 1), this.#place.limit);
    });
  }

  /** The lines from number `from` on: at most `limit`, and no more once they hold `bytes` bytes. */
  lines(from: number, { limit, bytes }: { limit: number; bytes: number }): LogLine[] {
    return this.#fitting(() => {
      const { lines, isCut } = this.#outputLines(from, { limit, bytes });
      const last = lines[lines.length - 1]?.n ?? -1;
      const system = this.#system.filter(({ n }) => n >= from && (!isCut || n < last));
      const all = system.length === 0 ? lines : mergeLines(lines, system).slice(0, limit);
      return withFrameCounts(this.#place, all);
    });
  }

  /** The first line that came at or after `time`; undefined when all came before. */
  firstSince(time: number): number | undefined {
    return this.#fitting(() => {
      const index = this.#search((record) => record.at < time);
      const output = index < this.#index.count ? this.#record(index).line : undefined;
      const system = this.#system.find((line) => line.at >= time)?.n;
      if (output === undefined || system === undefined) return output ?? system;
      return Math.min(output, system);
    });
  }

  /** The first line of a record such that no more than `bytes` bytes of output follow; `next` when none does. */
  lineBeforeEnd(bytes: number): number {
    return this.#fitting(() => {
      const index = this.#search((_, i) => this.#size - this.#start(i) > bytes);
      return index < this.#index.count ? this.#record(index).line : this.next;
    });
  }

  /** How many records, and bytes, hold the output before a line; undefined where one holds that line, too. */
  placeBefore(line: number): { records: number; end: number } | undefined {
    return this.#fitting(() => {
      const records = this.#search((record) => record.line < line);
      if (records === 0) return { records, end: 0 };
      const { line: first, lines } = this.#extent(records - 1);
      return first + lines <= line ? { records, end: this.#start(records) } : undefined;
    });
  }

  /** Bytes of output. */
  get size(): number {
    return this.#size;
  }

  /** All output, chunk by chunk. A chunk's bytes are valid until the next is asked for. */
  *chunks(): Generator<Chunk> {
    // The whole index is looked at before the first chunk is given out: later it can't be replaced.
    this.#fitting(() => this.#verify());
    for (let i = 0; i < this.#index.count;) {
      const chunks = this.#readChunks(i);
      yield* chunks;
      i += chunks.length;
    }
  }

  /** Output in chunks that hold or follow line `from`, as many together as one access reads, which lie side by side. */
  *groups(from: number): Generator<Chunk[]> {
    let next = from;
    for (let isFirst = true;; isFirst = false) {
      const group = this.#fitting(() => {
        const i = isFirst
          ? Math.max(0, this.#search((record) => record.line <= next) - 1)
          : this.#search((record) => record.line < next);
        return i < this.#index.count ? this.#readNumbered(i) : [];
      });
      const last = group[group.length - 1];
      if (last === undefined) return;
      const end = last.record.line + linesIn(last.bytes);
      if (end <= next) continue;
      yield group;
      next = end;
    }
  }

  /** The daemon's own lines. */
  get system(): readonly SystemLine[] {
    return this.#system;
  }

  /** Returns where in the log file the bytes lie that the process itself wrote; yields so that a caller can pause. */
  *extents(): Generator<undefined, Extent[]> {
    for (;;) {
      try {
        return yield* walkExtents({
          count: this.#index.count,
          record: (i) => this.#checked(i),
          byteAt: (offset) => this.#read(offset, 1)[0],
        });
      } catch (error) {
        this.#refit(error);
      }
    }
  }

  /** Up to `length` bytes of the log file from `offset`, read beside the main thread. */
  async readAside(offset: number, length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    await this.#log?.seek(offset, Deno.SeekMode.Start);
    const count = await this.#log?.read(bytes) ?? 0;
    return bytes.subarray(0, count);
  }

  /** Output from line `from` on. `isCut`: there is more, but it would be too many bytes. */
  #outputLines(
    from: number,
    { limit, bytes }: { limit: number; bytes: number },
  ): { lines: LogLine[]; isCut: boolean } {
    const lines: LogLine[] = [];
    let budget = bytes;
    let i = Math.max(0, this.#search((record) => record.line <= from) - 1);
    while (i < this.#index.count && lines.length < limit && budget > 0) {
      const chunks = this.#readNumbered(i);
      for (const { record, bytes } of chunks) {
        if (lines.length >= limit || budget <= 0) break;
        const first = Math.max(from, record.line);
        const some = decodeLines(bytes, { record, from: first, limit: limit - lines.length });
        for (const line of some) {
          if (line.n < this.#place.limit) lines.push(line);
        }
        if (some.length > 0) budget -= bytes.length;
      }
      i += chunks.length;
    }
    return { lines, isCut: budget <= 0 };
  }

  /** The first record for which `isBefore` is false, all before it being true. */
  #search(isBefore: (record: IndexRecord, i: number) => boolean): number {
    let low = 0;
    let high = this.#index.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.#record(middle), middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #record(i: number): IndexRecord {
    const record = this.#index.at(i);
    if (record === undefined) throw new Unfit();
    return record;
  }

  #start(i: number): number {
    return i === 0 ? 0 : this.#record(i - 1).end;
  }

  #extent(i: number): { line: number; lines: number } {
    const [chunk] = this.#readChunks(i, i + 1);
    if (chunk === undefined) throw new Unfit();
    return { line: chunk.record.line, lines: linesIn(chunk.bytes) };
  }

  /** Reads some chunks from the one at `i` on, by one access, and checks that they follow from each other. */
  #readChunks(i: number, to = this.#index.count): Chunk[] {
    const start = this.#start(i);
    const records: IndexRecord[] = [];
    let end = start;
    for (let k = i; k < to && (k === i || end - start < READ_SIZE); k++) {
      const record = this.#record(k);
      if (record.end <= end || record.end - end > MAX_SPAN || record.end > this.#size) throw new Unfit();
      records.push(record);
      end = record.end;
    }
    const bytes = this.#read(start, end - start);
    if (bytes.length < end - start) throw new Unfit();
    let from = start;
    return records.map((record) => {
      const chunk = { record, bytes: bytes.subarray(from - start, record.end - start) };
      from = record.end;
      return chunk;
    });
  }

  /** The same for chunks whose numbers matter: the lines of one must end before those of the next begin. */
  #readNumbered(i: number): Chunk[] {
    const chunks = this.#readChunks(i);
    chunks.forEach(({ record, bytes }, k) => {
      const following = chunks[k + 1];
      if (following !== undefined && following.record.line < record.line + linesIn(bytes)) throw new Unfit();
    });
    return chunks;
  }

  #verify(): void {
    for (let i = 0; i < this.#index.count; i++) this.#checked(i);
  }

  /** The record at `i`, which must go on from the one before it. */
  #checked(i: number): IndexRecord {
    const record = this.#record(i);
    const before = i === 0 ? undefined : this.#record(i - 1);
    const { line, end } = before === undefined
      ? { line: this.#place.base, end: 0 }
      : { line: before.line + 1, end: before.end };
    const isFitting = record.line >= line && record.end > end && record.end - end <= MAX_SPAN &&
      record.end <= this.#size;
    if (!isFitting) throw new Unfit();
    return record;
  }

  #read(offset: number, length: number): Uint8Array {
    return this.#log === undefined ? new Uint8Array(0) : readAt(this.#log, { offset, length });
  }

  /**
   * Does something with the index; when that turns out not to fit, does it again with one that does. Where
   * even that fails, the log file is shrinking under the reader, and the segment reads as empty.
   */
  #fitting<T>(work: () => T): T {
    for (;;) {
      try {
        return work();
      } catch (error) {
        this.#refit(error);
      }
    }
  }

  #refit(error: unknown): void {
    if (!(error instanceof Unfit) || this.#index.count === 0) throw error;
    const isFile = this.#index instanceof IndexFile;
    this.#index.close();
    this.#index = isFile ? this.#rebuilt() : new MemoryIndex([]);
  }

  #rebuilt(): LogIndex {
    const { index, size } = rebuiltIndex(this.#place, {
      size: this.#size,
      read: (offset, length) => this.#read(offset, length),
      taken: this.#system.map((line) => line.n),
    });
    this.#size = size;
    return index;
  }
}
