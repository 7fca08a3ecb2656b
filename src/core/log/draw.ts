import {
  BROKEN,
  type Control,
  controlOf,
  cursorMode,
  endOfEscape,
  ESC,
  INCOMPLETE,
  isAlternate,
  SGR,
} from "./escape.ts";
import { Effort } from "./effort.ts";
import { LineBytes } from "./line_bytes.ts";
import { MAX_ROWS } from "./margins.ts";
import { isPlainPen } from "./pen.ts";
import { Region } from "./region.ts";
import type { Row } from "./row.ts";
import { codePointAt, isShowable, lengthOf } from "./utf8.ts";
import { columnsOf } from "./width.ts";

/** A live region, and what belongs to it. */
export interface Drawing {
  region: Region;
  effort: Effort;
  line: LineBytes;
  /** The alternate screen is shown: nothing is drawn until it ends. */
  isAlternate: boolean;
  /** What was drawn last is text, which comes in pieces of any size. */
  isInText: boolean;
  /** What came last is a character, which can be repeated. */
  hasDrawn: boolean;
  /** Called before something is drawn over or erased. */
  boundary(): void;
  /** Called when the screen was reset. */
  reset(): void;
  /** Called when the cursor is shown or hidden. */
  showCursor(isShown: boolean): void;
}

/**
 * Why drawing stopped before a byte: all was drawn; what begins there may go on; it is no text, and the line can
 * still pass as it came; the row of the cursor is full; it has been too much work.
 */
export interface Stop {
  at: number;
  why: "done" | "held" | "invalid" | "full" | "tired";
}

const BACKSPACE = 8;
const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const DELETE = 0x7f;
/** The most that is drawn before it is paid for. */
const RUN = 4096;
/** The longest line that is kept as its bytes. */
const LONGEST_LINE = 32_768;

/** Draws bytes from `from` on. `isClosed`: what follows them is known to go on with nothing that they begin. */
export function drawBytes(
  drawing: Drawing,
  bytes: Uint8Array,
  { from, isClosed }: { from: number; isClosed: boolean },
): Stop {
  const { region, line, effort } = drawing;
  let start = from;
  let at = from;
  let paid = from;
  let wasInText = drawing.isInText;
  let hadDrawn = drawing.hasDrawn;
  const stop = (why: Stop["why"]): Stop => {
    // What begins here is looked at again.
    if (why === "held") {
      drawing.isInText = wasInText;
      drawing.hasDrawn = hadDrawn;
    }
    effort.earn(at - paid);
    line.add(bytes.subarray(start, at));
    return { at, why };
  };
  while (at < bytes.length) {
    effort.earn(at - paid);
    paid = at;
    if (!drawing.isInText) {
      effort.forgetSavings();
      if (effort.isOver) return stop("tired");
    }
    wasInText = drawing.isInText;
    hadDrawn = drawing.hasDrawn;
    drawing.isInText = drawing.hasDrawn = false;
    const byte = bytes[at]!;
    if (drawing.isAlternate) {
      const next = skipAlternate(drawing, bytes, at);
      drawing.isInText = byte !== ESC;
      if (next === INCOMPLETE) return stop("held");
      at = next;
      // What was dropped can't pass as it came.
      start = at;
      line.lose();
      continue;
    }
    if (byte === NEWLINE) {
      region.newline();
      start = ++at;
      line.begin(region.row);
      continue;
    }
    if (byte >= 0x20 || byte === TAB) {
      const end = region.isAtFreshRow && isPlainPen(region.pen) ? endOfPlainLine(bytes, at) : 0;
      if (end > 0) {
        region.line(bytes.slice(at, end));
        start = at = end + (bytes[end] === NEWLINE ? 1 : 2);
        line.begin(region.row);
        continue;
      }
    }
    if (byte >= 0x20 && byte < 0x7f) {
      at = region.drawAscii(bytes, { from: at, to: endOfAscii(bytes, at) });
      drawing.isInText = drawing.hasDrawn = true;
    } else if (byte === ESC) {
      const found = drawEscape(drawing, bytes, { at, from: start, hadDrawn });
      const end = found === INCOMPLETE && isClosed ? at + 1 : found;
      if (end === INCOMPLETE) return stop("held");
      if (end === BROKEN) return stop("invalid");
      at = end;
    } else if (byte >= 0x80 || byte === 0) {
      const point = byte === 0 ? BROKEN : codePointAt(bytes, at);
      if (point === INCOMPLETE) return stop("held");
      if (point === BROKEN && line.fits(at - start)) return stop("invalid");
      drawPoint(region, point);
      at += point === BROKEN ? 1 : lengthOf(point);
      drawing.isInText = drawing.hasDrawn = true;
    } else {
      if (byte === RETURN && at + 1 === bytes.length) return stop("held");
      drawControl(drawing, byte, bytes[at + 1]);
      drawing.isInText = byte === TAB || (byte === RETURN && bytes[at + 1] === NEWLINE);
      at++;
    }
    if (region.row.isFull()) return stop("full");
  }
  return stop("done");
}

