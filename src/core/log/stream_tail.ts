import { LineFramer, type Span } from "./framer.ts";
import type { LogLimits } from "./limits.ts";
import { maskBytes, maskText } from "./mask.ts";
import type { MaskPlan } from "./mask_plan.ts";
import type { OutputStream, RecentLines, TakenLine } from "./recent_lines.ts";

const NEWLINE = new Uint8Array([10]);

/** A row that can't be redrawn any more. */
export interface SettledRow {
  /** Without a newline. */
  bytes: Uint8Array;
  /** Unix ms of its last change. */
  at: number;
  /** The earlier frames of its region, oldest first: only in the first row that settles of it. */
  frames: string[][];
  /** The process never ended this line. */
  isOpen: boolean;
}

/**
 * The end of what a stream has brought, as far as a terminal can still draw over it: the unfinished line, and above it
 * the recent lines. What comes here is cut into lines, which go on to those of the other stream.
 */
export class StreamTail {
  readonly name: OutputStream;
  /** When what comes now has come, Unix ms. */
  at = 0;
  readonly #framer: LineFramer;
  readonly #recent: RecentLines;
  readonly #mask: MaskPlan | undefined;
  readonly #emit = (span: Span): void => this.#recent.add({ span, stream: this.name, at: this.at });

  constructor(
    name: OutputStream,
    { limits, mask, recent }: {
      limits: Pick<LogLimits, "line" | "span">;
      mask?: MaskPlan | undefined;
      /** The lines of all streams. */
      recent: RecentLines;
    },
  ) {
    this.name = name;
    this.#framer = new LineFramer(limits);
    this.#mask = mask;
    this.#recent = recent;
  }

  /** The unfinished line, for a journal. */
  get state(): LineFramer["state"] & { at: number } {
    return { ...this.#framer.state, at: this.at };
  }

  restore(state: StreamTail["state"]): void {
    this.#framer.restore(state);
    this.at = state.at;
  }

  /** The unfinished line: a view, valid until the next call. */
  get partial(): Uint8Array {
    return this.#framer.partial;
  }

  /** The unfinished line goes on from a piece that is gone. */
  get continued(): boolean {
    return this.#framer.continued;
  }

  /** Takes bytes as they came. */
  pass(bytes: Uint8Array): void {
    this.#framer.push(bytes, this.#emit);
  }

  /** The same, as far as they surely hold no carriage return, backspace or escape; answers how many that were. */
  passPlain(bytes: Uint8Array): number {
    return this.#framer.pushPlain(bytes, this.#emit);
  }

  /** Takes back the unfinished line, as a copy; undefined where a piece of it is gone for good. */
  takeBackLine(): Uint8Array | undefined {
    return this.#framer.continued ? undefined : this.#framer.takeBack();
  }

  /** Takes back the newest lines above that which nobody has seen yet, `count` at most, oldest first. */
  takeBackLines(count: number): TakenLine[] {
    return this.#framer.continued ? [] : this.#recent.takeBack(this.name, count);
  }

  /** Takes a row that was redrawn: drawing may have put together what was masked in no chunk. */
  settle({ bytes, at, frames, isOpen }: SettledRow): void {
    let own = frames.map((rows) => this.maskedTexts(rows));
    const emit = (span: Span): void => {
      this.#recent.add({ span, stream: this.name, at, frames: own });
      own = [];
    };
    this.#framer.push(this.masked(bytes), emit);
    if (isOpen) this.#framer.end(emit);
    else this.#framer.push(NEWLINE, emit);
  }

  /** Nothing more comes: the unfinished line becomes one. */
  end(): void {
    this.#framer.end(this.#emit);
  }

  /** The cursor is shown or hidden from here on. For both streams: it is often stderr that hides it for what stdout draws. */
  showCursor(isShown: boolean): void {
    this.#recent.isCursorHidden = !isShown;
  }

  /** What was drawn, without what never stands in the log. */
  masked(bytes: Uint8Array): Uint8Array {
    return this.#mask === undefined ? bytes : maskBytes(this.#mask, bytes);
  }

  maskedTexts(rows: string[]): string[] {
    return this.#mask === undefined ? rows : rows.map((row) => maskText(row, this.#mask));
  }
}
