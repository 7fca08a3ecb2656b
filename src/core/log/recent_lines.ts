import type { LogStream } from "../../types.ts";
import type { Span } from "./framer.ts";
import { MAX_ROWS } from "./margins.ts";
import { REVISITED_SETTLE_MS, SETTLE_MS } from "./region_rows.ts";
import { isShowable } from "./utf8.ts";

/** The most bytes that are held, and the longest line that can be taken back. */
const MOST_BYTES = 16_384;
const LONGEST = 4096;
const NEWLINE = 10;
const NONE = new Uint8Array(0);

/** The streams of a process. */
export type OutputStream = Exclude<LogStream, "system">;

/** Whole lines of one stream on their way to the log. */
export interface StreamLines {
  span: Span;
  stream: OutputStream;
  /** When they came, Unix ms; of a row that was redrawn, its last change. */
  at: number;
  /** Of a row that was redrawn and has settled: its earlier frames, oldest first, none but with its first line. */
  frames?: string[][] | undefined;
}

/** Lines that are held until a time, Unix ms. */
interface Held extends StreamLines {
  until: number;
}

/** What is held, for a journal; bytes as base64. */
export interface RecentState {
  held: Array<{
    stream: OutputStream;
    at: number;
    until: number;
    frames?: string[][];
    bytes: string;
    lines: number;
    continued: boolean;
    joined: boolean;
  }>;
  isCursorHidden: boolean;
  /** Absent: never. */
  tooManyAt?: number;
}

/** A line that was taken back, without its newline. */
export interface TakenLine {
  bytes: Uint8Array;
  /** Unix ms. */
  at: number;
}

/**
 * Lines of all streams of a process, in the order in which they came, that a cursor may still go back to: for as
 * long as rows of a region take to settle, since the first frame of bars of several rows is nothing but lines:
 * longer where somebody is about to redraw. What comes too fast for that is not held.
 */
export class RecentLines {
  readonly #give: (lines: StreamLines) => void;
  #held: Held[] = [];
  /** Somebody has hidden the cursor, as those do who draw over what is there. */
  isCursorHidden = false;
  #lines = 0;
  #bytes = 0;
  /** When lines came that are too many to be held. */
  #tooManyAt = -Infinity;

  /** `give` takes what is held no more; spans are valid only during the call. */
  constructor(give: (lines: StreamLines) => void) {
    this.#give = give;
  }

