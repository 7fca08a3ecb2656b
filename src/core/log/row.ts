import { cutBefore, expandTabs } from "./cells.ts";
import { NO_PEN, type Pen, penChange, penChangeLength } from "./pen.ts";
import { decodedLine, MOVE_WIDTH, RowCells } from "./row_cells.ts";
import { encodeText, utf8Length } from "./utf8.ts";

/** The most bytes that a row takes. */
const MOST_BYTES = 65_536;
/** A row is measured again when so many bytes were drawn on it, so that this happens rarely. */
const SLACK = 16_384;
/** From so many bytes on a row can't be redrawn any more. */
export const FULL = MOST_BYTES - SLACK;

/** In a row of more columns none are put in or taken out: no terminal is so wide, and it would cost too much. */
const MOST_MOVED = 8192;

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** A row that may still be redrawn. */
export class Row extends RowCells {
  /** Takes a whole line as it came, without its newline, where nothing was drawn; `pen` is a plain one. */
  setLine(line: Uint8Array, pen: Pen): void {
    this.raw = line;
    this.endPen = pen;
    this.shown = undefined;
    this.isVirtual = false;
    // Of all else a column is no byte.
    if (!line.every((byte) => byte >= 0x20 && byte < 0x7f)) this.drawable();
  }

  /** Draws a character that takes one or two columns. */
  draw(
    char: string,
    { column, pen, size, columns }: { column: number; pen: Pen; size: number; columns: 1 | 2 },
  ): void {
    const index = this.reach(column);
    this.set(index, char);
    this.colour(index, pen);
    if (columns === 2) {
      this.hasWide = true;
      this.set(index + 1, "");
      this.colour(index + 1, pen);
    }
    this.drawn += size;
    this.drew(pen);
  }

  /** Draws the characters of printable ASCII from `from` up to `to`, or until the row may be full; answers how far. */
  drawAscii(
    bytes: Uint8Array,
    range: { from: number; to: number },
    at: { column: number; pen: Pen },
  ): number {
    const { pen } = at;
    let index = this.reach(at.column);
    const cells = this.cells;
    const pens = this.pens;
    let i = range.from;
    do {
      if (index < cells.length) this.set(index, ascii[bytes[i]!]!);
      else cells.push(ascii[bytes[i]!]!);
      if (pens[index] !== pen) this.colour(index, pen);
      this.drawn++;
      index++;
      i++;
    } while (i < range.to && this.drawn < FULL);
    this.drew(pen);
    return i;
  }

  /** Notes colours that are set while the cursor is on this row. */
  setPen(pen: Pen): void {
    if (this.raw !== undefined || this.endPen === pen) return;
    this.endPen = pen;
    this.shown = undefined;
  }

  /** Erases from a column to the end. */
  eraseFrom(column: number): void {
    const cells = this.drawable();
    if (column >= this.length) return;
    const index = Math.max(0, column - this.lead);
    cutBefore(cells, index);
    this.lead = Math.min(this.lead, column);
    cells.length = index;
    this.pens.length = index;
    this.shown = undefined;
    this.isRedrawn = true;
  }

  /** Erases from the beginning through a column. */
  eraseThrough(column: number): void {
    const cells = this.drawable();
    if (column + 1 >= this.length) return this.eraseFrom(0);
    const count = column + 1 - this.lead;
    if (count > 0) {
      cutBefore(cells, count);
      cells.splice(0, count);
      this.pens.splice(0, count);
      this.lead = column + 1;
      this.effort.spend(cells.length / 16);
      this.shown = undefined;
    }
    this.isRedrawn = true;
  }

  /** Makes `count` columns from a column on blank. */
  eraseColumns(column: number, count: number): void {
    if (column + count >= this.length) return this.eraseFrom(column);
    if (column < this.lead && column + count > this.lead) this.unlead();
    this.isRedrawn = true;
    if (column < this.lead) return;
    const cells = this.cells;
    const from = column - this.lead;
    const to = from + count;
    cutBefore(cells, from);
    cutBefore(cells, to);
    cells.fill(" ", from, to);
    this.pens.fill(NO_PEN, from, to);
    this.met(from);
    this.met(to);
    this.effort.spend(count / 16);
    this.shown = undefined;
  }

