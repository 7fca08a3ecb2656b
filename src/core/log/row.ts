import { penChange } from "./pen.ts";
import { encodeText } from "./utf8.ts";

/** What moves the cursor beyond the end of a row stops at this column: nobody may fill a disk with blanks. */
export const MOVE_WIDTH = 1000;
/** The most bytes that a row takes. */
const MOST_BYTES = 65_536;
/** A row is measured again when so many bytes were drawn on it, so that this happens rarely. */
const SLACK = 16_384;
const TAB = 8;
/** One cell takes no more than so many marks and its character. */
const MOST_MARKS = 64;

const NONE: string[] = [];
const blanks = new Array<string>(MOVE_WIDTH).fill(" ");
const noPens = new Array<string>(MOVE_WIDTH).fill("");
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/**
 * A row that may still be redrawn: a cell for each character, with the colours it was drawn in. A tab is one cell
 * and empty ones up to the next stop, and becomes blanks when it is drawn over. A line that came whole is kept as
 * its bytes until something is drawn on it.
 */
export class Row {
  /** Unix ms of the last change. */
  changedAt: number;
  /** Unix ms when the cursor was last known to be on this row or above it. */
  reachedAt: number;
  /** A line feed has left this row: it is a line even when it is empty. */
  isEnded = false;
  /** Nothing was drawn here since the row came up above the region, or the screen was cleared. */
  isVirtual = false;
  /** Something was drawn over, or erased. */
  isRedrawn = false;
  #raw: Uint8Array | undefined;
  #cells: string[] = NONE;
  /** The colours of each cell. */
  #pens: string[] = NONE;
  /** The colours that are left behind at the end of the row. */
  #endPen = "";
  /** How many cells at the beginning are blanks that nobody drew: in a row that is far to the right, most. */
  #lead = 0;
  /** Bytes that were drawn since the row was last measured, and those it took then. */
  #drawn = 0;

  constructor(at: number) {
    this.changedAt = at;
    this.reachedAt = at;
  }

  /** Takes a whole line as it came, without its newline, where nothing was drawn. */
  setLine(line: Uint8Array): void {
    this.#raw = line;
    this.isVirtual = false;
  }

  /** Columns that hold something. */
  get length(): number {
    return this.#raw === undefined ? this.#cells.length : this.#drawable().length;
  }

  /** Cells, or bytes. */
  get size(): number {
    return this.#raw?.length ?? this.#cells.length;
  }

  get isBlank(): boolean {
    return this.#raw === undefined ? this.#cells.length === 0 : this.#raw.length === 0;
  }

