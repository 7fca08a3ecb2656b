import { concat } from "../../core/bytes.ts";
import type { Span } from "../../core/log/framer.ts";
import { limitsOf } from "../../core/log/limits.ts";
import { type LogEffect, type LogEvent, type LogState, newLog, step } from "../../core/log/log_machine.ts";
import type { StreamLines } from "../../core/log/recent_lines.ts";
import { CONTINUED, JOINED, STDERR } from "../../core/log/record.ts";
import { type SystemLine, systemTexts } from "../../core/log/system.ts";
import { decodeLines } from "../../core/log/text.ts";
import { messageOf } from "../../fault.ts";
import type { Audience } from "./audience.ts";
import { isThere } from "./files.ts";
import { SegmentChain } from "./segment_chain.ts";
import type { Stamp } from "./segment_writer.ts";
import type { LogOptions } from "./writer.ts";

/** Where a log goes on: the number of its next line, the time of the last (Unix ms), and whether it has reached its size. */
export interface LogStart {
  next: number;
  storedAt: number;
  isFull: boolean;
}

/**
 * Lines of a run on their way into its folder: gives them their numbers, and does with the disk what `log_machine.ts`
 * decides. No call throws. Lines that are there already are kept, and their numbers go on. Times are Unix ms.
 */
export class LineStore {
  /** The cap was hit under `kill_task`. */
  overflow = false;
  /** When something came last. */
  at = 0;
  readonly #options: LogOptions;
  readonly #hold: (bytes: number) => string | undefined;
  readonly #audience: Audience;
  readonly #chain: SegmentChain;
  #state: LogState = newLog;
  #lines = 0;
  /** When the last line was stored, as its record says. */
  #storedAt = 0;
  /** Lines of the span that is being taken and has no numbers yet. */
  #offered = 0;

  constructor(
    folder: string,
    { options, start, hold, audience }: {
      options: LogOptions;
      /** Where it goes on, if that is known better than by what is in the folder. */
      start?: LogStart | undefined;
      /** Why so many bytes of output may not be stored at the moment, if so. */
      hold: (bytes: number) => string | undefined;
      /** Those who hear of each line that is stored. */
      audience: Audience;
    },
  ) {
    this.#options = options;
    this.#hold = hold;
    this.#audience = audience;
    if (start !== undefined) {
      this.#lines = start.next;
      this.#storedAt = start.storedAt;
      this.#state = { ...newLog, isFull: start.isFull };
      this.overflow = start.isFull && options.onFull === "kill_task";
    }
    this.#chain = new SegmentChain(folder, limitsOf(options));
    // A run that says nothing needs no folder, and starts faster without.
    if (isThere(folder)) this.#guard(() => this.#open());
  }

  /** Number of the next line. */
  get lines(): number {
    return this.#lines;
  }

