import type { LogState } from "../../engine/runs/run_logs.ts";
import type { LogTail, TailRegion } from "./log_tail.ts";
import { comment, encodeText, eventText } from "./sse.ts";
import type { FairShare } from "./fair_share.ts";

/** Where a log stream begins: after a line that the client has, or at a line (negative: counted from the end). */
export type LogStart = { after: number } | { from: number };

/**
 * The log of a run as an event stream that is pulled: the client has a place in the log, not a queue, so that
 * nothing is lost, doubled or piled up however slow it is.
 */
export class LogStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #tail: LogTail;
  readonly #share: FairShare;
  readonly #onEnd: () => void;
  readonly #stopListening: () => void;
  /** Number of the line that is sent next. */
  #at: number;
  /** The oldest line that is there, as far as the client knows. */
  #knownFirst: number;
  /** The regions that the client shows, by stream. */
  readonly #shown = new Map<string, TailRegion>();
  /** The look of the tail in which a region was sent last. */
  #sentIn = -1;
  #wake: (() => void) | undefined;
  #isClosing = false;
  #isEnded = false;
  #isPinged = false;

  /** `onEnd` is called once, when the stream ends for any reason. */
  constructor(tail: LogTail, options: { start: LogStart; share: FairShare; onEnd: () => void }) {
    this.#tail = tail;
    this.#share = options.share;
    this.#onEnd = options.onEnd;
    const state = tail.state();
    this.#knownFirst = state.first;
    this.#at = firstLine(options.start, state);
    this.#stopListening = tail.listen(() => this.#wake?.());
    this.body = new ReadableStream({
      // So that the client hears at once that it is connected.
      start: (controller) => controller.enqueue(comment),
      pull: async (controller) => {
        try {
          await this.#pull(controller);
        } catch (error) {
          // What can't be read ends the stream, and gives its place back.
          this.#finish();
          throw error;
        }
      },
      cancel: () => this.#finish(),
    }, { highWaterMark: 0 });
  }

  /** Shows a client that waits that the stream is alive. */
  ping(): void {
    if (this.#wake === undefined) return;
    this.#isPinged = true;
    this.#wake();
  }

  /** Ends the stream when the client has all that is there. */
  end(): void {
    this.#isClosing = true;
    this.#wake?.();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    for (;;) {
      await this.#share.wait();
      if (this.#isEnded) return;
      const { events, chunk, then = "", isLast } = this.#share.work(() => this.#next());
      if (events !== "") controller.enqueue(encodeText(events));
      if (chunk !== undefined) controller.enqueue(chunk);
      if (then !== "") controller.enqueue(encodeText(then));
      const isNothing = events === "" && chunk === undefined && then === "";
      if (isLast || (this.#isClosing && isNothing)) {
        this.#finish();
        return controller.close();
      }
      if (!isNothing) return;
      if (await this.#news() === "ping") return controller.enqueue(comment);
      if (this.#isEnded) return;
    }
  }

  /** Resolves when there may be something new, when the client should hear that all is well, and at the end. */
  async #news(): Promise<"ping" | undefined> {
    await new Promise<void>((resolve) => this.#wake = resolve);
    this.#wake = undefined;
    const isPing = this.#isPinged && !this.#isEnded && !this.#isClosing;
    this.#isPinged = false;
    return isPing ? "ping" : undefined;
  }

  /** What is sent next: events about the log, then lines, then what is no line yet. */
  #next(): { events: string; chunk?: Uint8Array; then?: string; isLast: boolean } {
    const state = this.#tail.state();
    let events = "";
    if (state.first > this.#knownFirst || this.#at < state.first) {
      this.#knownFirst = state.first;
      events += eventText("rotated", { first_available: state.first });
    }
    if (state.phase === "gone") return { events: events + this.#done("deleted", this.#at - 1), isLast: true };
    const chunk = this.#tail.read(Math.max(this.#at, state.first), state.next);
    const reached = chunk?.first ?? Math.max(this.#at, state.first);
    if (reached > this.#at) {
      events += eventText("dropped", { after: this.#at - 1, count: reached - this.#at });
    }
    this.#at = chunk?.to ?? reached;
    // A client that is behind would show a region under lines that are long gone.
    const then = this.#at >= state.next ? this.#regions() : "";
    if (chunk !== undefined) return { events, chunk: chunk.bytes, then, isLast: false };
    if (state.phase !== "final") return { events, then, isLast: false };
    return { events, then: then + this.#done("ended", state.next - 1), isLast: true };
  }

  /** Regions that have changed: only the newest of each, and once in a look. That one has gone is told at once. */
  #regions(): string {
    const regions = this.#tail.regions();
    let events = "";
    for (const [stream, { epoch }] of this.#shown) {
      if (regions.has(stream)) continue;
      events += eventText("region", { stream, epoch, rows: [] });
      this.#shown.delete(stream);
    }
    if (this.#tail.looks === this.#sentIn) return events;
    for (const [stream, region] of regions) {
      if (this.#shown.get(stream)?.event === region.event) continue;
      events += region.event;
      this.#shown.set(stream, region);
      this.#sentIn = this.#tail.looks;
    }
    return events;
  }

  #done(status: string, finalLine: number): string {
    return eventText("done", { final_line: finalLine, status });
  }

  #finish(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#stopListening();
    this.#wake?.();
    this.#onEnd();
  }
}

function firstLine(start: LogStart, { first, next }: LogState): number {
  if ("after" in start) return Math.min(start.after + 1, next);
  // What is counted from the end is a wish for the newest that is there; a number is a wish for that line.
  return start.from < 0 ? Math.max(first, next + start.from) : Math.min(start.from, next);
}
