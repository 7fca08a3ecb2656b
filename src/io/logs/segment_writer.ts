import type { Span } from "../../core/log/framer.ts";
import { MAX_SPAN } from "../../core/log/framer.ts";
import {
  CONTINUED,
  encodeHeader,
  encodeRecords,
  HEADER_SIZE,
  type IndexRecord,
  JOINED,
  RECORD_SIZE,
} from "../../core/log/record.ts";
import { segmentFile } from "../../core/log/segment.ts";
import { formatSystemLine, type SystemLine } from "../../core/log/system.ts";
import { makeFolder, sizeOf, writeAll } from "./files.ts";
import { FramesWriter } from "./frames_file.ts";

/** A batch is written when it holds this many bytes or records, if no timer came before. */
const MAX_BATCH = 256 * 1024;
const MAX_RECORDS = 4096;
/** From this size on, bytes are written from the caller's chunk instead of being copied first. */
const DIRECT = 32 * 1024;
/** A larger buffer is given back after a batch that didn't fill it: there may be hundreds of writers. */
const KEEP = 16 * 1024;
const MAX_BUFFER = MAX_BATCH + MAX_SPAN + 1;

/** The most that is written from a chunk at once. */
const MAX_VIEW = 4 * 1024 * 1024;

const NONE = new Uint8Array(0);
const NEWLINE = new Uint8Array([10]);
const encoder = new TextEncoder();

/** A record that waits to be written; `length` in bytes, the added newline included. */
interface Pending {
  line: number;
  lines: number;
  length: number;
  at: number;
  flags: number;
}

/** What a span is stored as. */
export interface Stamp {
  line: number;
  at: number;
  flags: number;
}

/**
 * The files of the segment that is being written. Output is batched in memory; what reached the disk is
 * always whole: first the bytes, then their records, and a failed write is cut off again.
 */
export class SegmentWriter {
  readonly #folder: string;
  #base: number;
  #log: Deno.FsFile | undefined;
  #index: Deno.FsFile | undefined;
  #stored = { log: 0, records: 0, system: 0 };
  #pending: Pending[] = [];
  #system: SystemLine[] = [];
  #systemBytes = 0;
  #buffer: Uint8Array = NONE;
  #used = 0;
  /** Bytes of the caller's chunk that were neither copied nor written yet. */
  #view: Uint8Array = NONE;
  #frames: FramesWriter;

  constructor(folder: string, base: number) {
    this.#folder = folder;
    this.#base = base;
    this.#frames = new FramesWriter(folder, base);
  }

  /** Number of the first line. */
  get base(): number {
    return this.#base;
  }

  /** Bytes of all files, with what isn't written yet. */
  get bytes(): number {
    const log = this.#stored.log + this.#used + this.#view.length;
    const records = this.#stored.records + this.#pending.length;
    return log + (records === 0 ? 0 : HEADER_SIZE + records * RECORD_SIZE) + this.#stored.system +
      this.#systemBytes + this.#frames.bytes;
  }

  /** Of these, what frames take. */
  get framesBytes(): number {
    return this.#frames.bytes;
  }

  /** Bytes that are on the disk. */
  get storedBytes(): number {
    const { log, records, system } = this.#stored;
    return log + (records === 0 ? 0 : HEADER_SIZE + records * RECORD_SIZE) + system + this.#frames.stored;
  }

  get isPending(): boolean {
    return this.#pending.length > 0 || this.#system.length > 0;
  }

