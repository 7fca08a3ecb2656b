import { cutBefore } from "./cells.ts";
import type { Effort } from "./effort.ts";
import { mostPenChange, NO_PEN, type Palette, type Pen } from "./pen.ts";
import { columnsOf } from "./width.ts";

/** What moves the cursor beyond the end of a row stops at this column: nobody may fill a disk with blanks. */
export const MOVE_WIDTH = 1000;
const TAB = 8;
/** One cell takes no more than so many marks and its character. */
const MOST_MARKS = 64;

const NONE: string[] = [];
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A row, for a journal; pens by their numbers in a palette. */
export interface RowState {
  changedAt: number;
  reachedAt: number;
  isEnded: boolean;
  isVirtual: boolean;
  isRedrawn: boolean;
  isRevisited: boolean;
  hasWide: boolean;
  /** As base64. */
  raw?: string;
  lead: number;
  cells: string[];
  pens: number[];
  endPen: number;
  drawn: number;
}

/**
 * The cells of a row: one for each column, with the colours it was drawn in. A tab is one cell and empty ones up to
 * the next stop, a wide character one and an empty one; either becomes blanks when a part of it is drawn over. A line
 * that came whole is kept as its bytes until something is drawn on it. What is done to them is `Row`.
 */
export class RowCells {
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
  protected raw: Uint8Array | undefined;
  /** How many columns at the beginning are blanks that nobody drew: they have no cells. */
  protected lead = 0;
  /** There are, or were, tabs or wide characters. */
  protected hasWide = false;
  protected cells: string[] = NONE;
  /** The colours of each cell. */
  protected pens: Pen[] = [];
  /** The colours that are left behind at the end of the row. */
  protected endPen = NO_PEN;
  /** Bytes that were drawn since the row was last measured, and those it took then. */
  protected drawn = 0;
  /** What `text` has answered, until something changes. */
  protected shown: string | undefined;
  protected readonly effort: Effort;

  /** `at`: Unix ms. */
  constructor(at: number, effort: Effort) {
    this.changedAt = at;
    this.reachedAt = at;
    this.effort = effort;
  }

  state(palette: Palette): RowState {
    const { changedAt, reachedAt, isEnded, isVirtual, isRedrawn, isRevisited } = this;
    const { hasWide, raw, lead, cells, drawn } = this;
    return {
      ...{ changedAt, reachedAt, isEnded, isVirtual, isRedrawn, isRevisited, hasWide, lead, cells, drawn },
      ...(raw === undefined ? {} : { raw: raw.toBase64() }),
      pens: this.pens.map((pen) => palette.add(pen)),
      endPen: palette.add(this.endPen),
    };
  }

  restore({ pens, endPen, raw, ...state }: RowState, pen: (number: number) => Pen): void {
    this.changedAt = state.changedAt;
    this.reachedAt = state.reachedAt;
    this.isEnded = state.isEnded;
    this.isVirtual = state.isVirtual;
    this.isRedrawn = state.isRedrawn;
    this.isRevisited = state.isRevisited;
    this.hasWide = state.hasWide;
    this.raw = raw === undefined ? undefined : Uint8Array.fromBase64(raw);
    this.lead = state.lead;
    this.cells = [...state.cells];
    this.pens = pens.map(pen);
    this.endPen = pen(endPen);
    this.drawn = state.drawn;
    this.shown = undefined;
  }

  /** Columns that hold something. */
  get length(): number {
    if (this.raw !== undefined) this.drawable();
    return this.lead + this.cells.length;
  }

  /** Cells, or bytes. */
  get size(): number {
    return this.raw?.length ?? this.lead + this.cells.length;
  }

  get isBlank(): boolean {
    return this.size === 0;
  }

  /** Adds what takes no column to the character before a column; false where there is none. */
  attach(mark: string, { column, size }: { column: number; size: number }): boolean {
    this.reach(column);
    if (column > 0 && column <= this.lead) this.unlead();
    let index = column - 1 - this.lead;
    if (this.cells[index] === "" && this.cells[index - 1] !== "") index--;
    const cell = this.cells[index];
    if (cell === undefined || cell === "" || cell === "\t" || cell.length > MOST_MARKS) return false;
    this.cells[index] = cell + mark;
    this.drawn += size;
    this.shown = undefined;
    return true;
  }

