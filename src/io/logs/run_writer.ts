import { Intake } from "../../core/log/intake.ts";
import { type Journal, positionsIn } from "../../core/log/journal.ts";
import { limitsOf } from "../../core/log/limits.ts";
import { maskText } from "../../core/log/mask.ts";
import { maskMark } from "../../core/log/mask_mark.ts";
import { replay } from "../../core/log/replay.ts";
import type { SpoolPosition } from "../../core/spool_position.ts";
import type { LogLine } from "../../types.ts";
import { Audience } from "./audience.ts";
import type { RunJournal } from "./journal.ts";
import { LineStore } from "./line_store.ts";
import { Unwritten } from "./unwritten.ts";
import type { LiveRegion, LogOptions, LogTimer, LogWriter, OutputStream, PartialLine } from "./writer.ts";

/** Lines reach the disk this many ms after nothing can redraw them any more, at the latest. */
const BATCH_MS = 50;
/** A writer that had nothing to do for this many ms gives back its files and buffers. */
const IDLE_MS = 5000;

/** The writer of one run's log folder. Lines that are there already are kept, and their numbers go on. */
export class RunLogWriter implements LogWriter {
  /** Bytes that the process wrote, stored or not. */
  outputBytes = 0;
  readonly #mask: LogOptions["mask"];
  readonly #timer: LogTimer;
  readonly #onClose: (synced: Promise<void>) => void;
  readonly #intake: Intake;
  readonly #store: LineStore;
  readonly #unwritten: Unwritten;
  readonly #audience = new Audience();
  #closed = false;
  /** When the next tick is to be, Unix ms, though something may be due before. */
  #tickAt: number | undefined;
  #cancelTick: (() => void) | undefined;
  #cancelBatch: (() => void) | undefined;
  #isIdle = false;