  /** How many bytes the files would grow by. */
  costOf(span: Span, stamp: Stamp): number {
    const length = lengthOf(span);
    if (this.#lastToExtend(stamp, length) !== undefined) return length;
    const first = this.#stored.records + this.#pending.length === 0;
    return length + RECORD_SIZE + (first ? HEADER_SIZE : 0);
  }

  /** Takes a span. Its bytes may stay in the caller's chunk until `settle`. Throws what the disk throws. */
  append(span: Span, stamp: Stamp): void {
    const length = lengthOf(span);
    const last = this.#lastToExtend(stamp, length);
    if (span.head.length > 0) this.#copy(span.head);
    this.#extendView(span.body);
    if (span.joined) this.#copy(NEWLINE);
    if (last === undefined) {
      this.#pending.push({ ...stamp, lines: span.lines, length });
    } else {
      last.lines += span.lines;
      last.length += length;
      last.flags = stamp.flags | (last.flags & CONTINUED);
    }
  }

  /** Takes a system line; its number is above all earlier ones. */
  appendSystem(line: SystemLine): void {
    this.#system.push(line);
    this.#systemBytes += encoder.encode(formatSystemLine(line)).length;
  }

  /** Takes the packed frames of a line that was put. */
  appendFrames(packed: Uint8Array): void {
    this.#frames.append(packed);
  }

  /** True when the batch is large enough to be written at once. */
  get isFull(): boolean {
    return this.#used >= MAX_BATCH || this.#view.length >= MAX_VIEW || this.#pending.length >= MAX_RECORDS;
  }

  /** Lets go of the caller's chunk, by a write or a copy. True: begun anew, see `flush`. */
  releaseChunk(): boolean {
    if (this.#view.length >= DIRECT) return this.flush();
    this.#copy(NONE);
    return this.isFull && this.flush();
  }

  /**
   * Writes what is pending. True says that the files had been taken away or changed by others, and that the
   * segment was begun anew with the first pending line. Throws what the disk throws, with the files as before.
   */
  flush(): boolean {
    if (!this.isPending) return false;
    const anew = !this.#isIntact();
    if (anew) this.#beginAnew();
    try {
      this.#writeLog();
      this.#writeSystem();
    } catch (error) {
      this.#cutBack();
      throw error;
    }
    this.#stored.log += this.#used + this.#view.length;
    this.#stored.records += this.#pending.length;
    this.#stored.system += this.#systemBytes;
    this.#forgetPending();
    this.#frames.flush();
    return anew;
  }

  /** Forgets what is pending and says how many lines that were. */
  discard(): number {
    const lines = this.#pending.reduce((sum, record) => sum + record.lines, this.#system.length);
    this.#forgetPending();
    this.#frames.discard();
    return lines;
  }

  /** Closes the files and gives back the buffers; the next batch opens them again. */
  closeFiles(): void {
    this.#log?.close();
    this.#index?.close();
    this.#log = undefined;
    this.#index = undefined;
    if (this.#used === 0) this.#buffer = NONE;
  }

  /** Has the disk take what was written; the promise ends then, and never fails. Nothing pending is written. */
  async sync(): Promise<void> {
    this.closeFiles();
    if (this.#stored.records === 0) return;
    // What can't be synced has been written all the same, and there is nobody left to tell.
    await Promise.allSettled((["log", "idx"] as const).map(async (part) => {
      using file = Deno.openSync(this.#path(part), { append: true });
      await file.syncData();
    }));
  }

  /** The pending record that a span of these properties can join: same stream and time, nothing between. */
  #lastToExtend(stamp: Stamp, length: number): Pending | undefined {
    const last = this.#pending[this.#pending.length - 1];
    if (last === undefined || last.at !== stamp.at || last.line + last.lines !== stamp.line) return undefined;
    if ((last.flags & JOINED) !== 0 || (last.flags & ~CONTINUED) !== (stamp.flags & ~JOINED)) {
      return undefined;
    }
    return last.length + length <= MAX_SPAN ? last : undefined;
  }

  #extendView(body: Uint8Array): void {
    if (body.length === 0) return;
    const view = this.#view;
    if (view.length > 0 && view.buffer === body.buffer && view.byteOffset + view.length === body.byteOffset) {
      this.#view = new Uint8Array(body.buffer, view.byteOffset, view.length + body.length);
      return;
    }
    this.#copy(NONE);
    this.#view = body;
  }

  /** Copies the view and then `bytes` to the buffer, which keeps their order. */
  #copy(bytes: Uint8Array): void {
    const needed = this.#used + this.#view.length + bytes.length;
    if (needed > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(1024, Math.min(2 * this.#buffer.length, MAX_BUFFER), needed));
      grown.set(this.#buffer.subarray(0, this.#used));
      this.#buffer = grown;
    }
    this.#buffer.set(this.#view, this.#used);
    this.#buffer.set(bytes, this.#used + this.#view.length);
    this.#used = needed;
    this.#view = NONE;
  }

  /** A folder that was deleted, or a file that somebody cut or wrote to, would swallow the rest in silence. */
  #isIntact(): boolean {
    if (this.#stored.log > 0) return sizeOf(this.#path("log")) === this.#stored.log;
    return this.#stored.system === 0 || sizeOf(this.#path("sys")) === this.#stored.system;
  }

  #beginAnew(): void {
    this.#log?.close();
    this.#index?.close();
    this.#log = undefined;
    this.#index = undefined;
    this.#stored = { log: 0, records: 0, system: 0 };
    this.#base = Math.min(this.#pending[0]?.line ?? Infinity, this.#system[0]?.n ?? Infinity);
    this.#frames = new FramesWriter(this.#folder, this.#base);
  }

  #writeLog(): void {
    if (this.#pending.length === 0) return;
    const fresh = this.#stored.records === 0;
    this.#log ??= this.#open("log", fresh);
    this.#index ??= this.#open("idx", fresh);
    writeAll(this.#log, this.#buffer.subarray(0, this.#used));
    writeAll(this.#log, this.#view);
    if (fresh) writeAll(this.#index, encodeHeader(this.#base));
    let end = this.#stored.log;
    const records: IndexRecord[] = this.#pending.map(({ line, length, at, flags }) => {
      end += length;
      return { line, end, at, flags };
    });
    writeAll(this.#index, encodeRecords(records, this.#base));
  }

  #writeSystem(): void {
    if (this.#system.length === 0) return;
    using file = this.#open("sys", this.#stored.system === 0);
    writeAll(file, encoder.encode(this.#system.map(formatSystemLine).join("")));
  }

  /** A file of this name that was there before the segment began isn't ours, and is emptied. */
  #open(part: "log" | "idx" | "sys", fresh: boolean): Deno.FsFile {
    const options = { append: true, create: true, mode: 0o600 };
    if (fresh) makeFolder(this.#folder);
    const file = Deno.openSync(this.#path(part), options);
    if (fresh) file.truncateSync(0);
    return file;
  }

  /** Makes the files end where they ended before the failed write. Where even that fails, readers repair. */
  #cutBack(): void {
    const { log, records, system } = this.#stored;
    const sizes = { log, idx: records === 0 ? 0 : HEADER_SIZE + records * RECORD_SIZE, sys: system };
    for (const part of ["log", "idx", "sys"] as const) {
      try {
        Deno.truncateSync(this.#path(part), sizes[part]);
      } catch {
        continue;
      }
    }
  }

  #forgetPending(): void {
    this.#pending = [];
    this.#system = [];
    this.#systemBytes = 0;
    const isBusy = this.#used >= MAX_BATCH && this.#buffer.length <= MAX_BUFFER;
    if (this.#buffer.length > KEEP && !isBusy) this.#buffer = NONE;
    this.#used = 0;
    this.#view = NONE;
  }

  #path(part: "log" | "idx" | "sys"): string {
    return `${this.#folder}/${segmentFile(this.#base, part)}`;
  }
}

function lengthOf(span: Span): number {
  return span.head.length + span.body.length + (span.joined ? 1 : 0);
}
