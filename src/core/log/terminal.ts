import { concat } from "../bytes.ts";
import { FrameSampler, type FramesState } from "./frame_sampler.ts";
import { drawBytes, type Drawing, rowOfLine } from "./draw.ts";
import { Effort, type EffortState } from "./effort.ts";
import { endOfEscape, ESC, INCOMPLETE } from "./escape.ts";
import { LineBytes, type LineState } from "./line_bytes.ts";
import { isPlainPen, NO_PEN, Palette, penChange, RESET } from "./pen.ts";
import { cursorModeAt, findRedraw } from "./redraw_scan.ts";
import { Region } from "./region.ts";
import { type RegionState, SETTLE_MS } from "./region_rows.ts";
import { FULL, Row } from "./row.ts";
import type { StreamTail } from "./stream_tail.ts";
import { encodeText, isShowable } from "./utf8.ts";

const NEWLINE = 10;
const RETURN = 13;
const NONE = new Uint8Array(0);
/** What is drawn may take its time: no more bytes of it are taken at once. Code that is cold takes many times as long. */
export const mostDrawn = 1024;
/** As many bytes count where plain output ends. */
const CHANGE_COUNTS = 64;
/** What it costs to begin a region, to settle a row, and to pass a line by itself: see `Effort`. */
const REGION_COST = 60;
const SETTLE_COST = 100;
const LINE_COST = 100;

const tooMuch = "redraws cost more than output may: some of it is stored as it came";

/** A row of a live region, as a reader would see it. */
export interface LiveRow {
  bytes: Uint8Array;
  at: number;
}

/** All that it goes on from, for a journal. */
export interface TerminalState {
  epoch: number;
  wasTold: string[];
  frames: FramesState;
  effort: EffortState;
  live?: { region: RegionState; line: LineState; isAlternate: boolean; isInText: boolean; hasDrawn: boolean };
  isUntouched: boolean;
  isTired: boolean;
  isBroken: boolean;
  isCursorHidden: boolean;
  /** As base64. */
  held: string;
  lastAt: number;
  versions: number;
  /** By its number among the pens. */
  left: number;
  pens: Palette["pens"];
}

/**
 * A small terminal for one stream, which draws on its tail. Plain output passes through. Where something moves back or erases, the
 * unfinished line becomes a region of rows, and lines above it join these when the cursor goes there; they settle
 * when nothing can redraw them any more, and when all have, the output is plain again. A line that holds NUL or invalid UTF-8 passes as it came. Times are Unix ms.
 */
export class Terminal {
  /** Counts the resets of the screen. */
  epoch = 0;
  /** What whoever reads the output should know, once each, until somebody takes it. */
  readonly told: string[] = [];
  readonly #tail: StreamTail;
  readonly #frames = new FrameSampler();
  readonly #effort = new Effort();
  readonly #wasTold = new Set<string>();
  /** What the live region consists of; undefined while output is plain. */
  #live: Drawing | undefined;
  /** The rest of the line passes as it came. */
  #isUntouched = false;
  /** Drawing has been too much work: whole lines pass as they came, until it is rested. */
  #isTired = false;
  /** Something went wrong here: all passes as it came. */
  #isBroken = false;
  /** The beginning of what is longer: a sequence, a character, or a carriage return. */
  #held: Uint8Array = NONE;
  #lastAt = 0;
  /** How many bytes of what is being pushed are done with. */
  #taken = 0;
  /** The version of regions that are gone, so that no two look the same. */
  #versions = 0;
  /** The colours that the newest line has left on, of which what comes next knows nothing. */
  #left = NO_PEN;
  #isCursorHidden = false;

  constructor(tail: StreamTail) {
    this.#tail = tail;
  }