  constructor(
    folder: string,
    { options, timer, hold, onClose, journal, salt, left }: {
      options: LogOptions;
      timer: LogTimer;
      /** Why so many bytes of output may not be stored at the moment, if so. */
      hold: (bytes: number) => string | undefined;
      /** Called once, with the promise that ends when the disk has taken everything. */
      onClose: (synced: Promise<void>) => void;
      /** Where to keep what is not on the disk yet; undefined: nowhere. */
      journal?: RunJournal | undefined;
      /** Goes into the marks of secrets. */
      salt: string;
      /** The journal of a writer that died, with whose base the folder ends: this one takes its place at a time, Unix ms. */
      left?: { journal: Journal; at: number } | undefined;
    },
  ) {
    this.#mask = options.mask;
    this.#timer = timer;
    this.#onClose = onClose;
    let isReplaying = left !== undefined;
    this.#store = new LineStore(folder, {
      options,
      start: left?.journal.base,
      // What was taken once may stay.
      hold: (bytes) => isReplaying ? undefined : hold(bytes),
      audience: this.#audience,
    });
    this.#intake = new Intake({
      limits: limitsOf(options),
      mask: options.mask,
      give: (output) => this.#store.append(output),
      say: (text, at) => this.#store.say(text, at),
      settle: () => this.#store.releaseChunk(),
      hear: options.hear,
    });
    const mark = maskMark(options.mask, salt);
    this.#unwritten = new Unwritten(journal, {
      intake: this.#intake,
      store: this.#store,
      tickAt: () => this.#tickAt,
      about: { maxSize: options.maxSize, onFull: options.onFull, mask: mark },
      spooled: left === undefined ? {} : positionsIn(left.journal),
    });
    if (left === undefined) return;
    this.#replay(left.journal);
    isReplaying = false;
    this.#unwritten.begin(this.#store.at);
    this.#tickLater(left.at);
    this.#wake();
  }

  get lines(): number {
    return this.#store.lines;
  }

  get firstAvailable(): number {
    return this.#store.first;
  }

  get bytes(): number {
    return this.#store.bytes;
  }

  get droppedLines(): number {
    return this.#store.dropped;
  }

  get failed(): string | undefined {
    return this.#store.failed;
  }

  get overflow(): boolean {
    return this.#store.overflow;
  }

  write(stream: OutputStream, chunk: Uint8Array, at: number): void {
    for (let from = 0; from < chunk.length;) {
      from += this.writeSome(stream, from === 0 ? chunk : chunk.subarray(from), at);
    }
  }

  writeSome(stream: OutputStream, chunk: Uint8Array, at: number, position?: SpoolPosition): number {
    if (this.#closed) return chunk.length;
    this.#store.at = at;
    // Before anything is done with it.
    this.#unwritten.chunk(stream, { chunk, at, position });
    const taken = this.#intake.push(stream, chunk, at);
    this.#unwritten.taken(stream, { chunk, taken, at });
    this.outputBytes += taken;
    this.#tickLater(at);
    this.#follow(at);
    return taken;
  }

  system(text: string, at: number): void {
    if (this.#closed) return;
    const masked = maskText(text, this.#mask);
    this.#unwritten.note({ kind: "system", text: masked, at });
    this.#say(masked, at);
    this.#wake();
    this.#notify();
  }

  flush(): void {
    if (this.#intake.hasIdle) {
      this.#unwritten.note({ kind: "idle" });
      this.#intake.releaseIdle();
    }
    this.#store.flush();
  }

  endOutput(): void {
    if (!this.#closed) this.#intake.end(this.#store.at);
  }

  close(): void {
    if (this.#closed) return;
    this.endOutput();
    const synced = this.#store.end();
    this.#unwritten.end();
    this.#end(synced);
  }

  leave(): void {
    if (this.#closed) return;
    if (!this.#unwritten.leave(this.#store.at)) return this.close();
    this.#store.closeFiles();
    this.#end(Promise.resolve());
  }

  #end(synced: Promise<void>): void {
    this.#closed = true;
    this.#cancelTick?.();
    this.#cancelTick = undefined;
    this.#cancelBatch?.();
    this.#cancelBatch = undefined;
    this.#audience.close();
    this.#onClose(synced);
  }

  subscribe(listener: (lines: LogLine[]) => void): () => void {
    return this.#audience.subscribe(listener);
  }

  watch(listener: () => void): () => void {
    return this.#audience.watch(listener);
  }

  partials(): PartialLine[] {
    return this.#closed ? [] : this.#intake.partials();
  }

  regions(): LiveRegion[] {
    return this.#closed ? [] : this.#intake.regions();
  }

  get regionVersion(): number {
    return this.#intake.version;
  }

  #replay(journal: Journal): void {
    this.#store.at = journal.base.at;
    this.#intake.restore(journal.base.intake);
    this.#tickAt = journal.base.tickAt;
    replay(journal, {
      push: (stream, bytes, at) => {
        this.#store.at = at;
        const taken = this.#intake.push(stream, bytes, at);
        this.#planTick(at);
        return taken;
      },
      tick: (at) => {
        this.#tick(at);
        this.#planTick(at);
      },
      idle: () => this.#intake.releaseIdle(),
      system: (text, at) => this.#say(text, at),
    });
  }

  #say(text: string, at: number): void {
    this.#store.at = at;
    // What the process said before stands before it.
    this.#intake.release();
    this.#store.say(text, at);
  }

  #tick(at: number): void {
    this.#tickAt = undefined;
    this.#intake.tick(at);
    this.#store.at = Math.max(at, this.#store.at);
  }

  /** What is due after output was taken. */
  #follow(at: number): void {
    this.#store.at = at;
    this.#wake();
    this.#notify();
  }

  #notify(): void {
    this.#audience.notify({ lines: this.#store.lines, version: this.#intake.version });
  }

  /** Another tick is set only when the last has been: when that is must not depend on who writes. */
  #planTick(now: number): void {
    const due = this.#intake.dueAt;
    this.#tickAt ??= due === undefined ? undefined : Math.max(due, now);
  }

  /** Sees to it that what nobody redraws any more becomes lines. */
  #tickLater(now: number): void {
    if (this.#cancelTick !== undefined) return;
    this.#planTick(now);
    const at = this.#tickAt;
    if (at === undefined) return;
    this.#cancelTick = this.#timer.after(Math.max(0, at - now), () => {
      this.#cancelTick = undefined;
      this.#unwritten.note({ kind: "tick", at });
      this.#tick(at);
      this.#follow(this.#store.at);
      this.#tickLater(at);
    });
  }

  /** Sees to it that the batch is written in time, and that an idle writer gives back what it holds. */
  #wake(): void {
    if (this.#cancelBatch !== undefined && !this.#isIdle) return;
    this.#cancelBatch?.();
    this.#isIdle = false;
    this.#cancelBatch = this.#timer.after(BATCH_MS, () => {
      this.#store.flush();
      this.#unwritten.written();
      this.#isIdle = true;
      this.#cancelBatch = this.#timer.after(IDLE_MS, () => {
        this.#cancelBatch = undefined;
        this.#store.closeFiles();
        this.#unwritten.closeFile();
      });
    });
  }
}
