import { concat } from "../../core/bytes.ts";
import type { Span } from "../../core/log/framer.ts";
import { limitsOf } from "../../core/log/limits.ts";
import { type LogEffect, type LogEvent, type LogState, newLog, step } from "../../core/log/log_machine.ts";
import { maskText } from "../../core/log/mask.ts";
import { Outputs } from "../../core/log/outputs.ts";
import type { StreamLines } from "../../core/log/recent_lines.ts";
import { CONTINUED, JOINED, STDERR } from "../../core/log/record.ts";
import { type SystemLine, systemTexts } from "../../core/log/system.ts";
import { decodeLines } from "../../core/log/text.ts";
import { messageOf } from "../../fault.ts";
import type { LogLine } from "../../types.ts";
import { Audience } from "./audience.ts";
import { isThere } from "./files.ts";
import { SegmentChain } from "./segment_chain.ts";
import type { Stamp } from "./segment_writer.ts";
import type { LiveRegion, LogOptions, LogTimer, LogWriter, OutputStream, PartialLine } from "./writer.ts";

/** Lines reach the disk this many ms after nothing can redraw them any more, at the latest. */
const BATCH_MS = 50;
/** A writer that had nothing to do for this many ms gives back its files and buffers. */
const IDLE_MS = 5000;

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
  /** What stands between the lines and the disk. */
  #state: LogState = newLog;
  /** Lines of the span that is being taken and has no numbers yet. */
  #offered = 0;
  #closed = false;
  #lastAt = 0;
  #cancelTick: (() => void) | undefined;
  #cancelBatch: (() => void) | undefined;
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
    this.#outputs = new Outputs({ limits, mask: options.mask, give: (output) => this.#take(output) });
    this.#chain = new SegmentChain(folder, limits);
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
    return this.#chain.dropped + this.#state.lost;
  }

  get failed(): string | undefined {
    return this.#state.failure?.message;
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
    this.#tickLater(at);
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
    this.#cancelTick?.();
    this.#cancelTick = undefined;
    this.#outputs.end(this.#lastAt);
    for (const text of this.#outputs.takeTold()) this.#say(text, this.#lastAt);
    this.#send({ type: "ending", at: this.#lastAt });
    this.#flush();
    this.#send({ type: "ended", at: this.#lastAt });
    this.#closed = true;
    this.#cancelBatch?.();
    this.#cancelBatch = undefined;
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
    if (this.#chain.anew === undefined) return;
    this.#sayAnew();
    this.#guard(() => this.#chain.flush());
  }

  /** What is due after output was taken. */
  #follow(at: number): void {
    this.#lastAt = at;
    for (const text of this.#outputs.takeTold()) this.#say(text, at);
    this.#guard(() => this.#chain.settle());
    this.#sayAnew();
    this.#wake();
    this.#notify();
  }

  /** What has happened to the log, and what follows from it; `output`: the lines that it happened to. */
  #send(event: LogEvent, output?: StreamLines): void {
    const [state, effects] = step(this.#options, this.#state, event);
    this.#state = state;
    for (const effect of effects) this.#perform(effect, output);
  }

  #perform(effect: LogEffect, output: StreamLines | undefined): void {
    switch (effect.do) {
      case "open":
        return this.#guard(() => this.#open());
      case "try":
        return this.#try(effect.text, effect.at);
      case "say":
        return this.#say(effect.text, effect.at);
      case "store":
        return this.#store(output!);
      case "store_fitting":
        return this.#storeFitting(output!);
      case "add":
        return this.#putSystem(effect.text, effect.at);
      case "stop_run":
        this.overflow = true;
        return this.#options.overflowed?.();
    }
  }

  #open(): void {
    this.#lines = this.#chain.open();
    this.#send({ type: "opened" });
  }

  #take(output: StreamLines): void {
    const { span, at } = output;
    const why = this.#state.isFull ? undefined : this.#hold(span.head.length + span.body.length);
    this.#send({ type: "output", lines: span.lines, why, at }, output);
  }

  /** Stores lines with their frames. */
  #store(output: StreamLines): void {
    const { span, at, frames } = output;
    if (!this.#isUsable(at)) return this.#send({ type: "missed", lines: span.lines });
    const stamp = this.#stampOf(output);
    this.#guard(() => {
      if (!this.#put(span, stamp)) this.#send({ type: "filled", at: stamp.at }, output);
    });
    if (frames === undefined || frames.length === 0 || this.#lines === stamp.line) return;
    this.#guard(() => this.#chain.putFrames(stamp.line, frames));
  }

  #storeFitting(output: StreamLines): void {
    const stamp = this.#stampOf(output);
    const fitting = this.#chain.fitting(output.span, stamp);
    const lines = fitting?.lines ?? 0;
    this.#send({ type: "missed", lines: output.span.lines - lines });
    if (fitting !== undefined && !this.#put(fitting, stamp)) this.#send({ type: "missed", lines });
  }

  /** What the next lines are stored as. Times never go back for a row that was redrawn: a reader looks lines up by them. */
  #stampOf({ span, stream, at, frames }: StreamLines): Stamp {
    const flags = (stream === "stderr" ? STDERR : 0) | (span.continued ? CONTINUED : 0) |
      (span.joined ? JOINED : 0);
    return { line: this.#lines, at: frames === undefined ? at : Math.max(at, this.#storedAt), flags };
  }

  #put(span: Span, stamp: Stamp): boolean {
    this.#offered = span.lines;
    const isTaken = this.#chain.put(span, stamp);
    this.#offered = 0;
    if (!isTaken) return false;
    this.#lines += span.lines;
    this.#storedAt = stamp.at;
    this.#audience.deliver(() => {
      const bytes = concat([span.head, span.body]);
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
    const first = this.#chain.anew;
    if (first === undefined || this.failed !== undefined) return;
    this.#chain.anew = undefined;
    const then = `they begin anew with line ${first}`;
    const text = `the log files of this run were removed or changed while it wrote: ${then}`;
    this.#guard(() => this.#putSystem(text, this.#lastAt));
  }

  /** True unless the disk fails; after a while it is tried again. */
  #isUsable(at: number): boolean {
    this.#send({ type: "wanted", at });
    return this.failed === undefined;
  }

  /** Tries to write what is missing: if that succeeds, the disk takes output again. */
  #try(text: string, at: number): void {
    let line: SystemLine;
    try {
      if (!this.#state.isOpen) this.#open();
      line = { n: this.#lines, at, text };
      this.#chain.putSystem(line);
      this.#chain.flush();
    } catch (error) {
      this.#chain.giveUp(this.#lines);
      return this.#send({ type: "still_refused", message: messageOf(error), at });
    }
    this.#lines++;
    this.#send({ type: "recovered" });
    this.#audience.deliver(() => [{ ...line, stream: "system", continued: false }]);
  }

  /** Does something with the disk; a failure costs what is pending, and is remembered. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      const lost = this.#chain.giveUp(this.#lines) + this.#offered;
      this.#offered = 0;
      this.#send({ type: "refused", message: messageOf(error), lost, at: this.#lastAt });
    }
  }

  #notify(): void {
    this.#audience.notify({ lines: this.#lines, version: this.#outputs.version });
  }

  /** Sees to it that what nobody redraws any more becomes lines. */
  #tickLater(now: number): void {
    if (this.#cancelTick !== undefined) return;
    const due = this.#outputs.dueAt;
    if (due === undefined) return;
    const at = Math.max(due, now);
    this.#cancelTick = this.#timer.after(at - now, () => {
      this.#cancelTick = undefined;
      this.#outputs.tick(at);
      this.#follow(Math.max(at, this.#lastAt));
      this.#tickLater(at);
    });
  }

  /** Sees to it that the batch is written in time, and that an idle writer gives back what it holds. */
  #wake(): void {
    if (this.#cancelBatch !== undefined && !this.#isIdle) return;
    this.#cancelBatch?.();
    this.#isIdle = false;
    this.#cancelBatch = this.#timer.after(BATCH_MS, () => {
      this.#flush();
      this.#isIdle = true;
      this.#cancelBatch = this.#timer.after(IDLE_MS, () => {
        this.#cancelBatch = undefined;
        this.#chain.rest();
      });
    });
  }
}