  get state(): TerminalState {
    const palette = new Palette();
    const live = this.#live;
    return {
      epoch: this.epoch,
      wasTold: [...this.#wasTold],
      frames: this.#frames.state,
      effort: this.#effort.state,
      ...(live === undefined ? {} : {
        live: {
          region: live.region.state(palette),
          line: live.line.state((row) => live.region.indexOf(row)),
          isAlternate: live.isAlternate,
          isInText: live.isInText,
          hasDrawn: live.hasDrawn,
        },
      }),
      isUntouched: this.#isUntouched,
      isTired: this.#isTired,
      isBroken: this.#isBroken,
      isCursorHidden: this.#isCursorHidden,
      held: this.#held.toBase64(),
      lastAt: this.#lastAt,
      versions: this.#versions,
      left: palette.add(this.#left),
      pens: palette.pens,
    };
  }

  restore(state: TerminalState): void {
    const pen = Palette.reader(state.pens);
    this.epoch = state.epoch;
    for (const text of state.wasTold) this.#wasTold.add(text);
    this.#frames.restore(state.frames);
    this.#effort.restore(state.effort);
    this.#isUntouched = state.isUntouched;
    this.#isTired = state.isTired;
    this.#isBroken = state.isBroken;
    this.#isCursorHidden = state.isCursorHidden;
    this.#held = Uint8Array.fromBase64(state.held);
    this.#lastAt = state.lastAt;
    this.#versions = state.versions;
    this.#left = pen(state.left);
    if (state.live === undefined) return;
    const { region, line, ...rest } = state.live;
    const live = Object.assign(this.#drawing(region.at), rest);
    live.region.resume(region, pen);
    live.line = new LineBytes(live.region.rowAt(line.row) ?? new Row(region.at, this.#effort));
    live.line.restore(line);
    this.#live = live;
  }

  /** Something is being redrawn. */
  get isLive(): boolean {
    return this.#live !== undefined;
  }

  /**
   * Takes the next bytes, all that are plain or about `mostDrawn` that are not, and answers how many that were: at
   * least one, where there is any. Should it fail to draw them, all pass as they came, and so does all that follows.
   */
  push(chunk: Uint8Array, at: number): number {
    this.#tail.at = at;
    if (this.#isBroken) {
      this.#tail.pass(chunk);
      return chunk.length;
    }
    this.tick(at);
    this.#lastAt = at;
    const held = this.#held;
    // Where something is held, no more is put behind it than is taken at once: all of the chunk would be copied.
    const part = held.length === 0 ? chunk : chunk.subarray(0, mostDrawn);
    const bytes = concat([held, part]);
    const before = held.length;
    this.#held = NONE;
    this.#taken = 0;
    try {
      for (let drawn = 0; this.#taken < bytes.length && (drawn < mostDrawn || this.#taken <= before);) {
        drawn += this.#step(bytes, { from: this.#taken, before });
      }
      return this.#taken - before;
    } catch {
      this.#breakDown(bytes.subarray(this.#taken));
      return part.length;
    }
  }

  /** Commits what has settled by a time. */
  tick(at: number): void {
    this.#effort.recover(at);
    if (this.#isTired && this.#effort.isRested) this.#isTired = false;
    const live = this.#live;
    if (live === undefined) return;
    const { region } = live;
    // Not in the midst of what came at one time: it must not count in how many pieces that was.
    if (at !== region.at) { for (const row of region.settled(at)) this.#settle(row); }
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
    if (live === undefined) this.#tail.pass(held);
    else if (isHalfCharacter(held) && live.line.fits(held.length)) this.#leaveUntouched(live, held);
    else this.#commitAll(live);
    this.#live = undefined;
    this.#isUntouched = false;
    this.#left = NO_PEN;
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
    if (this.#left !== NO_PEN) this.#endColours();
    const taken = from === 0 ? this.#tail.passPlain(bytes) : 0;
    if (taken > 0) return taken;
    const at = findRedraw(bytes, { from, isCursorHidden: this.#isCursorHidden });
    if (at === bytes.length) {
      this.#tail.pass(from === 0 ? bytes : bytes.subarray(from));
      return bytes.length;
    }
    if (cursorModeAt(bytes, at) === this.#isCursorHidden) {
      const end = endOfEscape(bytes, at);
      this.#tail.pass(bytes.subarray(from, end));
      this.#showCursor(this.#isCursorHidden);
      return end;
    }
    this.#tail.pass(bytes.subarray(from, at));
    if (isUnfinished(bytes, at)) {
      this.#held = bytes.slice(at);
      return bytes.length;
    }
    const begun = this.#tail.takeBackLine();
    if (begun !== undefined && begun.length < FULL && isShowable(begun)) {
      this.#begin(begun);
    } else {
      this.#effort.spend((begun?.length ?? 0) / 16);
      this.#tail.pass(begun ?? NONE);
      this.#isUntouched = true;
    }
    return at;
  }

  /** Takes some of the bytes from a place on, and answers what that counts. What was held before comes with what is new. */
  #step(bytes: Uint8Array, { from, before }: { from: number; before: number }): number {
    const isPlain = this.#isPlain;
    this.#taken = isPlain
      ? this.#passPlain(bytes, from)
      : this.#passDrawn(bytes.subarray(0, Math.max(from, before) + mostDrawn), from);
    // Else there would be no end. Where a region begins, the next step is to take it.
    const hasBegun = isPlain && !this.#isPlain;
    if (!(this.#taken > from) && !hasBegun) throw new RangeError("a step of the terminal took no byte");
    return isPlain ? CHANGE_COUNTS : this.#taken - from;
  }

  get #isPlain(): boolean {
    return this.#live === undefined && !this.#isUntouched && !this.#isTired;
  }

  #passDrawn(bytes: Uint8Array, from: number): number {
    const live = this.#live;
    if (live === undefined || this.#isUntouched || this.#isTired) return this.#passLine(bytes, from);
    const drawn = this.#draw(bytes, { from, live, isClosed: false });
    return drawn < bytes.length && this.#isUntouched ? this.#passLine(bytes, drawn) : drawn;
  }

  /** A region that begins with what has been passed of its line. */
  #begin(begun: Uint8Array): void {
    this.#effort.spend(REGION_COST);
    const live = this.#drawing(this.#lastAt);
    this.#live = live;
    const at = this.#draw(begun, { from: 0, live, isClosed: true });
    if (at < begun.length) this.#tail.pass(begun.subarray(at));
  }

  /** An empty region that begins at a time, and what belongs to it. */
  #drawing(at: number): Drawing {
    const effort = this.#effort;
    const region: Region = new Region(at, {
      commit: (row) => this.#settle(row),
      above: (count) => this.#takeBack(count, region),
    }, effort);
    return {
      region,
      effort,
      line: new LineBytes(region.row),
      isAlternate: false,
      isInText: false,
      hasDrawn: false,
      boundary: () => this.#sample(region),
      reset: () => this.epoch++,
      showCursor: (isShown) => this.#showCursor(isShown),
    };
  }

  /** Takes lines back, into the frame too that was kept when the cursor began its way up. */
  #takeBack(count: number, region: Region): Row[] {
    const rows = this.#tail.takeBackLines(count)
      .map(({ bytes, at }) => rowOfLine(bytes, { at, effort: this.#effort }));
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
    else if (why === "tired") this.#tire(live);
    return at;
  }

  /** It has been too much work: from here on output passes as it came. */
  #tire(live: Drawing): void {
    this.#isTired = true;
    this.#tell(tooMuch);
    this.#overflow(live);
  }

  /** What should never happen: the rest passes as it came. */
  #breakDown(rest: Uint8Array): void {
    this.#isBroken = true;
    this.#tell("redraws could not be followed: from here on output is stored as it came");
    const live = this.#live;
    this.#live = undefined;
    this.#held = NONE;
    try {
      if (live !== undefined) this.#commitAll(live, { isEnded: true });
    } catch {
      // What can't be read is lost; the output goes on.
    }
    this.#tail.pass(rest);
  }

  #tell(text: string): void {
    if (this.#wasTold.has(text)) return;
    this.#wasTold.add(text);
    this.told.push(text);
  }

  /** The line that is being drawn passes as it came, after the rows above it. */
  #leaveUntouched(live: Drawing, rest: Uint8Array): void {
    const { line, region } = live;
    region.leaveOut(line.ownRow);
    this.#commitAll(live, { isEnded: true });
    this.#tail.pass(line.bytes);
    this.#tail.pass(rest);
    this.#isUntouched = true;
  }

  /** A row has become too long: the region ends, and the rest of the line passes as it comes. */
  #overflow(live: Drawing): void {
    const { region } = live;
    this.#isUntouched = true;
    const row = region.isLastRow ? region.row : undefined;
    if (row !== undefined) region.leaveOut(row);
    this.#commitAll(live, { isEnded: true });
    if (row !== undefined) this.#tail.pass(row.bytes());
  }

  /** What is left is like any unfinished line. */
  #endLive(live: Drawing): void {
    this.#drop(live);
    const { row, pen } = live.region;
    if (!row.isBlank) {
      this.#tail.pass(this.#behindOthers(row));
      this.#tail.pass(encodeText(penChange(row.lastPen, pen)));
    } else if (isPlainPen(pen)) return;
    else this.#tail.pass(encodeText(penChange(this.#left, pen)));
    this.#left = NO_PEN;
  }

  /** The bytes of a row, without the colours that the one above has left on. */
  #behindOthers(row: Row): Uint8Array {
    const bytes = row.bytes();
    const { firstPen } = row;
    if (firstPen === undefined) return bytes;
    const left = this.#left;
    this.#left = isPlainPen(row.lastPen) ? NO_PEN : row.lastPen;
    const isClean = left === NO_PEN || left === firstPen || (firstPen.isReset && !isPlainPen(firstPen));
    return isClean ? bytes : concat([encodeText(RESET.sequence), bytes]);
  }

  /** What comes now is plain, and so are its colours. */
  #endColours(): void {
    this.#left = NO_PEN;
    this.#tail.pass(encodeText(RESET.sequence));
  }

  #showCursor(isShown: boolean): void {
    this.#isCursorHidden = !isShown;
    this.#tail.showCursor(isShown);
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
    const bytes = this.#behindOthers(row);
    this.#effort.spend(SETTLE_COST + bytes.length / 8);
    this.#tail.settle({ bytes, at: row.changedAt, frames, isOpen });
  }

  /** Keeps the frame that is about to be drawn over. */
  #sample(region: Region): void {
    if (!this.#frames.isDue(region.at)) return;
    const { rows } = region;
    // What it costs must not depend on who has looked at them before.
    this.#effort.spend(rows.reduce((sum, row) => sum + 2 + row.size / 4, 0));
    this.#frames.add(rows.map((row) => row.text()), region.at);
  }

  /** Passes the rest of a line as it is, or all there is. */
  #passLine(bytes: Uint8Array, from: number): number {
    const newline = this.#isTired ? bytes.lastIndexOf(NEWLINE) : bytes.indexOf(NEWLINE, from);
    const end = newline < 0 || this.#isTired ? bytes.length : newline + 1;
    this.#tail.pass(bytes.subarray(from, end));
    if (!this.#isTired && newline >= 0) {
      this.#effort.spend(LINE_COST);
      this.#effort.forgetSavings();
    }
    this.#isUntouched = newline < from || newline + 1 < end;
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
