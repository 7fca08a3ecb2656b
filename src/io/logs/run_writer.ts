import type { Span } from "../../core/log/framer.ts";
import type { Passing } from "../../core/log/held_lines.ts";
import { limitsOf } from "../../core/log/limits.ts";
import { maskText } from "../../core/log/mask.ts";
import { CONTINUED, JOINED, STDERR } from "../../core/log/record.ts";
import { type SystemLine, systemTexts } from "../../core/log/system.ts";
import { decodeLines } from "../../core/log/text.ts";
import { messageOf } from "../../fault.ts";
import type { LogLine } from "../../types.ts";
import { Audience } from "./audience.ts";
import { Outputs } from "./outputs.ts";
import { isThere } from "./files.ts";
import { SegmentChain } from "./segment_chain.ts";
import type { Stamp } from "./segment_writer.ts";
import type { LiveRegion, LogOptions, LogTimer, LogWriter, OutputStream, PartialLine } from "./writer.ts";

/** Lines reach the disk this many ms after nothing can redraw them any more, at the latest. */
const BATCH_MS = 50;
/** A writer that had nothing to do for this many ms gives back its files and buffers. */
const IDLE_MS = 5000;
/** After a failure, the disk is tried again after this many ms at the earliest. */
const RETRY_MS = 1000;

/** The disk refused; `lost` lines are missing since. */
interface Failure {
  message: string;
  lost: number;
  retryAt: number;
}

/** The writer of one run's log folder. Lines that are there already are kept, and their numbers go on. */
export class RunLogWriter implements LogWriter {
  overflow = false;
  /** Bytes that the process wrote, stored or not. */
  outputBytes = 0;
  readonly #options: LogOptions;
  readonly #timer: LogTimer;
  readonly #onClose: (synced: Promise<void>) => void;
  readonly #hold: (bytes: number) => string | undefined;
  readonly #outputs: Outputs;
  readonly #chain: SegmentChain;
  readonly #audience = new Audience();
  #lines = 0;
  /** When the last line was stored, as its record says. */
  #storedAt = 0;
  #unstored = 0;
  /** Lines of the span that is being taken and has no numbers yet. */
  #offered = 0;
  /** Where the files begin anew, until a system line has said so. */
  #anew: number | undefined;
  #failure: Failure | undefined;
  /** What the daemon has to say once the bytes that brought it about are taken. */
  readonly #toTell: string[] = [];
  /** Lines that are missing since output is held back. */
  #held: number | undefined;
  #isOpen = false;
  #full = false;
  #closed = false;
  #lastAt = 0;
  #cancel: (() => void) | undefined;
  #isIdle = false;

  constructor(
    folder: string,
    { options, timer, hold, onClose }: {
      options: LogOptions;
      timer: LogTimer;
      /** Why so many bytes of output may not be stored at the moment, if so. */
      hold: (bytes: number) => string | undefined;
      /** Called once, with the promise that ends when the disk has taken everything. */
      onClose: (synced: Promise<void>) => void;
    },
  ) {
    this.#options = options;
    this.#timer = timer;
    this.#onClose = onClose;
    this.#hold = hold;
    const limits = limitsOf(options);
    const sink = {
      take: (passing: Passing<OutputStream>) => this.#take(passing),
      tell: (text: string) => void this.#toTell.push(text),
      ticked: (at: number) => this.#follow(Math.max(at, this.#lastAt)),
    };
    this.#outputs = new Outputs({ limits, mask: options.mask, timer, sink });
    this.#chain = new SegmentChain(folder, { limits, onAnew: (first) => this.#anew = first });
    // A run that says nothing needs no folder, and starts faster without.
    if (isThere(folder)) this.#guard(() => this.#open());
  }

  get lines(): number {
    return this.#lines;
  }

  get firstAvailable(): number {
    return this.#chain.first;
  }

  get bytes(): number {
    return this.#chain.bytes;
  }

  get droppedLines(): number {
    return this.#chain.dropped + this.#unstored;
  }

  get failed(): string | undefined {
    return this.#failure?.message;
  }

