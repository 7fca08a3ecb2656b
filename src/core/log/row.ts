import type { Effort } from "./effort.ts";
import { mostPenChange, NO_PEN, type Pen, penChange, penChangeLength } from "./pen.ts";
import { cutBefore, expandTabs } from "./cells.ts";
import { encodeText, utf8Length } from "./utf8.ts";
import { columnsOf } from "./width.ts";

/** What moves the cursor beyond the end of a row stops at this column: nobody may fill a disk with blanks. */
export const MOVE_WIDTH = 1000;
/** The most bytes that a row takes. */
const MOST_BYTES = 65_536;
/** A row is measured again when so many bytes were drawn on it, so that this happens rarely. */
const SLACK = 16_384;
/** From so many bytes on a row can't be redrawn any more. */
export const FULL = MOST_BYTES - SLACK;
const TAB = 8;
/** One cell takes no more than so many marks and its character. */
const MOST_MARKS = 64;

const NONE: string[] = [];
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/**
 * A row that may still be redrawn: a cell for each column, with the colours it was drawn in. A tab is one cell and
 * empty ones up to the next stop, a wide character one and an empty one; either becomes blanks when a part of it is
 * drawn over. A line that came whole is kept as its bytes until something is drawn on it.
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
  /** The cursor has come back up over this row, or to it. */
  isRevisited = false;
  #raw: Uint8Array | undefined;
  /** How many columns at the beginning are blanks that nobody drew: they have no cells. */
  #lead = 0;
  /** There are, or were, tabs or wide characters. */
  #hasWide = false;
  #cells: string[] = NONE;
  /** The colours of each cell. */
  #pens: Pen[] = [];
  /** The colours that are left behind at the end of the row. */
  #endPen = NO_PEN;
  /** Bytes that were drawn since the row was last measured, and those it took then. */
  #drawn = 0;
  /** What `text` has answered, until something changes. */
  #text: string | undefined;
  readonly #effort: Effort;

  /** `at`: Unix ms. */
  constructor(at: number, effort: Effort) {
    this.changedAt = at;
    this.reachedAt = at;
    this.#effort = effort;
  }

  /** Takes a whole line as it came, without its newline, where nothing was drawn; `pen` is a plain one. */
  setLine(line: Uint8Array, pen: Pen): void {
    this.#raw = line;
    this.#endPen = pen;
    this.#text = undefined;
    this.isVirtual = false;
    // Of all else a column is no byte.
    if (!line.every((byte) => byte >= 0x20 && byte < 0x7f)) this.#drawable();
  }

  /** Columns that hold something. */
  get length(): number {
    if (this.#raw !== undefined) this.#drawable();
    return this.#lead + this.#cells.length;
  }

  /** Cells, or bytes. */
  get size(): number {
    return this.#raw?.length ?? this.#lead + this.#cells.length;
  }

  get isBlank(): boolean {
    return this.size === 0;
  }

  /** Draws a character that takes one or two columns. */
  draw(
    char: string,
    { column, pen, size, columns }: { column: number; pen: Pen; size: number; columns: 1 | 2 },
  ): void {
    const index = this.#reach(column);
    this.#set(index, char);
    this.#colour(index, pen);
    if (columns === 2) {
      this.#hasWide = true;
      this.#set(index + 1, "");
      this.#colour(index + 1, pen);
    }
    this.#drawn += size;
    this.#drew(pen);
  }

  /** Draws the characters of printable ASCII from `from` up to `to`, or until the row may be full; answers how far. */
  drawAscii(
    bytes: Uint8Array,
    range: { from: number; to: number },
    at: { column: number; pen: Pen },
  ): number {
    const { pen } = at;
    let index = this.#reach(at.column);
    const cells = this.#cells;
    const pens = this.#pens;
    let i = range.from;
    do {
      if (index < cells.length) this.#set(index, ascii[bytes[i]!]!);
      else cells.push(ascii[bytes[i]!]!);
      if (pens[index] !== pen) this.#colour(index, pen);
      this.#drawn++;
      index++;
      i++;
    } while (i < range.to && this.#drawn < FULL);
    this.#drew(pen);
    return i;
  }

  /** Adds what takes no column to the character before a column; false where there is none. */
  attach(mark: string, { column, size }: { column: number; size: number }): boolean {
    this.#reach(column);
    if (column > 0 && column <= this.#lead) this.#unlead();
    let index = column - 1 - this.#lead;
    if (this.#cells[index] === "" && this.#cells[index - 1] !== "") index--;
    const cell = this.#cells[index];
    if (cell === undefined || cell === "" || cell === "\t" || cell.length > MOST_MARKS) return false;
    this.#cells[index] = cell + mark;
    this.#drawn += size;
    this.#text = undefined;
    return true;
  }

  /** Moves over a tab from `column`, which is drawn where there is nothing yet; answers the column behind it. */
  tab(column: number, pen: Pen): number {
    const stop = column - column % TAB + TAB;
    const cells = this.#drawable();
    const { length } = this;
    if (column !== length) return Math.min(stop, Math.max(length, MOVE_WIDTH - 1));
    this.#hasWide = true;
    for (let i = column; i < stop; i++) {
      cells.push(i === column ? "\t" : "");
      this.#pens.push(pen);
    }
    this.#drawn += TAB;
    this.#drew(pen);
    return stop;
  }

  /** Notes colours that are set while the cursor is on this row. */
  setPen(pen: Pen): void {
    if (this.#raw !== undefined || this.#endPen === pen) return;
    this.#endPen = pen;
    this.#text = undefined;
  }

  /** Erases from a column to the end. */
  eraseFrom(column: number): void {
    const cells = this.#drawable();
    if (column >= this.length) return;
    const index = Math.max(0, column - this.#lead);
    cutBefore(cells, index);
    this.#lead = Math.min(this.#lead, column);
    cells.length = index;
    this.#pens.length = index;
    this.#text = undefined;
    this.isRedrawn = true;
  }

  /** Erases from the beginning through a column. */
  eraseThrough(column: number): void {
    const cells = this.#drawable();
    if (column + 1 >= this.length) return this.eraseFrom(0);
    const count = column + 1 - this.#lead;
    if (count > 0) {
      cutBefore(cells, count);
      cells.splice(0, count);
      this.#pens.splice(0, count);
      this.#lead = column + 1;
      this.#effort.spend(cells.length / 16);
      this.#text = undefined;
    }
    this.isRedrawn = true;
  }

  /** Makes `count` columns from a column on blank. */
  eraseColumns(column: number, count: number): void {
    if (column + count >= this.length) return this.eraseFrom(column);
    if (column < this.#lead && column + count > this.#lead) this.#unlead();
    this.isRedrawn = true;
    if (column < this.#lead) return;
    const cells = this.#cells;
    const from = column - this.#lead;
    const to = from + count;
    cutBefore(cells, from);
    cutBefore(cells, to);
    cells.fill(" ", from, to);
    this.#pens.fill(NO_PEN, from, to);
    this.#met(from);
    this.#met(to);
    this.#effort.spend(count / 16);
    this.#text = undefined;
  }

  /** Takes `count` columns out at a column: what is behind them moves there. */
  deleteColumns(column: number, count: number): void {
    if (column + count >= this.length) return this.eraseFrom(column);
    const index = this.#movable(column);
    cutBefore(this.#cells, index + count);
    this.#cells.splice(index, count);
    this.#pens.splice(index, count);
    this.#met(index);
  }

  /** Puts `count` blanks in at a column; what moves behind the column where moves end is gone. */
  insertColumns(column: number, count: number): void {
    const { length } = this;
    if (column >= Math.min(length, MOVE_WIDTH)) return;
    const index = this.#movable(column);
    const blanks = Math.min(count, MOVE_WIDTH - column);
    this.#cells.splice(index, 0, ...new Array<string>(blanks).fill(" "));
    this.#pens.splice(index, 0, ...new Array<Pen>(blanks).fill(NO_PEN));
    this.#drawn += blanks;
    this.#met(index);
    this.#met(index + blanks);
    this.eraseFrom(Math.max(MOVE_WIDTH, length));
  }

  /** What stands right before a column, and how many columns it takes; nothing where nothing was drawn. */
  before(column: number): { char: string; columns: 1 | 2 } | undefined {
    const cells = this.#drawable();
    const index = column - 1 - this.#lead;
    const cell = cells[index];
    if (cell === undefined) return undefined;
    return cell === "" ? { char: cells[index - 1] ?? "", columns: 2 } : { char: cell, columns: 1 };
  }

  /** The colours that the row begins with where they go on from others; undefined for no text. */
  get firstPen(): Pen | undefined {
    if (this.#raw !== undefined) return NO_PEN;
    if (this.length === 0) return undefined;
    return this.#lead > 0 ? NO_PEN : this.#pens[0];
  }

  /** The colours that are left on at the end. */
  get lastPen(): Pen {
    return this.#raw === undefined ? this.#endPen : NO_PEN;
  }

  /** True when the row takes more than it may: measured only now and then. */
  isFull(): boolean {
    if (this.#drawn < FULL) return false;
    this.#drawn = this.#measured();
    if (this.#drawn >= FULL) return true;
    this.#drawn = Math.max(this.#drawn - SLACK, 0);
    return false;
  }

  /** The text with its colours. */
  text(): string {
    return this.#text ??= this.#raw === undefined ? this.#written() : this.#decoded(this.#raw);
  }

  /** The row's bytes, those that came where nothing was drawn on them; without the newline. */
  bytes(): Uint8Array {
    return this.#raw ?? encodeText(this.text());
  }

  #decoded(raw: Uint8Array): string {
    const text = decoder.decode(raw);
    return text.endsWith("\r") ? text.slice(0, -1) : text;
  }

  #written(): string {
    const cells = this.#cells;
    const pens = this.#pens;
    if (this.#lead + cells.length === 0) return "";
    let text = this.#lead > 0 ? " ".repeat(this.#lead) : "";
    let pen = NO_PEN;
    let from = 0;
    for (let i = 0; i < cells.length; i++) {
      const next = pens[i]!;
      if (next === pen) continue;
      text += cells.slice(from, i).join("") + penChange(pen, next);
      pen = next;
      from = i;
    }
    text += from === 0 ? cells.join("") : cells.slice(from).join("");
    text += penChange(pen, this.#endPen);
    return text;
  }

  /** Bytes of the text. */
  #measured(): number {
    if (this.#raw !== undefined) return this.#raw.length;
    const cells = this.#cells;
    let length = this.#lead;
    let pen = NO_PEN;
    for (let i = 0; i < cells.length; i++) {
      const next = this.#pens[i]!;
      if (next !== pen) length += penChangeLength(pen, next);
      pen = next;
      length += utf8Length(cells[i]!);
    }
    this.#effort.spend(cells.length / 4);
    return length + penChangeLength(pen, this.#endPen);
  }

  #drew(pen: Pen): void {
    this.#endPen = pen;
    this.isVirtual = false;
    this.#text = undefined;
  }

  /** Sets a cell that is there, or the next. */
  #set(index: number, char: string): void {
    const cells = this.#cells;
    if (index < cells.length) {
      this.isRedrawn = true;
      if (this.#hasWide) {
        cutBefore(cells, index);
        cutBefore(cells, index + 1);
      }
    }
    cells[index] = char;
  }

  /** Cells stand at an index now beside others than before: their colours may take more to write. */
  #met(index: number): void {
    const pens = this.#pens;
    this.#drawn += mostPenChange(pens[index - 1] ?? NO_PEN, pens[index] ?? NO_PEN);
  }

  #colour(index: number, pen: Pen): void {
    const pens = this.#pens;
    // No more than what the change costs to this cell and, where there is a cell behind it, back again.
    const before = index > 0 ? pens[index - 1]! : NO_PEN;
    if (before !== pen) this.#drawn += mostPenChange(before, pen);
    const after = pens[index + 1];
    if (after !== undefined && after !== pen) this.#drawn += mostPenChange(pen, after);
    pens[index] = pen;
  }

  /** The index of a column's cell, with blanks before it where there is nothing. */
  #reach(column: number): number {
    const cells = this.#drawable();
    const { length } = this;
    if (column > length) this.#drawn += column - length + 4;
    if (column >= length && cells.length === 0) {
      this.#lead = column;
      return 0;
    }
    if (column > length) this.#pad(length, column);
    else if (column < this.#lead) this.#unlead();
    return column - this.#lead;
  }

  /** Blanks behind the end. */
  #pad(from: number, to: number): void {
    for (let i = from; i < to; i++) {
      this.#cells.push(" ");
      this.#pens.push(NO_PEN);
    }
    this.#effort.spend((to - from) / 4);
  }

  /** Gives the blanks at the beginning cells of their own. */
  #unlead(): void {
    this.#effort.spend(this.length / 8);
    this.#cells = new Array<string>(this.#lead).fill(" ").concat(this.#cells);
    this.#pens = new Array<Pen>(this.#lead).fill(NO_PEN).concat(this.#pens);
    this.#lead = 0;
  }

  /** The index of a column from which on cells are about to move. */
  #movable(column: number): number {
    const cells = this.#drawable();
    if (column < this.#lead) this.#unlead();
    const index = column - this.#lead;
    cutBefore(cells, index);
    expandTabs(this.#cells, index);
    this.#effort.spend((this.#cells.length - index) / 8);
    this.#text = undefined;
    this.isRedrawn = true;
    return index;
  }

  /** The cells, to be drawn on. */
  #drawable(): string[] {
    if (this.#cells === NONE) this.#cells = [];
    if (this.#raw === undefined) return this.#cells;
    const text = this.text();
    this.#drawn = this.#raw.length;
    this.#raw = undefined;
    const pen = this.#endPen;
    let column = 0;
    for (const char of text) {
      if (char === "\t") {
        this.#drawn--;
        column = this.tab(column, pen);
        continue;
      }
      const columns = columnsOf(char.codePointAt(0)!);
      if (columns === 0 && this.attach(char, { column, size: 0 })) continue;
      this.#cells.push(char);
      this.#pens.push(pen);
      if (columns === 2) {
        this.#hasWide = true;
        this.#cells.push("");
        this.#pens.push(pen);
      }
      column += Math.max(1, columns);
    }
    this.#text = text;
    return this.#cells;
  }
}