  /** Takes `count` columns out at a column: what is behind them moves there. */
  deleteColumns(column: number, count: number): void {
    if (column + count >= this.length) return this.eraseFrom(column);
    if (this.length > MOST_MOVED) return;
    const index = this.#movable(column);
    cutBefore(this.cells, index + count);
    this.cells.splice(index, count);
    this.pens.splice(index, count);
    this.met(index);
  }

  /** Puts `count` blanks in at a column; what moves behind the column where moves end is gone. */
  insertColumns(column: number, count: number): void {
    const { length } = this;
    if (column >= Math.min(length, MOVE_WIDTH) || length > MOST_MOVED) return;
    const index = this.#movable(column);
    const blanks = Math.min(count, MOVE_WIDTH - column);
    this.cells.splice(index, 0, ...new Array<string>(blanks).fill(" "));
    this.pens.splice(index, 0, ...new Array<Pen>(blanks).fill(NO_PEN));
    this.effort.spend(blanks / 2);
    this.drawn += blanks;
    this.met(index);
    this.met(index + blanks);
    this.eraseFrom(Math.max(MOVE_WIDTH, length));
  }

  /** What stands right before a column, and how many columns it takes; nothing where nothing was drawn. */
  before(column: number): { char: string; columns: 1 | 2 } | undefined {
    const cells = this.drawable();
    const index = column - 1 - this.lead;
    const cell = cells[index];
    if (cell === undefined) return undefined;
    return cell === "" ? { char: cells[index - 1] ?? "", columns: 2 } : { char: cell, columns: 1 };
  }

  /** The colours that the row begins with where they go on from others; undefined for no text. */
  get firstPen(): Pen | undefined {
    if (this.raw !== undefined) return NO_PEN;
    if (this.length === 0) return undefined;
    return this.lead > 0 ? NO_PEN : this.pens[0];
  }

  /** The colours that are left on at the end. */
  get lastPen(): Pen {
    return this.raw === undefined ? this.endPen : NO_PEN;
  }

  /** True when the row takes more than it may: measured only now and then. */
  isFull(): boolean {
    if (this.drawn < FULL) return false;
    this.drawn = this.#measured();
    if (this.drawn >= FULL) return true;
    this.drawn = Math.max(this.drawn - SLACK, 0);
    return false;
  }

  /** The text with its colours. */
  text(): string {
    return this.shown ??= this.raw === undefined ? this.#written() : decodedLine(this.raw);
  }

  /** The row's bytes, those that came where nothing was drawn on them; without the newline. */
  bytes(): Uint8Array {
    return this.raw ?? encodeText(this.text());
  }

  #written(): string {
    const cells = this.cells;
    const pens = this.pens;
    if (this.lead + cells.length === 0) return "";
    let text = this.lead > 0 ? " ".repeat(this.lead) : "";
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
    text += penChange(pen, this.endPen);
    return text;
  }

  /** Bytes of the text. */
  #measured(): number {
    if (this.raw !== undefined) return this.raw.length;
    const cells = this.cells;
    let length = this.lead;
    let pen = NO_PEN;
    for (let i = 0; i < cells.length; i++) {
      const next = this.pens[i]!;
      if (next !== pen) length += penChangeLength(pen, next);
      pen = next;
      length += utf8Length(cells[i]!);
    }
    this.effort.spend(cells.length / 4);
    return length + penChangeLength(pen, this.endPen);
  }

  /** The index of a column from which on cells are about to move. */
  #movable(column: number): number {
    const cells = this.drawable();
    if (column < this.lead) this.unlead();
    const index = column - this.lead;
    cutBefore(cells, index);
    this.drawn += expandTabs(this.cells, index);
    this.effort.spend((this.cells.length - index) / 8);
    this.shown = undefined;
    this.isRedrawn = true;
    return index;
  }
}