  /** Moves over a tab from `column`, which is drawn where there is nothing yet; answers the column behind it. */
  tab(column: number, pen: Pen): number {
    const stop = column - column % TAB + TAB;
    const cells = this.drawable();
    const { length } = this;
    if (column !== length) return Math.min(stop, Math.max(length, MOVE_WIDTH - 1));
    this.hasWide = true;
    for (let i = column; i < stop; i++) {
      cells.push(i === column ? "\t" : "");
      this.pens.push(pen);
    }
    this.drawn += TAB;
    this.drew(pen);
    return stop;
  }

  protected drew(pen: Pen): void {
    this.endPen = pen;
    this.isVirtual = false;
    this.shown = undefined;
  }

  /** Sets a cell that is there, or the next. */
  protected set(index: number, char: string): void {
    const cells = this.cells;
    if (index < cells.length) {
      this.isRedrawn = true;
      if (this.hasWide) {
        cutBefore(cells, index);
        cutBefore(cells, index + 1);
      }
    }
    cells[index] = char;
  }

  protected colour(index: number, pen: Pen): void {
    const pens = this.pens;
    // No more than what the change costs to this cell and, where there is a cell behind it, back again.
    const before = index > 0 ? pens[index - 1]! : NO_PEN;
    if (before !== pen) this.drawn += mostPenChange(before, pen);
    const after = pens[index + 1];
    if (after !== undefined && after !== pen) this.drawn += mostPenChange(pen, after);
    pens[index] = pen;
  }

  /** Cells stand at an index now beside others than before: their colours may take more to write. */
  protected met(index: number): void {
    const pens = this.pens;
    this.drawn += mostPenChange(pens[index - 1] ?? NO_PEN, pens[index] ?? NO_PEN);
  }

  /** The index of a column's cell, with blanks before it where there is nothing. */
  protected reach(column: number): number {
    const cells = this.drawable();
    const { length } = this;
    if (column > length) this.drawn += column - length + 4;
    if (column >= length && cells.length === 0) {
      this.lead = column;
      return 0;
    }
    if (column > length) this.pad(length, column);
    else if (column < this.lead) this.unlead();
    return column - this.lead;
  }

  /** Blanks behind the end. */
  protected pad(from: number, to: number): void {
    for (let i = from; i < to; i++) {
      this.cells.push(" ");
      this.pens.push(NO_PEN);
    }
    this.effort.spend((to - from) / 4);
  }

  /** Gives the blanks at the beginning cells of their own. */
  protected unlead(): void {
    this.effort.spend(this.length / 8);
    this.cells = new Array<string>(this.lead).fill(" ").concat(this.cells);
    this.pens = new Array<Pen>(this.lead).fill(NO_PEN).concat(this.pens);
    this.lead = 0;
  }

  /** The cells, to be drawn on. */
  protected drawable(): string[] {
    if (this.cells === NONE) this.cells = [];
    if (this.raw === undefined) return this.cells;
    const text = this.shown ?? decodedLine(this.raw);
    this.drawn = this.raw.length;
    this.raw = undefined;
    const pen = this.endPen;
    let column = 0;
    for (const char of text) {
      if (char === "\t") {
        this.drawn--;
        column = this.tab(column, pen);
        continue;
      }
      const columns = columnsOf(char.codePointAt(0)!);
      if (columns === 0 && this.attach(char, { column, size: 0 })) continue;
      this.cells.push(char);
      this.pens.push(pen);
      if (columns === 2) {
        this.hasWide = true;
        this.cells.push("");
        this.pens.push(pen);
      }
      column += Math.max(1, columns);
    }
    this.shown = text;
    return this.cells;
  }
}

/** The text of a line without its end. */
export function decodedLine(line: Uint8Array): string {
  const text = decoder.decode(line);
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}
