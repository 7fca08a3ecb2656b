import type { Span } from "../../core/log/framer.ts";
import type { LogLimits } from "../../core/log/limits.ts";
import type { SettledRow } from "../../core/log/terminal.ts";
import { OutputText } from "./output_text.ts";
import type { LiveRegion, LogTimer, OutputStream, PartialLine } from "./writer.ts";

/** What becomes of the lines of both streams. */
export interface OutputsSink {
  /** Whole lines of a time, Unix ms. */
  take(span: Span, stream: OutputStream, at: number): void;
  /** A row that settled: `push` hands its lines to `take`. */
  settled(row: SettledRow, push: () => void): void;
  /** Rows have settled for lack of news. */
  ticked(at: number): void;
}

/** The two streams of a process on their way to the log, and the timer by which redrawn rows become lines. */
export class Outputs {
  readonly #streams: Record<OutputStream, OutputText>;
  readonly #timer: LogTimer;
  readonly #sink: OutputsSink;
  #cancel: (() => void) | undefined;

  constructor({ limits, timer, sink }: { limits: LogLimits; timer: LogTimer; sink: OutputsSink }) {
    this.#timer = timer;
    this.#sink = sink;
    const text = (name: OutputStream): OutputText => {
      const take = (span: Span, at: number): void => sink.take(span, name, at);
      return new OutputText(name, {
        limits,
        sink: { take, settled: (row, push) => sink.settled(row, push) },
      });
    };
    this.#streams = { stdout: text("stdout"), stderr: text("stderr") };
  }

  /** Takes what a stream brought at a time, Unix ms. */
  push(stream: OutputStream, chunk: Uint8Array, at: number): void {
    this.#streams[stream].push(chunk, at);
    this.#tickLater(at);
  }

  /** Hands out all that is unfinished, and ends. */
  end(at: number): void {
    this.#cancel?.();
    this.#cancel = undefined;
    for (const text of this.#texts) text.end(at);
  }

  /** What has begun but can still change. */
  partials(): PartialLine[] {
    return this.#texts.flatMap((text) => text.partials());
  }

  /** What is being redrawn. */
  regions(): LiveRegion[] {
    return this.#texts.flatMap((text) => text.region() ?? []);
  }

  /** Another number whenever there is something else to see of the regions. */
  get version(): number {
    return this.#streams.stdout.version + this.#streams.stderr.version;
  }

  get #texts(): OutputText[] {
    return [this.#streams.stdout, this.#streams.stderr];
  }

  /** Sees to it that rows that nobody redraws any more become lines. */
  #tickLater(now: number): void {
    if (this.#cancel !== undefined) return;
    const due = this.#earliest();
    if (due === undefined) return;
    const at = Math.max(due, now);
    this.#cancel = this.#timer.after(at - now, () => {
      this.#cancel = undefined;
      for (const text of this.#texts) text.tick(at);
      this.#sink.ticked(at);
      this.#tickLater(at);
    });
  }

  #earliest(): number | undefined {
    const { stdout: { dueAt: one }, stderr: { dueAt: other } } = this.#streams;
    return one === undefined || (other !== undefined && other < one) ? other : one;
  }
}