/** The row of a plain line, given without its newline, that came at a time, Unix ms. */
export function rowOfLine(bytes: Uint8Array, { at, effort }: { at: number; effort: Effort }): Row {
  const region = new Region(at, { commit() {}, above: () => [] }, effort);
  const { row } = region;
  const line = new Uint8Array(bytes.length + 1);
  line.set(bytes);
  line[bytes.length] = NEWLINE;
  const drawing = {
    region,
    // It is drawn as a whole.
    effort: new Effort(),
    line: new LineBytes(row),
    isAlternate: false,
    isInText: false,
    hasDrawn: false,
    boundary() {},
    reset() {},
    showCursor() {},
  };
  drawBytes(drawing, line, { from: 0, isClosed: true });
  return row;
}

/** Where the text of a line ends that is nothing but text; 0 when it isn't, or isn't there as a whole. */
function endOfPlainLine(bytes: Uint8Array, at: number): number {
  let isAscii = true;
  let most = at + LONGEST_LINE;
  for (let i = at; i < bytes.length && i < most; i++) {
    const byte = bytes[i]!;
    if (byte >= 0x80) isAscii = false;
    else if (byte === TAB) most -= 7;
    else if (byte < 0x20) {
      const isEnd = byte === NEWLINE || (byte === RETURN && bytes[i + 1] === NEWLINE);
      if (!isEnd || !(isAscii || isShowable(bytes.subarray(at, i)))) return 0;
      return i;
    } else if (byte === DELETE) return 0;
  }
  return 0;
}

function endOfAscii(bytes: Uint8Array, at: number): number {
  const most = Math.min(bytes.length, at + RUN);
  let end = at + 1;
  while (end < most && bytes[end]! >= 0x20 && bytes[end]! < 0x7f) end++;
  return end;
}

function drawPoint(region: Region, point: number): void {
  if (point === BROKEN) return region.draw("\ufffd", { size: 3, columns: 1 });
  const char = String.fromCodePoint(point);
  const size = lengthOf(point);
  const columns = columnsOf(point);
  if (columns === 0) region.attach(char, size);
  else region.draw(char, { size, columns });
}

function drawControl(drawing: Drawing, byte: number, next: number | undefined): void {
  const { region } = drawing;
  if (byte === TAB) region.tab();
  if (byte !== RETURN && byte !== BACKSPACE) return;
  if (byte === BACKSPACE || next !== NEWLINE) drawing.boundary();
  if (byte === RETURN) region.toColumn(0);
  else region.moveColumns(-1);
}

/** Drops what belongs to the alternate screen; answers where to go on. */
function skipAlternate(drawing: Drawing, bytes: Uint8Array, at: number): number {
  const escape = bytes.indexOf(ESC, at);
  if (escape < 0) return bytes.length;
  if (escape > at) return escape;
  const end = endOfEscape(bytes, at);
  if (end === INCOMPLETE) return INCOMPLETE;
  if (end === BROKEN) return at + 1;
  const control = controlOf(bytes, { at, end });
  const isReset = end === at + 2 && bytes[at + 1] === 0x63;
  if (isReset || (control?.name === "?l" && isAlternate(control))) {
    drawing.isAlternate = false;
    drawing.region.restore();
    if (isReset) drawing.region.reset();
    drawing.reset();
  }
  return end;
}