  /** Draws a character that takes a column. */
  draw(char: string, { column, pen, size }: { column: number; pen: string; size: number }): void {
    const cells = this.#reach(column);
    if (column < this.#lead) this.#lead = column;
    this.#set(cells, column, char);
    this.#colour(column, pen);
    this.#drawn += size;
    this.#drew(pen);
  }

  /** Draws the characters of printable ASCII from `from` up to `to`. */
  drawAscii(
    bytes: Uint8Array,
    range: { from: number; to: number },
    at: { column: number; pen: string },
  ): void {
    const { pen } = at;
    const cells = this.#reach(at.column);
    if (at.column < this.#lead) this.#lead = at.column;
    const pens = this.#pens;
    let column = at.column;
    for (let i = range.from; i < range.to; i++, column++) {
      if (column < cells.length) this.#set(cells, column, ascii[bytes[i]!]!);
      else cells.push(ascii[bytes[i]!]!);
      if (pens[column] !== pen) this.#colour(column, pen);
    }
    this.#drawn += range.to - range.from;
    this.#drew(pen);
  }

  /** Adds what takes no column to the character before a column; false where there is none. */
  attach(mark: string, { column, size }: { column: number; size: number }): boolean {
    const cells = this.#reach(column);
    const cell = column === 0 ? undefined : cells[column - 1];
    if (cell === undefined || cell === "" || cell === "\t" || cell.length > MOST_MARKS) return false;
    cells[column - 1] = cell + mark;
    this.#lead = Math.min(this.#lead, column - 1);
    this.#drawn += size;
    return true;
  }

  /** Moves over a tab from `column`, which is drawn where there is nothing yet; answers the column behind it. */
  tab(column: number, pen: string): number {
    const stop = column - column % TAB + TAB;
    const cells = this.#drawable();
    if (column !== cells.length) return Math.min(stop, Math.max(cells.length, MOVE_WIDTH - 1));
    for (let i = column; i < stop; i++) {
      cells.push(i === column ? "\t" : "");
      this.#pens.push(pen);
    }
    this.#drawn += TAB;
    this.#drew(pen);
    return stop;
  }

  /** Notes colours that are set while the cursor is on this row. */
  setPen(pen: string): void {
    if (this.#raw === undefined) this.#endPen = pen;
  }

  /** Erases from a column to the end. */
  eraseFrom(column: number): void {
    const cells = this.#drawable();
    if (column >= cells.length) return;
    this.#expandTab(cells, column);
    this.#lead = Math.min(this.#lead, column);
    cells.length = column;
    this.#pens.length = column;
    this.isRedrawn = true;
  }

  /** Erases from the beginning through a column. */
  eraseThrough(column: number): void {
    const cells = this.#drawable();
    if (column + 1 >= cells.length) return this.eraseFrom(0);
    this.#expandTab(cells, column + 1);
    for (let i = 0; i <= column; i++) {
      cells[i] = " ";
      this.#pens[i] = "";
    }
    this.isRedrawn = true;
  }

  /** True when the row takes more than it may: measured only now and then. */
  isFull(): boolean {
    if (this.#drawn < MOST_BYTES - SLACK) return false;
    this.#drawn = utf8Length(this.text());
    if (this.#drawn >= MOST_BYTES - SLACK) return true;
    this.#drawn = Math.max(this.#drawn - SLACK, 0);
    return false;
  }

  /** The text with its colours. */
  text(): string {
    if (this.#raw !== undefined) {
      const text = decoder.decode(this.#raw);
      return text.endsWith("\r") ? text.slice(0, -1) : text;
    }
    const cells = this.#cells;
    const pens = this.#pens;
    let text = "";
    let pen = "";
    let from = this.#lead;
    if (from > 0) text = " ".repeat(from);
    for (let i = from; i < cells.length; i++) {
      const next = pens[i]!;
      if (next === pen) continue;
      text += cells.slice(from, i).join("") + penChange(pen, next);
      pen = next;
      from = i;
    }
    text += from === 0 ? cells.join("") : cells.slice(from).join("");
    return cells.length === 0 ? "" : text + penChange(pen, this.#endPen);
  }

  /** The row's bytes, those that came where nothing was drawn on them; without the newline. */
  bytes(): Uint8Array {
    return this.#raw ?? encodeText(this.text());
  }

  #drew(pen: string): void {
    this.#endPen = pen;
    this.isVirtual = false;
  }

  /** Sets a cell that is there, or the next. */
  #set(cells: string[], column: number, char: string): void {
    if (column < cells.length) {
      this.isRedrawn = true;
      const old = cells[column];
      if (old === "" || old === "\t") this.#expandTab(cells, column);
    }
    cells[column] = char;
  }

  #colour(column: number, pen: string): void {
    const pens = this.#pens;
    // No more than what the change costs to this cell and, where there is a cell behind it, back again.
    const before = column > 0 ? pens[column - 1]! : "";
    if (before !== pen) this.#drawn += pen.length + 4;
    const after = pens[column + 1];
    if (after !== undefined && after !== pen) this.#drawn += after.length + 4;
    pens[column] = pen;
  }

  /** The cells, with blanks up to a column where there is nothing. */
  #reach(column: number): string[] {
    const cells = this.#drawable();
    if (column <= cells.length) return cells;
    this.#drawn += column - cells.length;
    this.#drawn += 4;
    if (cells.length === this.#lead) this.#lead = column;
    const more = column - cells.length;
    this.#cells = cells.length === 0 ? blanks.slice(0, more) : cells.concat(blanks.slice(0, more));
    this.#pens = cells.length === 0 ? noPens.slice(0, more) : this.#pens.concat(noPens.slice(0, more));
    return this.#cells;
  }

  /** A tab of which a part is drawn over or erased becomes blanks. */
  #expandTab(cells: string[], column: number): void {
    let start = column;
    while (start > 0 && cells[start] === "") start--;
    if (cells[start] !== "\t") return;
    cells[start] = " ";
    for (let i = start + 1; i < cells.length && cells[i] === ""; i++) cells[i] = " ";
  }

  /** The cells, to be drawn on. */
  #drawable(): string[] {
    if (this.#cells === NONE) {
      this.#cells = [];
      this.#pens = [];
    }
    if (this.#raw === undefined) return this.#cells;
    const text = this.text();
    this.#drawn = this.#raw.length;
    this.#raw = undefined;
    let column = 0;
    for (const char of text) {
      if (char === "\t") column = this.tab(column, "");
      else if (!isMark(char) || !this.attach(char, { column, size: 0 })) {
        this.#cells.push(char);
        this.#pens.push("");
        column++;
      }
    }
    return this.#cells;
  }
}

/** True for what takes no column of its own: accents, joiners, variants. */
export function isMark(char: string): boolean {
  return char > "\u02ff" && marks.test(char);
}

const marks = /^[\p{Mn}\p{Me}\u200b-\u200f\ufe00-\ufe0f]$/u;

function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // Half of a pair counts two, which makes four of both.
    if (code >= 0x80) length += code >= 0x800 && (code & 0xf800) !== 0xd800 ? 2 : 1;
  }
  return length;
}
