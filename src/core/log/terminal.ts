import { FrameSampler } from "./frame_sampler.ts";
import { drawBytes, type Drawing, rowOfLine } from "./draw.ts";
import { endOfEscape, ESC, INCOMPLETE } from "./escape.ts";
import { LineBytes } from "./line_bytes.ts";
import { isPlainPen } from "./pen.ts";
import type { TakenLine } from "./held_lines.ts";
import { findRedraw } from "./redraw_scan.ts";
import { Region, SETTLE_MS } from "./region.ts";
import type { Row } from "./row.ts";
import { encodeText, isShowable } from "./utf8.ts";

const NEWLINE = 10;
const RETURN = 13;
const NONE = new Uint8Array(0);

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

/** Where a terminal's output goes. Views are valid only during the call. */
export interface TerminalSink {
  /** Bytes that go on as they came. */
  pass(bytes: Uint8Array): void;
  /** The same, as far as they surely hold no carriage return, backspace or escape; answers how many that were. */
  passPlain(bytes: Uint8Array): number;
  /** Takes back what was passed since the last line end, as a copy. */
  takeBack(): Uint8Array;
  /** Takes back the newest lines before that which nobody has seen yet, `count` at most, oldest first. */
  takeBackLines(count: number): TakenLine[];
  settle(row: SettledRow): void;
}

/** A row of a live region, as a reader would see it. */
export interface LiveRow {
  bytes: Uint8Array;
  at: number;
}

/**
 * A small terminal for one stream. Plain output passes through. Where something moves back or erases, the
 * unfinished line becomes a region of rows, and lines above it join these when the cursor goes there; they settle
 * when nothing can redraw them any more, and when all have, the output is plain again. A line that holds NUL or invalid UTF-8 passes as it came. Times are Unix ms.
 */
export class Terminal {
  /** Counts the resets of the screen. */
  epoch = 0;
  readonly #sink: TerminalSink;
  readonly #frames = new FrameSampler();
  /** What the live region consists of; undefined while output is plain. */
  #live: Drawing | undefined;
  /** The rest of the line passes as it came. */
  #isUntouched = false;
  /** The beginning of what is longer: a sequence, a character, or a carriage return. */
  #held: Uint8Array = NONE;
  #lastAt = 0;
  /** The version of regions that are gone, so that no two look the same. */
  #versions = 0;

  constructor(sink: TerminalSink) {
    this.#sink = sink;
  }

  /** Takes the next bytes. */
  push(chunk: Uint8Array, at: number): void {
    this.tick(at);
    this.#lastAt = at;
    const bytes = this.#held.length === 0 ? chunk : joined(this.#held, chunk);
    this.#held = NONE;
    for (let from = 0; from < bytes.length;) {
      from = this.#isUntouched
        ? this.#passLine(bytes, from)
        : this.#live === undefined
        ? this.#passPlain(bytes, from)
        : this.#draw(bytes, { from, live: this.#live, isClosed: false });
    }
  }