/** Does what an escape sequence says; answers where it ends. `BROKEN`: the line is to pass as it came. */
function drawEscape(
  drawing: Drawing,
  bytes: Uint8Array,
  { at, from, hadDrawn }: { at: number; from: number; hadDrawn: boolean },
): number {
  const { region } = drawing;
  const end = endOfEscape(bytes, at);
  if (end === INCOMPLETE) return INCOMPLETE;
  // What begins like a sequence and is none: the text behind it is shown.
  if (end === BROKEN) return at + 1;
  if (bytes[at + 1] !== 0x5b) {
    if (end > at + 3 && drawing.line.fits(end - from) && !isShowable(bytes.subarray(at, end))) return BROKEN;
    if (end === at + 2) drawShort(drawing, bytes[at + 1]!);
    return end;
  }
  if (bytes[end - 1] === SGR) {
    const control = controlOf(bytes, { at, end });
    const isColour = control === undefined
      ? bytes[at + 2]! >= 0x30 && bytes[at + 2]! <= 0x3b
      : control.name === "m";
    if (isColour) region.colour(asciiText(bytes, { at, end }));
    return end;
  }
  const control = controlOf(bytes, { at, end });
  if (control?.name === "b") {
    if (hadDrawn) drawing.region.repeat(Math.max(1, control.numbers[0] ?? 0));
  } else if (control !== undefined) drawSequence(drawing, control);
  return end;
}

function asciiText(bytes: Uint8Array, { at, end }: { at: number; end: number }): string {
  let text = "";
  for (let i = at; i < end; i++) text += String.fromCharCode(bytes[i]!);
  return text;
}

function drawShort(drawing: Drawing, byte: number): void {
  const { region } = drawing;
  switch (String.fromCharCode(byte)) {
    case "7":
      return region.save();
    case "8":
      drawing.boundary();
      return region.restore();
    case "c":
      drawing.boundary();
      region.reset();
      return drawing.reset();
    case "D":
      return region.down();
    case "E":
      return region.newline();
    case "M":
      region.up();
      return drawing.boundary();
  }
}

function drawSequence(drawing: Drawing, control: Control): void {
  const { region } = drawing;
  const [first = 0, second = 0] = control.numbers;
  const count = Math.max(1, first);
  switch (control.name) {
    case "A":
      // Lines that are taken back belong to the frame.
      region.moveRows(-count);
      return drawing.boundary();
    case "B":
      return region.moveRows(count);
    case "e":
      return region.placeDown(count);
    case "C":
    case "a":
      return region.moveColumns(count);
    case "D":
      drawing.boundary();
      return region.moveColumns(-count);
    case "E":
      region.moveRows(count);
      return region.toColumn(0);
    case "F":
      region.moveRows(-count);
      drawing.boundary();
      return region.toColumn(0);
    case "G":
    case "`":
      drawing.boundary();
      return region.toColumn(count - 1);
    case "H":
    case "f":
      drawing.boundary();
      return region.moveTo(count - 1, Math.max(1, second) - 1);
    case "d":
      drawing.boundary();
      return region.moveTo(count - 1);
    case "J":
      if (first > 2) return;
      drawing.boundary();
      region.erase(first);
      if (first === 2) drawing.reset();
      return;
    case "K":
      if (first > 2) return;
      drawing.boundary();
      return region.eraseInRow(first);
    case "X":
    case "P":
    case "@":
      drawing.boundary();
      return region.changeColumns(control.name, count);
    case "L":
    case "M":
      drawing.boundary();
      return region.changeRows(control.name, count);
    case "S":
      drawing.boundary();
      return region.scrollUp(count);
    case "T":
      // With more numbers it is about the mouse.
      if (control.numbers.length > 1) return;
      drawing.boundary();
      return region.scrollDown(count);
    case "r":
      drawing.boundary();
      return region.setMargins(count - 1, (second || MAX_ROWS) - 1);
    case "s":
      return region.save();
    case "u":
      drawing.boundary();
      return region.restore();
    case "?l":
    case "?h": {
      const isShown = cursorMode(control);
      if (isShown !== undefined) drawing.showCursor(isShown);
      if (control.name === "?l" || !isAlternate(control)) return;
      drawing.boundary();
      region.save();
      drawing.isAlternate = true;
    }
  }
}
