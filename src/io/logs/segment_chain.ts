import { countNewlines } from "../../core/log/count.ts";
import type { Span } from "../../core/log/framer.ts";
import type { LogLimits } from "../../core/log/limits.ts";
import type { SystemLine } from "../../core/log/system.ts";
import { makeFolder, removeFile } from "./files.ts";
import { segmentFile } from "../../core/log/segment.ts";
import { MAX_FRAMES_FILE, packFrames } from "./frames_file.ts";
import { type KeptLog, keptLog } from "./kept.ts";
import { SegmentWriter, type Stamp } from "./segment_writer.ts";

const NEWLINE = 10;
/** About what a system line takes beside its text: number, time, spaces, newline. */
const SYSTEM_OVERHEAD = 32;

/**
 * The segments of a run that is being written: the finished ones, and the one that grows. It keeps them
 * within the limits. All methods that write throw what the disk throws; `giveUp` makes the chain usable again.
 */
export class SegmentChain {
  /** Lines that went with dropped segments, or with files that others removed. */
  dropped = 0;
  /** Others removed or changed the files, and they begin anew with this line: until somebody has said so. */
  anew: number | undefined;
  readonly #folder: string;
  readonly #limits: LogLimits;
  #kept: KeptLog = { segments: [], bytes: 0, next: 0 };
  #segment: SegmentWriter;

  constructor(folder: string, limits: LogLimits) {
    this.#folder = folder;
    this.#limits = limits;
    this.#segment = new SegmentWriter(folder, 0);
  }

  /** Makes the folder, or takes over what is in it, and returns the number of the next line: `least`, or a greater one. */
  open(least: number): number {
    makeFolder(this.#folder);
    this.#kept = keptLog(this.#folder);
    const next = Math.max(least, this.#kept.next);
    this.#segment = new SegmentWriter(this.#folder, next);
    return next;
  }

  /** Bytes of all files, with what isn't written yet. */
  get bytes(): number {
    return this.#kept.bytes + this.#segment.bytes;
  }

  /** Number of the oldest line that is still there. */
  get first(): number {
    return this.#kept.segments[0]?.base ?? this.#segment.base;
  }

  /** Takes a span, unless the log would grow over its limit: then false, and nothing was taken. */
  append(span: Span, stamp: Stamp): boolean {
    const cost = () => this.#segment.costOf(span, stamp);
    this.#roll(stamp.line, cost);
    if (!this.#makeRoom(stamp.line, cost)) return false;
    this.#segment.append(span, stamp);
    return true;
  }

  /** The part of a span that still fits, in whole lines; undefined when no line does. */
  fitting(span: Span, stamp: Stamp): Span | undefined {
    const beside = this.#segment.costOf(span, stamp) - span.body.length;
    const room = this.#limits.total - this.bytes - beside;
    if (room <= 0) return undefined;
    const body = span.body.subarray(0, span.body.subarray(0, room).lastIndexOf(NEWLINE) + 1);
    return body.length === 0 ? undefined : { ...span, body, lines: countNewlines(body), joined: false };
  }

  /** Takes a system line. It is taken over the limit too, unless older output can make way. */
  appendSystem(line: SystemLine): void {
    const cost = () => line.text.length + SYSTEM_OVERHEAD;
    this.#roll(line.n, cost);
    if (this.#limits.dropsOld) this.#makeRoom(line.n, cost);
    this.#segment.appendSystem(line);
  }

  /** Takes the frames of the line that was put last, where there is room beside what was written. */
  appendFrames(line: number, frames: readonly string[][]): void {
    const packed = packFrames(line, frames);
    const { bytes, framesBytes } = this.#segment;
    const share = Math.min(MAX_FRAMES_FILE, Math.floor(this.#limits.segment / 4));
    if (framesBytes + packed.length > share || bytes + packed.length > this.#limits.segment) return;
    if (this.bytes + packed.length <= this.#limits.total) this.#segment.appendFrames(packed);
  }

  /** Writes what is pending if that is much. */
  flushIfFull(): void {
    if (this.#segment.isFull) this.flush();
  }

  /** Lets go of the chunk that spans were taken from. */
  releaseChunk(): void {
    const before = this.first;
    if (this.#segment.releaseChunk()) this.#countAnew(before);
  }

  /** Writes what is pending. */
  flush(): void {
    const before = this.first;
    if (this.#segment.flush()) this.#countAnew(before);
  }

  /** After a failure: forgets what is pending, goes on with line `next` in a new segment, says how many lines were lost. */
  giveUp(next: number): number {
    const lost = this.#segment.discard();
    this.#startSegment(next);
    return lost;
  }

  /** Gives back files and buffers until the next line comes. */
  closeFiles(): void {
    this.#segment.closeFiles();
  }

  /** Has the disk take what was written, and closes. Never fails. */
  sync(): Promise<void> {
    return this.#segment.sync();
  }

  /** Goes on with a new segment when this one would grow too large. */
  #roll(line: number, cost: () => number): void {
    if (this.#segment.bytes === 0 || this.#segment.bytes + cost() <= this.#limits.segment) return;
    this.flush();
    this.#startSegment(line);
  }

  /** Counts the segment among the finished ones, with what of it is on the disk. */
  #startSegment(line: number): void {
    this.#segment.closeFiles();
    const { base, storedBytes: bytes } = this.#segment;
    if (bytes > 0) {
      this.#kept.segments.push({ base, bytes });
      this.#kept.bytes += bytes;
    }
    this.#segment = new SegmentWriter(this.#folder, line);
  }

  /** True when the log may grow by the cost; where the policy says so, the oldest segments make way. */
  #makeRoom(line: number, cost: () => number): boolean {
    while (this.bytes + cost() > this.#limits.total) {
      if (!this.#limits.dropsOld) return false;
      if (this.#kept.segments.length === 0) {
        if (this.#segment.bytes === 0) return true;
        this.flush();
        this.#startSegment(line);
      }
      this.#dropOldest();
    }
    return true;
  }

  #dropOldest(): void {
    const oldest = this.#kept.segments.shift();
    if (oldest === undefined) return;
    this.#kept.bytes -= oldest.bytes;
    this.dropped += this.first - oldest.base;
    for (const part of ["log", "idx", "sys", "frames"] as const) {
      removeFile(`${this.#folder}/${segmentFile(oldest.base, part)}`);
    }
  }

  /** The files began anew: counts what is left on the disk of the lines from `before` on. */
  #countAnew(before: number): void {
    const first = this.#segment.base;
    const segments = keptLog(this.#folder).segments.filter(({ base }) => base < first);
    this.#kept = { segments, bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0), next: first };
    this.dropped += Math.max(0, this.first - before);
    this.anew = first;
  }
}