  /** Commits what has settled by a time. */
  tick(at: number): void {
    const live = this.#live;
    if (live === undefined) return;
    const { region } = live;
    if (at !== region.at) region.moveOn(at);
    for (const row of region.settled(at)) this.#settle(row);
    const isQuiet = at - this.#lastAt >= SETTLE_MS;
    if (isQuiet && !live.isAlternate && this.#held.length === 0 && region.isLikePlain) this.#endLive(live);
  }

  /** When `tick` has something to do, if nothing comes before. */
  get dueAt(): number | undefined {
    if (this.#live === undefined) return undefined;
    const { region, isAlternate } = this.#live;
    const quietAt = this.#lastAt + SETTLE_MS;
    return region.settlesAt ??
      (region.isLikePlain && !isAlternate && this.#held.length === 0 ? quietAt : undefined);
  }

  /** Commits everything; what comes then is a new beginning. */
  end(): void {
    const live = this.#live;
    const held = this.#held;
    this.#held = NONE;
    if (live === undefined) this.#sink.pass(held);
    else if (isHalfCharacter(held) && live.line.fits(held.length)) this.#leaveUntouched(live, held);
    else this.#commitAll(live);
    this.#live = undefined;
    this.#isUntouched = false;
  }

  /** What was taken but not passed yet, where output is plain: the beginning of what may be more. */
  get held(): Uint8Array {
    return this.#live === undefined ? this.#held : NONE;
  }

  /** Another number whenever there is something else to see of the region. */
  get version(): number {
    return this.#versions + (this.#live?.region.version ?? 0);
  }

  /** The rows of the live region. */
  rows(): LiveRow[] {
    return (this.#live?.region.rows ?? []).map((row) => ({ bytes: row.bytes(), at: row.changedAt }));
  }

  /** The texts of the rows of the live region. */
  texts(): string[] {
    return (this.#live?.region.rows ?? []).map((row) => row.text());
  }

  /** Passes what is plain, and begins a region where it ends. */
  #passPlain(bytes: Uint8Array, from: number): number {
    const taken = from === 0 ? this.#sink.passPlain(bytes) : 0;
    if (taken > 0) return taken;
    const at = findRedraw(bytes, from);
    if (at === bytes.length) {
      this.#sink.pass(from === 0 ? bytes : bytes.subarray(from));
      return bytes.length;
    }
    const plain = bytes.subarray(from, at);
    this.#sink.pass(plain);
    if (isUnfinished(bytes, at)) {
      this.#held = bytes.slice(at);
      return bytes.length;
    }
    const begun = this.#sink.takeBack();
    if (!isShowable(begun)) {
      this.#sink.pass(begun);
      this.#isUntouched = true;
      return at;
    }
    this.#begin(begun);
    return at;
  }

  #begin(begun: Uint8Array): void {
    const region: Region = new Region(this.#lastAt, {
      commit: (row) => this.#settle(row),
      above: (count) => this.#takeBack(count, region),
    });
    const live: Drawing = {
      region,
      line: new LineBytes(region.row),
      isAlternate: false,
      boundary: () => this.#sample(region),
      reset: () => this.epoch++,
    };
    this.#live = live;
    this.#draw(begun, { from: 0, live, isClosed: true });
  }

  /** Takes lines back, into the frame too that was kept when the cursor began its way up. */
  #takeBack(count: number, region: Region): Row[] {
    const rows = this.#sink.takeBackLines(count).map(({ bytes, at }) => rowOfLine(bytes, at));
    if (rows.length > 0) this.#frames.addAbove(rows.map((row) => row.text()), region.at);
    return rows;
  }

  #draw(bytes: Uint8Array, options: { from: number; live: Drawing; isClosed: boolean }): number {
    const { live } = options;
    const { at, why } = drawBytes(live, bytes, options);
    if (why === "held") {
      this.#held = bytes.slice(at);
      return bytes.length;
    }
    if (why === "invalid") this.#leaveUntouched(live, NONE);
    else if (why === "full") this.#overflow(live);
    return at;
  }

  /** The line that is being drawn passes as it came, after the rows above it. */
  #leaveUntouched(live: Drawing, rest: Uint8Array): void {
    const { line, region } = live;
    region.leaveOut(line.ownRow);
    this.#commitAll(live, { isEnded: true });
    this.#sink.pass(line.bytes);
    this.#sink.pass(rest);
    this.#isUntouched = true;
  }

  /** A row has become too long: the region ends, and the line goes on as a plain one. */
  #overflow(live: Drawing): void {
    const { region } = live;
    const row = region.isLastRow ? region.row : undefined;
    if (row !== undefined) region.leaveOut(row);
    this.#commitAll(live, { isEnded: true });
    if (row !== undefined) this.#sink.pass(row.bytes());
  }

  /** What is left is like any unfinished line. */
  #endLive(live: Drawing): void {
    this.#drop(live);
    const { row, pen } = live.region;
    this.#sink.pass(row.isBlank && !isPlainPen(pen) ? encodeText(pen) : row.bytes());
  }

  #commitAll(live: Drawing, { isEnded = false } = {}): void {
    const { rows } = live.region;
    rows.forEach((row, i) =>
      this.#settle(row, { isOpen: !isEnded && i === rows.length - 1 && !row.isEnded })
    );
    this.#drop(live);
  }

  #drop(live: Drawing): void {
    this.#frames.forget();
    this.#versions += live.region.version + 1;
    this.#live = undefined;
  }

  #settle(row: Row, { isOpen = false } = {}): void {
    const frames = this.#frames.handOut();
    this.#sink.settle({ bytes: row.bytes(), at: row.changedAt, frames, isOpen });
  }

  /** Keeps the frame that is about to be drawn over. */
  #sample(region: Region): void {
    if (!this.#frames.isDue(region.at)) return;
    this.#frames.take(region.rows.map((row) => row.text()), region.at);
  }

  /** Passes the rest of a line as it is. */
  #passLine(bytes: Uint8Array, from: number): number {
    const newline = bytes.indexOf(NEWLINE, from);
    const end = newline < 0 ? bytes.length : newline + 1;
    this.#sink.pass(bytes.subarray(from, end));
    if (newline >= 0) this.#isUntouched = false;
    return end;
  }
}

/** True where what is found at the end of the bytes may turn out to be nothing. */
function isUnfinished(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] === ESC) return endOfEscape(bytes, at) === INCOMPLETE;
  return bytes[at] === RETURN && at === bytes.length - 1;
}

function isHalfCharacter(held: Uint8Array): boolean {
  return (held[0] ?? 0) >= 0x80;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