  /** Where another one would go on: behind what was written. */
  get start(): LogStart {
    return { next: this.#lines, storedAt: this.#storedAt, isFull: this.#state.isFull };
  }

  /** Number of the oldest line that is still there. */
  get first(): number {
    return this.#chain.first;
  }

  /** Bytes of all files, with what isn't written yet. */
  get bytes(): number {
    return this.#chain.bytes;
  }

  /** Lines that are not stored, or no longer. */
  get dropped(): number {
    return this.#chain.dropped + this.#state.lost;
  }

  /** What the disk answered, while output can't be stored. */
  get failed(): string | undefined {
    return this.#state.failure?.message;
  }

  /** Takes lines; their bytes may stay in the caller's chunk until `settle`. */
  append(output: StreamLines): void {
    const { span, at } = output;
    const why = this.#state.isFull ? undefined : this.#hold(span.head.length + span.body.length);
    this.#send({ type: "output", lines: span.lines, why, at }, output);
  }

  /** Adds the daemon's own words, a line for each line of `text`. */
  say(text: string, at: number): void {
    this.#send({ type: "wanted", at });
    if (this.failed !== undefined) return;
    for (const line of systemTexts(text)) this.#guard(() => this.#appendSystem(line, at));
  }

  /** Lets go of the chunk that lines were taken from. */
  releaseChunk(): void {
    this.#guard(() => this.#chain.releaseChunk());
    this.#sayAnew();
  }

  /** Writes what is pending. */
  flush(): void {
    this.#guard(() => this.#chain.flush());
    if (this.#chain.anew === undefined) return;
    this.#sayAnew();
    this.#guard(() => this.#chain.flush());
  }

  /** Gives back files and buffers until the next line comes. */
  closeFiles(): void {
    this.#chain.closeFiles();
  }

  /** Writes all, with what there is to say; the promise ends when the disk has taken it, and never fails. */
  end(): Promise<void> {
    this.#send({ type: "ending", at: this.at });
    this.flush();
    this.#send({ type: "ended", at: this.at });
    return this.#chain.sync();
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
        return this.say(effect.text, effect.at);
      case "store":
        return this.#store(output!);
      case "store_fitting":
        return this.#storeFitting(output!);
      case "add":
        return this.#appendSystem(effect.text, effect.at);
      case "stop_run":
        this.overflow = true;
        return this.#options.overflowed?.();
    }
  }

  #open(): void {
    this.#lines = this.#chain.open(this.#lines);
    this.#send({ type: "opened" });
  }

  /** Stores lines with their frames. */
  #store(output: StreamLines): void {
    const { span, frames } = output;
    if (this.failed !== undefined) return this.#send({ type: "missed", lines: span.lines });
    const stamp = this.#stampOf(output);
    this.#guard(() => {
      if (!this.#append(span, stamp)) this.#send({ type: "filled", at: stamp.at }, output);
    });
    if (frames === undefined || frames.length === 0 || this.#lines === stamp.line) return;
    this.#guard(() => this.#chain.appendFrames(stamp.line, frames));
  }

  #storeFitting(output: StreamLines): void {
    const stamp = this.#stampOf(output);
    const fitting = this.#chain.fitting(output.span, stamp);
    const lines = fitting?.lines ?? 0;
    this.#send({ type: "missed", lines: output.span.lines - lines });
    if (fitting !== undefined && !this.#append(fitting, stamp)) this.#send({ type: "missed", lines });
  }

  /** What the next lines are stored as. Times never go back for a row that was redrawn: a reader looks lines up by them. */
  #stampOf({ span, stream, at, frames }: StreamLines): Stamp {
    const flags = (stream === "stderr" ? STDERR : 0) | (span.continued ? CONTINUED : 0) |
      (span.joined ? JOINED : 0);
    return { line: this.#lines, at: frames === undefined ? at : Math.max(at, this.#storedAt), flags };
  }

  #append(span: Span, stamp: Stamp): boolean {
    this.#offered = span.lines;
    const isTaken = this.#chain.append(span, stamp);
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

  #appendSystem(text: string, at: number): void {
    const line = { n: this.#lines, at, text };
    this.#chain.appendSystem(line);
    this.#lines++;
    this.#storedAt = Math.max(this.#storedAt, at);
    this.#audience.deliver(() => [{ ...line, stream: "system", continued: false }]);
  }

  #sayAnew(): void {
    const first = this.#chain.anew;
    if (first === undefined || this.failed !== undefined) return;
    this.#chain.anew = undefined;
    const then = `they begin anew with line ${first}`;
    const text = `the log files of this run were removed or changed while it wrote: ${then}`;
    this.#guard(() => this.#appendSystem(text, this.at));
  }

  /** Tries to write what is missing: if that succeeds, the disk takes output again. */
  #try(text: string, at: number): void {
    let line: SystemLine;
    try {
      if (!this.#state.isOpen) this.#open();
      line = { n: this.#lines, at, text };
      this.#chain.appendSystem(line);
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
      this.#send({ type: "refused", message: messageOf(error), lost, at: this.at });
    }
  }
}
