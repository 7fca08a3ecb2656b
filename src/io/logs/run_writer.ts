import type { Span } from "../../core/log/framer.ts";
import { limitsOf, type LogPolicy } from "../../core/log/limits.ts";
import { CONTINUED, JOINED, STDERR } from "../../core/log/record.ts";
import { type SystemLine, systemTexts } from "../../core/log/system.ts";
import type { SettledRow } from "../../core/log/terminal.ts";
import { decodeLines } from "../../core/log/text.ts";
import { messageOf } from "../../fault.ts";
import type { LogLine } from "../../types.ts";
import { Audience } from "./audience.ts";
import { Outputs } from "./outputs.ts";
import { isThere } from "./files.ts";
import { SegmentChain } from "./segment_chain.ts";
import type { Stamp } from "./segment_writer.ts";
import type { LiveRegion, LogTimer, LogWriter, OutputStream, PartialLine } from "./writer.ts";

/** Output reaches the disk after this many ms at the latest. */
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
  readonly #policy: LogPolicy;
  readonly #timer: LogTimer;
  readonly #onClose: (synced: Promise<void>) => void;
  readonly #hold: (bytes: number) => string | undefined;
  readonly #outputs: Outputs;
  readonly #chain: SegmentChain;
  readonly #audience = new Audience();
  #lines = 0;
  /** When the last line was stored, as its record says. */
  #storedAt = 0;
  /** Number of the first line that was stored since a row settled. */
  #settled: number | undefined;
  #isSettling = false;
  #unstored = 0;
  /** Lines of the span that is being taken and has no numbers yet. */
  #offered = 0;
  /** Where the files begin anew, until a system line has said so. */
  #anew: number | undefined;
  #failure: Failure | undefined;
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
    { policy, timer, hold, onClose }: {
      policy: LogPolicy;
      timer: LogTimer;
      /** Why so many bytes of output may not be stored at the moment, if so. */
      hold: (bytes: number) => string | undefined;
      /** Called once, with the promise that ends when the disk has taken everything. */
      onClose: (synced: Promise<void>) => void;
    },
  ) {
    this.#policy = policy;
    this.#timer = timer;
    this.#onClose = onClose;
    this.#hold = hold;
    const limits = limitsOf(policy);
    const sink = {
      take: (span: Span, stream: OutputStream, at: number) => this.#take(span, stream, at),
      settled: (row: SettledRow, push: () => void) => this.#settle(row, push),
      ticked: (at: number) => this.#follow(Math.max(at, this.#lastAt)),
    };
    this.#outputs = new Outputs({ limits, timer, sink });
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
    if (this.#closed) return;
    this.#lastAt = at;
    this.outputBytes += chunk.length;
    this.#outputs.push(stream, chunk, at);
    this.#follow(at);
  }

  system(text: string, at: number): void {
    if (this.#closed) return;
    this.#lastAt = at;
    if (!this.#isUsable(at)) return;
    for (const line of systemTexts(text)) this.#guard(() => this.#putSystem(line, at));
    this.#wake();
    this.#notify();
  }

  flush(): void {
    this.#guard(() => this.#chain.flush());
    if (this.#anew === undefined) return;
    this.#sayAnew();
    this.#guard(() => this.#chain.flush());
  }

  close(): void {
    if (this.#closed) return;
    this.#outputs.end(this.#lastAt);
    this.#endHold(this.#lastAt);
    this.flush();
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

  /** What is due after output was taken. */
  #follow(at: number): void {
    this.#lastAt = at;
    this.#guard(() => this.#chain.settle());
    this.#sayAnew();
    this.#wake();
    this.#notify();
  }

  #open(): void {
    this.#lines = this.#chain.open();
    this.#isOpen = true;
  }

  /** Stores a span, or counts it as dropped. */
  #take(span: Span, stream: OutputStream, at: number): void {
    if (this.#full || this.#isHeld(span, at) || !this.#isUsable(at)) {
      this.#unstored += span.lines;
      if (this.#held !== undefined) this.#held += span.lines;
      else if (this.#failure !== undefined) this.#failure.lost += span.lines;
      return;
    }
    const flags = (stream === "stderr" ? STDERR : 0) | (span.continued ? CONTINUED : 0) |
      (span.joined ? JOINED : 0);
    const time = this.#isSettling ? Math.max(at, this.#storedAt) : at;
    this.#guard(() => this.#store(span, { line: this.#lines, at: time, flags }));
  }

  /** Stores a row that was redrawn, with its frames. Times never go back: a reader looks lines up by them. */
  #settle(row: SettledRow, push: () => void): void {
    this.#settled = undefined;
    this.#isSettling = true;
    push();
    this.#isSettling = false;
    const line = this.#settled;
    if (line === undefined || row.frames.length === 0) return;
    this.#guard(() => this.#chain.putFrames(line, row.frames));
  }

  #store(span: Span, stamp: Stamp): void {
    if (this.#put(span, stamp)) return;
    this.#full = true;
    const fitting = this.#chain.fitting(span, stamp);
    const stored = fitting !== undefined && this.#put(fitting, stamp) ? fitting.lines : 0;
    this.#unstored += span.lines - stored;
    const overflow = this.#policy.onFull === "kill_task";
    const then = overflow ? "the run is being stopped" : "later output is not stored";
    this.#putSystem(`the log has reached ${this.#policy.maxSize} bytes (log_max_size): ${then}`, stamp.at);
    this.overflow = overflow;
  }

  #put(span: Span, stamp: Stamp): boolean {
    this.#offered = span.lines;
    const taken = this.#chain.put(span, stamp);
    this.#offered = 0;
    if (!taken) return false;
    this.#lines += span.lines;
    this.#storedAt = stamp.at;
    this.#settled ??= stamp.line;
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
      this.system(`${why}: output is not stored until there is more`, at);
    } else if (why === undefined && this.#held !== undefined) {
      this.#endHold(at);
    }
    return this.#held !== undefined;
  }

  #endHold(at: number): void {
    if (this.#held === undefined) return;
    const lost = this.#held;
    this.#held = undefined;
    if (lost > 0) this.system(`${lost} lines of output were not stored for lack of space`, at);
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
      this.flush();
      this.#isIdle = true;
      this.#cancel = this.#timer.after(IDLE_MS, () => {
        this.#cancel = undefined;
        this.#chain.rest();
      });
    });
  }
}