  get state(): RecentState {
    const held = this.#held.map((
      { stream, at, until, frames, span: { body, lines, continued, joined } },
    ) => ({
      ...{ stream, at, until, lines, continued, joined, bytes: body.toBase64() },
      ...(frames === undefined ? {} : { frames }),
    }));
    const tooManyAt = this.#tooManyAt === -Infinity ? {} : { tooManyAt: this.#tooManyAt };
    return { held, isCursorHidden: this.isCursorHidden, ...tooManyAt };
  }

  restore({ held, isCursorHidden, tooManyAt = -Infinity }: RecentState): void {
    this.#held = held.map(({ bytes, lines, continued, joined, ...one }) => ({
      ...one,
      span: { head: NONE, body: Uint8Array.fromBase64(bytes), lines, continued, joined },
    }));
    this.#lines = held.reduce((sum, { lines }) => sum + lines, 0);
    this.#bytes = this.#held.reduce((sum, { span }) => sum + span.body.length, 0);
    this.isCursorHidden = isCursorHidden;
    this.#tooManyAt = tooManyAt;
  }

  /** Takes lines, whose span may be reused after the call. */
  add(one: StreamLines): void {
    const { span: { head, body, lines } } = one;
    const size = head.length + body.length;
    if (size > MOST_BYTES || lines > MAX_ROWS) this.#tooManyAt = one.at;
    // What is left of the same chunk is not worth a record of its own.
    if (one.at === this.#tooManyAt) {
      this.releaseAll();
      this.#give(one);
      return;
    }
    const bytes = new Uint8Array(size);
    bytes.set(head);
    bytes.set(body, head.length);
    const isSlow = this.isCursorHidden && one.frames === undefined;
    const until = one.at + (isSlow ? REVISITED_SETTLE_MS : SETTLE_MS);
    this.#held.push({ ...one, until, span: { ...one.span, head: NONE, body: bytes } });
    this.#lines += lines;
    this.#bytes += size;
    if (this.#isFull) this.#release(() => this.#isFull);
  }

  /** Lets go what has been held long enough at a time, Unix ms. */
  release(at: number): void {
    // A clock that was set back must not hold lines for longer.
    this.#release((first) => at >= first.until || first.at - at >= SETTLE_MS);
  }

  /** Lets go what nobody is expected to redraw: somebody wants to read it. */
  releaseIdle(): void {
    this.#release(isIdle);
  }

  /** Whether `releaseIdle` has something to do. */
  get hasIdle(): boolean {
    const [first] = this.#held;
    return first !== undefined && isIdle(first);
  }

  releaseAll(): void {
    this.#release(() => true);
  }

  /** When `release` has something to do. */
  get dueAt(): number | undefined {
    const [first] = this.#held;
    return first?.until;
  }

  /** What is held, oldest first, as whole lines. */
  get lines(): readonly StreamLines[] {
    return this.#held;
  }

  /**
   * Takes back the newest lines of a stream, `count` at most, oldest first; none that a terminal could not draw. Who
   * has gone up to one may go up to those above it next time, so that these are held for longer.
   */
  takeBack(stream: OutputStream, count: number): TakenLine[] {
    const taken: TakenLine[] = [];
    for (let i = this.#held.length - 1; i >= 0 && taken.length < count; i--) {
      const one = this.#held[i]!;
      if (one.stream !== stream) continue;
      const lines = lastLines(one, count - taken.length);
      for (const bytes of lines) taken.push({ bytes, at: one.at });
      this.#shorten(i, lines);
      if (this.#held[i] === one) break;
    }
    for (const one of this.#held) {
      if (one.stream === stream && one.frames === undefined) one.until = one.at + REVISITED_SETTLE_MS;
    }
    return taken.reverse();
  }

  get #isFull(): boolean {
    return this.#lines > MAX_ROWS || this.#bytes > MOST_BYTES;
  }

  #release(isDue: (first: Held) => boolean): void {
    let count = 0;
    while (count < this.#held.length && isDue(this.#held[count]!)) {
      const { span } = this.#held[count++]!;
      this.#lines -= span.lines;
      this.#bytes -= span.body.length;
    }
    if (count > 0) { for (const one of this.#held.splice(0, count)) this.#give(one); }
  }

  /** Takes lines off the end of what is held at an index. */
  #shorten(index: number, lines: readonly Uint8Array[]): void {
    if (lines.length === 0) return;
    const one = this.#held[index]!;
    const { span } = one;
    const size = lines.reduce((sum, line) => sum + line.length + 1, 0);
    this.#lines -= lines.length;
    this.#bytes -= size;
    if (lines.length === span.lines) this.#held.splice(index, 1);
    else {
      const body = span.body.subarray(0, span.body.length - size);
      one.span = { ...span, body, lines: span.lines - lines.length };
    }
  }
}

function isIdle({ until, at }: Held): boolean {
  return until - at <= SETTLE_MS;
}

/** The lines at the end that can be drawn again, newest first. */
function lastLines({ span, frames }: StreamLines, count: number): Uint8Array[] {
  if (frames !== undefined || span.joined) return [];
  const lines: Uint8Array[] = [];
  let end = span.body.length - 1;
  while (lines.length < count && lines.length < span.lines) {
    if (span.continued && lines.length === span.lines - 1) break;
    const begin = end === 0 ? 0 : span.body.lastIndexOf(NEWLINE, end - 1) + 1;
    const line = span.body.subarray(begin, end);
    if (line.length > LONGEST || !isShowable(line)) break;
    lines.push(line);
    end = begin - 1;
  }
  return lines;
}