  write(stream: OutputStream, chunk: Uint8Array, at: number): void {
    for (let from = 0; from < chunk.length;) {
      from += this.writeSome(stream, from === 0 ? chunk : chunk.subarray(from), at);
    }
  }

  writeSome(stream: OutputStream, chunk: Uint8Array, at: number): number {
    if (this.#closed) return chunk.length;
    this.#lastAt = at;
    const taken = this.#outputs.push(stream, chunk, at);
    this.outputBytes += taken;
    this.#follow(at);
    return taken;
  }

  system(text: string, at: number): void {
    if (this.#closed) return;
    this.#lastAt = at;
    // What the process said before stands before it.
    this.#outputs.release();
    this.#say(maskText(text, this.#options.mask), at);
    this.#wake();
    this.#notify();
  }

  flush(): void {
    this.#outputs.releaseIdle();
    this.#flush();
  }

  close(): void {
    if (this.#closed) return;
    this.#outputs.end(this.#lastAt);
    for (const text of this.#toTell.splice(0)) this.#say(text, this.#lastAt);
    this.#endHold(this.#lastAt);
    this.#flush();
    // The last chance to say what is missing, whatever the time.
    this.#recover(this.#lastAt);
    this.#closed = true;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#audience.close();
    this.#onClose(this.#chain.sync());
  }

  subscribe(listener: (lines: LogLine[]) => void): () => void {
    return this.#audience.subscribe(listener);
  }

  watch(listener: () => void): () => void {
    return this.#audience.watch(listener);
  }

  partials(): PartialLine[] {
    return this.#closed ? [] : this.#outputs.partials();
  }

  regions(): LiveRegion[] {
    return this.#closed ? [] : this.#outputs.regions();
  }

  get regionVersion(): number {
    return this.#outputs.version;
  }

  #flush(): void {
    this.#guard(() => this.#chain.flush());
    if (this.#anew === undefined) return;
    this.#sayAnew();
    this.#guard(() => this.#chain.flush());
  }

  /** What is due after output was taken. */
  #follow(at: number): void {
    this.#lastAt = at;
    for (const text of this.#toTell.splice(0)) this.#say(text, at);
    this.#guard(() => this.#chain.settle());
    this.#sayAnew();
    this.#wake();
    this.#notify();
  }

  #open(): void {
    this.#lines = this.#chain.open();
    this.#isOpen = true;
  }

  /** Stores lines with their frames, or counts them as dropped. Times never go back for a row that was redrawn: a reader looks lines up by them. */
  #take({ span, stream, at, frames }: Passing<OutputStream>): void {
    if (this.#full || this.#isHeld(span, at) || !this.#isUsable(at)) {
      this.#unstored += span.lines;
      if (this.#held !== undefined) this.#held += span.lines;
      else if (this.#failure !== undefined) this.#failure.lost += span.lines;
      return;
    }
    const flags = (stream === "stderr" ? STDERR : 0) | (span.continued ? CONTINUED : 0) |
      (span.joined ? JOINED : 0);
    const stamp = { line: this.#lines, at: frames === undefined ? at : Math.max(at, this.#storedAt), flags };
    this.#guard(() => this.#store(span, stamp));
    if (frames === undefined || frames.length === 0 || this.#lines === stamp.line) return;
    this.#guard(() => this.#chain.putFrames(stamp.line, frames));
  }

  #store(span: Span, stamp: Stamp): void {
    if (this.#put(span, stamp)) return;
    this.#full = true;
    const fitting = this.#chain.fitting(span, stamp);
    const stored = fitting !== undefined && this.#put(fitting, stamp) ? fitting.lines : 0;
    this.#unstored += span.lines - stored;
    const overflow = this.#options.onFull === "kill_task";
    const then = overflow ? "the run is being stopped" : "later output is not stored";
    this.#putSystem(`the log has reached ${this.#options.maxSize} bytes (log_max_size): ${then}`, stamp.at);
    if (!overflow || this.overflow) return;
    this.overflow = true;
    this.#options.overflowed?.();
  }

  #put(span: Span, stamp: Stamp): boolean {
    this.#offered = span.lines;
    const taken = this.#chain.put(span, stamp);
    this.#offered = 0;
    if (!taken) return false;
    this.#lines += span.lines;
    this.#storedAt = stamp.at;
    this.#audience.deliver(() => {
      const bytes = new Uint8Array(span.head.length + span.body.length);
      bytes.set(span.head);
      bytes.set(span.body, span.head.length);
      return decodeLines(bytes, { record: { ...stamp, end: 0 }, from: stamp.line, limit: span.lines });
    });
    this.#chain.flushIfFull();
    return true;
  }

  #putSystem(text: string, at: number): void {
    const line = { n: this.#lines, at, text };
    this.#chain.putSystem(line);
    this.#lines++;
    this.#storedAt = Math.max(this.#storedAt, at);
    this.#audience.deliver(() => [{ ...line, stream: "system", continued: false }]);
  }

  #say(text: string, at: number): void {
    if (!this.#isUsable(at)) return;
    for (const line of systemTexts(text)) this.#guard(() => this.#putSystem(line, at));
  }

  #sayAnew(): void {
    if (this.#anew === undefined || this.#failure !== undefined) return;
    const then = `they begin anew with line ${this.#anew}`;
    this.#anew = undefined;
    const text = `the log files of this run were removed or changed while it wrote: ${then}`;
    this.#guard(() => this.#putSystem(text, this.#lastAt));
  }

  /** Whether output is held back; says so when that begins, and when it is over. The daemon's own words are stored. */
  #isHeld({ head, body }: Span, at: number): boolean {
    const why = this.#hold(head.length + body.length);
    if (why !== undefined && this.#held === undefined) {
      this.#held = 0;
      this.#say(`${why}: output is not stored until there is more`, at);
    } else if (why === undefined && this.#held !== undefined) {
      this.#endHold(at);
    }
    return this.#held !== undefined;
  }

  #endHold(at: number): void {
    if (this.#held === undefined) return;
    const lost = this.#held;
    this.#held = undefined;
    if (lost > 0) this.#say(`${lost} lines of output were not stored for lack of space`, at);
  }

  /** True unless the disk fails; after a while it is tried again. */
  #isUsable(at: number): boolean {
    if (!this.#isOpen && this.#failure === undefined) this.#guard(() => this.#open());
    return this.#failure === undefined || (at >= this.#failure.retryAt && this.#recover(at));
  }

  /** Tries to write what is missing: if that succeeds, the disk takes output again. */
  #recover(at: number): boolean {
    const failure = this.#failure;
    if (failure === undefined) return true;
    const missing = failure.lost > 0
      ? `${failure.lost} lines are missing here`
      : "output may be missing here";
    const [text = missing] = systemTexts(`output could not be stored, ${missing}: ${failure.message}`);
    let line: SystemLine;
    try {
      if (!this.#isOpen) this.#open();
      line = { n: this.#lines, at, text };
      this.#chain.putSystem(line);
      this.#chain.flush();
    } catch (error) {
      this.#chain.giveUp(this.#lines);
      this.#failure = { ...failure, message: messageOf(error), retryAt: at + RETRY_MS };
      return false;
    }
    this.#lines++;
    this.#failure = undefined;
    this.#audience.deliver(() => [{ ...line, stream: "system", continued: false }]);
    return true;
  }

  /** Does something with the disk; a failure costs what is pending, and is remembered. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      const lost = this.#chain.giveUp(this.#lines) + this.#offered;
      this.#offered = 0;
      this.#unstored += lost;
      this.#failure = {
        message: messageOf(error),
        lost: lost + (this.#failure?.lost ?? 0),
        retryAt: this.#lastAt + RETRY_MS,
      };
    }
  }

  #notify(): void {
    this.#audience.notify({ lines: this.#lines, version: this.#outputs.version });
  }

  /** Sees to it that the batch is written in time, and that an idle writer gives back what it holds. */
  #wake(): void {
    if (this.#cancel !== undefined && !this.#isIdle) return;
    this.#cancel?.();
    this.#isIdle = false;
    this.#cancel = this.#timer.after(BATCH_MS, () => {
      this.#flush();
      this.#isIdle = true;
      this.#cancel = this.#timer.after(IDLE_MS, () => {
        this.#cancel = undefined;
        this.#chain.rest();
      });
    });
  }
}
