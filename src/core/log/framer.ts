import { countNewlines, countPlainLines } from "./count.ts";

/** The longest piece of a line, in bytes without its newline (docs/behaviour.md#logs: a longer line is split). */
export const MAX_LINE = 65_536;
/** The most bytes that one index record covers: the longest line and its newline. */
export const MAX_SPAN = MAX_LINE + 1;

const NEWLINE = 10;
const NONE = new Uint8Array(0);
/** A kept buffer above this is given back once it is empty, so that idle streams cost next to nothing. */
const KEEP = 1024;

/**
 * Whole lines of one stream, ready to be stored: the bytes of `head`, then those of `body`. Both are views
 * that are valid only until the framer is called again.
 */
export interface Span {
  /** What was kept of earlier chunks; often empty. */
  head: Uint8Array;
  /** A view of the chunk itself. */
  body: Uint8Array;
  lines: number;
  /** The first line goes on from the piece before it. */
  continued: boolean;
  /** The last line has no newline of its own: one must be added, and is not the process's. */
  joined: boolean;
}

/** The limits of a framer, in bytes: the longest piece of a line, and the largest span of several lines. */
export interface FrameLimits {
  line: number;
  span: number;
}

/**
 * Cuts the chunks of one stream into spans of whole lines. A line longer than `line` bytes comes in pieces,
 * cut between characters; an unfinished line is kept (at most `line` + 1 bytes) until it is complete.
 */
export class LineFramer {
  readonly #limits: FrameLimits;
  #kept: Uint8Array = NONE;
  #length = 0;
  #continued = false;

  constructor({ line, span }: FrameLimits = { line: MAX_LINE, span: MAX_SPAN }) {
    // No span without a line end may hide a line that is too long.
    this.#limits = { line, span: Math.min(span, line + 1) };
  }

  /** The unfinished line: a view, valid until the next call. */
  get partial(): Uint8Array {
    return this.#kept.subarray(0, this.#length);
  }

  /** True when the unfinished line goes on from a piece that was already given out. */
  get continued(): boolean {
    return this.#continued;
  }

  /** The unfinished line, for a journal: as base64. */
  get state(): { kept: string; continued: boolean } {
    return { kept: this.partial.toBase64(), continued: this.#continued };
  }

  restore({ kept, continued }: { kept: string; continued: boolean }): void {
    this.#kept = Uint8Array.fromBase64(kept);
    this.#length = this.#kept.length;
    this.#continued = continued;
  }

  /** Takes the next chunk and hands each span to `emit`, in order. */
  push(chunk: Uint8Array, emit: (span: Span) => void): void {
    let at = 0;
    while (at < chunk.length) {
      const end = this.#endOfSpan(chunk, at);
      if (end > at) {
        const body = chunk.subarray(at, end);
        this.#give(body, { lines: countNewlines(body), emit });
        at = end;
        continue;
      }
      at += this.#keep(chunk, at);
      if (this.#length > this.#limits.line) this.#cut(emit);
    }
  }

  /**
   * Takes a chunk like `push` does, as far as it surely holds no carriage return, backspace or escape, and answers
   * how many bytes that were. The lines are counted anyway: this costs no more.
   */
  pushPlain(chunk: Uint8Array, emit: (span: Span) => void): number {
    let at = 0;
    while (at < chunk.length) {
      const end = this.#endOfSpan(chunk, at);
      const isSpan = end > at;
      const body = chunk.subarray(at, isSpan ? end : at + this.#limits.line + 1 - this.#length);
      const lines = countPlainLines(body);
      if (lines < 0) return at;
      if (isSpan) this.#give(body, { lines, emit });
      at += isSpan ? body.length : this.#keep(chunk, at);
      if (this.#length > this.#limits.line) this.#cut(emit);
    }
    return at;
  }

  /** Takes back the unfinished line, as a copy; what comes next takes its place. */
  takeBack(): Uint8Array {
    const bytes = this.partial.slice();
    this.#length = 0;
    return bytes;
  }

  /** Ends the stream: an unfinished line becomes a joined one. */
  end(emit: (span: Span) => void): void {
    if (this.#length > 0) {
      emit({ head: this.partial, body: NONE, lines: 1, continued: this.#continued, joined: true });
    }
    this.#kept = NONE;
    this.#length = 0;
    this.#continued = false;
  }

  /** Where the next span ends, or `at` when no line ends within the limits. */
  #endOfSpan(chunk: Uint8Array, at: number): number {
    const window = chunk.subarray(at, Math.max(at, at + this.#limits.span - this.#length));
    const last = window.lastIndexOf(NEWLINE);
    if (last >= 0) return at + last + 1;
    const longest = at + this.#limits.line + 1 - this.#length;
    if (at + window.length >= Math.min(chunk.length, longest)) return at;
    const first = chunk.subarray(at, longest).indexOf(NEWLINE);
    return first < 0 ? at : at + first + 1;
  }

  #give(body: Uint8Array, { lines, emit }: { lines: number; emit: (span: Span) => void }): void {
    emit({ head: this.partial, body, lines, continued: this.#continued, joined: false });
    this.#length = 0;
    this.#continued = false;
    if (this.#kept.length > KEEP) this.#kept = NONE;
  }

  /** Keeps what there is room for, one byte more than the longest line, and says how many bytes it took. */
  #keep(chunk: Uint8Array, at: number): number {
    const taken = Math.min(chunk.length - at, this.#limits.line + 1 - this.#length);
    const needed = this.#length + taken;
    if (needed > this.#kept.length) {
      const grown = new Uint8Array(
        Math.min(this.#limits.line + 1, Math.max(64, needed, 2 * this.#kept.length)),
      );
      grown.set(this.partial);
      this.#kept = grown;
    }
    this.#kept.set(chunk.subarray(at, at + taken), this.#length);
    this.#length = needed;
    return taken;
  }

  /** Gives out a full piece; the byte after it says whether the cut would fall inside a character. */
  #cut(emit: (span: Span) => void): void {
    const cut = charBoundary(this.partial, this.#limits.line);
    const head = this.#kept.subarray(0, cut);
    emit({ head, body: NONE, lines: 1, continued: this.#continued, joined: true });
    this.#kept.copyWithin(0, cut, this.#length);
    this.#length -= cut;
    this.#continued = true;
  }
}

/** The last place at or before `at` where UTF-8 text may be cut; `at` itself in what isn't UTF-8. */
function charBoundary(bytes: Uint8Array, at: number): number {
  for (let back = 0; back <= 3 && at - back > 0; back++) {
    const byte = bytes[at - back] ?? 0;
    if (byte < 0x80) return at;
    if (byte >= 0xc0) return at - back;
  }
  return at;
}
