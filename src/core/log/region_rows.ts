import { Effort } from "./effort.ts";
import { Margins, MAX_ROWS } from "./margins.ts";
import { NO_PEN, type Palette, type Pen } from "./pen.ts";
import { Row } from "./row.ts";
import { MOVE_WIDTH, type RowState } from "./row_cells.ts";

/** The most that the rows of a region hold together, in cells or bytes. */
const MOST_SIZE = 256 * 1024;
/** A row of so much is a reason to look at that. */
export const LARGE = 1024;
/** So much may be drawn before it is looked at again. */
const GROWN = 4096;
/** What it costs to take a line back, beyond its bytes: see `Effort`. */
const LINE_COST = 20;
/** A row is committed when the cursor has not been on it or above it for this many ms. */
export const SETTLE_MS = 250;
/** The same for rows that the cursor has come back to from below: whoever draws like that may do so once a second. */
export const REVISITED_SETTLE_MS = 2000;

interface Cursor {
  row: number;
  column: number;
  pen: Pen;
}

type CursorState = [row: number, column: number, pen: number];

/** A region, for a journal. */
export interface RegionState {
  version: number;
  at: number;
  rows: RowState[];
  cursor: CursorState;
  saved: CursorState;
  highest: number;
  margins: Margins["state"];
  grown: number;
}

/** What surrounds a region. */
export interface Surroundings {
  /** Takes a row that is pushed out. */
  commit(row: Row): void;
  /** Takes back the lines right above the region as rows, `count` at most, top first. */
  above(count: number): Row[];
}

/** The rows of a region: which there are, when they settle, and how they scroll. What is drawn on them is `Region`. */
export class RegionRows {
  /** Counts the changes that can be seen. */
  version = 0;
  at: number;
  protected all: Row[];
  protected cursor: Cursor = { row: 0, column: 0, pen: NO_PEN };
  protected saved: Cursor = { row: 0, column: 0, pen: NO_PEN };
  /** The topmost row that the cursor was on since the last step in time. */
  protected highest = 0;
  protected readonly margins = new Margins();
  /** The most that the rows have grown by since their size was looked at. */
  protected grown = 0;
  protected readonly effort: Effort;
  protected readonly around: Surroundings;

  /** `at`: Unix ms. */
  constructor(at: number, around: Surroundings, effort = new Effort()) {
    this.at = at;
    this.around = around;
    this.effort = effort;
    this.all = [new Row(at, effort)];
  }

  state(palette: Palette): RegionState {
    const { version, at, highest, grown } = this;
    const place = ({ row, column, pen }: Cursor): CursorState => [row, column, palette.add(pen)];
    return {
      ...{ version, at, highest, grown },
      rows: this.all.map((row) => row.state(palette)),
      cursor: place(this.cursor),
      saved: place(this.saved),
      margins: this.margins.state,
    };
  }

  resume({ rows, cursor, saved, margins, ...state }: RegionState, pen: (number: number) => Pen): void {
    const place = ([row, column, number]: CursorState): Cursor => ({ row, column, pen: pen(number) });
    this.version = state.version;
    this.at = state.at;
    this.highest = state.highest;
    this.grown = state.grown;
    this.all = rows.map((one) => {
      const row = new Row(state.at, this.effort);
      row.restore(one, pen);
      return row;
    });
    this.cursor = place(cursor);
    this.saved = place(saved);
    this.margins.restore(margins);
  }

  /** Where a row stands; -1 for one that is gone. */
  indexOf(row: Row): number {
    return this.all.indexOf(row);
  }

  rowAt(index: number): Row | undefined {
    return this.all[index];
  }

  /** The row of the cursor. */
  get row(): Row {
    return this.all[this.cursor.row]!;
  }

  get isLastRow(): boolean {
    return this.cursor.row === this.all.length - 1;
  }

  /** Goes on at a time, and takes out the rows at the top that have settled by then. */
  settled(at: number): Row[] {
    this.moveOn(at);
    let count = 0;
    while (count < this.highest && at - this.all[count]!.reachedAt >= this.settleMs(count)) count++;
    return this.takeTop(count);
  }

  /** When the topmost row settles if nothing comes; undefined while the cursor is on it. */
  get settlesAt(): number | undefined {
    if (this.cursor.row === 0) return undefined;
    const reachedAt = this.highest === 0 ? this.at : this.all[0]!.reachedAt;
    return Math.max(this.at + 1, reachedAt + this.settleMs(0));
  }

  /** The rows that there is something to see of, top first. */
  get rows(): readonly Row[] {
    let end = this.all.length;
    while (end > 0 && this.all[end - 1]!.isBlank && !this.all[end - 1]!.isEnded) end--;
    return this.all.slice(0, end).filter((row) => !row.isVirtual);
  }

  /** The line that began at a row goes on as it came: the row is left out where it was blank before. */
  leaveOut(row: Row | undefined): void {
    this.all = this.all.filter((other) => other !== row);
  }

  /** Erases all and goes to its beginning. */
  reset(): void {
    this.all = [this.virtualRow()];
    this.cursor = { row: 0, column: 0, pen: NO_PEN };
    this.saved = { ...this.cursor };
    this.highest = 0;
    this.margins.reset();
    this.version++;
  }

  /** Moves within the row. */
  toColumn(column: number): void {
    this.cursor.column = Math.max(0, Math.min(column, Math.max(this.row.length, MOVE_WIDTH - 1)));
  }

  protected moveOn(at: number): void {
    for (let i = this.highest; i < this.all.length; i++) this.all[i]!.reachedAt = this.at;
    // A clock that was set back must not keep rows from settling.
    if (at < this.at) { for (const row of this.all) row.reachedAt = Math.min(row.reachedAt, at); }
    this.highest = this.cursor.row;
    this.at = at;
    // Where the cursor rested, it was until now.
    for (let i = this.highest; i < this.all.length; i++) this.all[i]!.reachedAt = at;
  }

  protected toRow(row: number): void {
    if (this.row.size > LARGE) this.makeRoom();
    const to = Math.max(0, Math.min(row, MAX_ROWS - 1));
    if (to < this.cursor.row) this.revisit(to);
    while (this.all.length <= to) this.all.push(this.newRow());
    this.cursor.row = to;
    this.toColumn(this.cursor.column);
    this.highest = Math.min(this.highest, to);
  }

  protected toRowOf(row: number): void {
    if (row < 0) {
      const missing = Math.min(-row, MAX_ROWS - this.all.length);
      const lines = this.all[0]!.isVirtual ? [] : this.around.above(missing);
      const blanks = Array.from({ length: missing - lines.length }, () => this.virtualRow());
      this.all.unshift(...blanks, ...lines);
      for (const line of lines) this.grown += line.size;
      this.effort.spend(this.all.length / 4 + lines.length * LINE_COST);
      this.shift(missing);
      this.margins.reach(0);
    }
    this.toRow(Math.max(0, row));
  }

  /** Puts blank rows in; those that go below the last row that scrolls are lost. */
  insertAt(index: number, count: number): void {
    const { last } = this.margins;
    const added = Math.max(0, Math.min(count, last + 1 - index));
    while (this.all.length < index) this.all.push(this.newRow());
    this.insertRows(index, added);
    this.all.splice(last + 1, added);
    const excess = this.all.length - MAX_ROWS;
    this.commitTop(Math.max(0, Math.min(excess, this.margins.screenTop)));
    if (this.all.length > MAX_ROWS) this.all.length = MAX_ROWS;
    this.changedRows();
  }

  protected deleteAt(index: number, count: number): void {
    const { last } = this.margins;
    const gone = Math.max(0, Math.min(count, last + 1 - index));
    const hasMore = this.all.length > last + 1;
    this.all.splice(index, gone);
    if (hasMore) this.insertRows(last + 1 - gone, gone);
    this.changedRows();
  }

  /**
   * The rows within the margins go up. Those at the top of the screen are not lost: what has gone above it is part of
   * the region for as long as other rows are.
   */
  scrollUp(count: number): void {
    const margins = this.margins;
    const { first, last } = margins;
    if (!margins.isAtTop) return this.deleteAt(first, count);
    // Nothing is left to be seen of more.
    const added = Math.min(count, this.all.length);
    if (this.all.length > last + 1) this.insertRows(last + 1, added);
    margins.shift(added);
    this.cursor.row += added;
    this.saved.row += added;
    while (this.all.length <= this.cursor.row) this.all.push(this.newRow());
    this.toColumn(this.cursor.column);
    this.version++;
    if (this.all.length > MAX_ROWS) this.commitTop(this.all.length - MAX_ROWS);
    else this.makeRoom();
  }

  protected insertRows(index: number, count: number): void {
    this.effort.spend(2 * count);
    this.all.splice(index, 0, ...Array.from({ length: count }, () => this.newRow()));
  }

  protected changedRows(): void {
    this.effort.spend(this.all.length / 4);
    while (this.all.length <= this.cursor.row) this.all.push(this.newRow());
    this.highest = Math.min(this.highest, this.cursor.row);
    this.toColumn(this.cursor.column);
    this.changed();
  }

  protected clear(): void {
    this.effort.spend(this.all.length);
    const top = this.margins.screenTop;
    this.all = this.all.map((old, i) => {
      if (i < top) return old;
      if (old.isVirtual && old.isBlank && !old.isEnded) return old;
      const row = this.virtualRow();
      row.reachedAt = old.reachedAt;
      return row;
    });
  }

  /** Large rows push out others, so that a region has a bounded size: those above the cursor, or else all. */
  protected makeRoom(): void {
    if (this.grown < GROWN) return;
    this.grown = 0;
    this.effort.spend(this.all.length / 8);
    let size = this.all.reduce((sum, row) => sum + row.size, 0);
    if (size <= MOST_SIZE) return;
    let count = 0;
    while (count < this.cursor.row && size > MOST_SIZE) size -= this.all[count++]!.size;
    this.commitTop(count);
    if (size <= MOST_SIZE) return;
    const { pen } = this.cursor;
    this.commitTop(this.all.length);
    this.reset();
    this.cursor.pen = pen;
  }

  /** The cursor goes up to a row: it and those below may be drawn again, as slowly as programs do that. */
  protected revisit(to: number): void {
    for (let i = to; i <= this.cursor.row; i++) this.all[i]!.isRevisited = true;
  }

  protected settleMs(index: number): number {
    return this.all[index]!.isRevisited ? REVISITED_SETTLE_MS : SETTLE_MS;
  }

  protected commitTop(count: number): void {
    if (count === 1) {
      const [row] = this.all;
      this.all.shift();
      this.shift(-1);
      if (row !== undefined && !row.isVirtual) this.around.commit(row);
      return;
    }
    for (const row of this.takeTop(count)) this.around.commit(row);
  }

  protected takeTop(count: number): Row[] {
    if (count === 0) return [];
    this.version++;
    const taken = this.all.splice(0, count);
    this.shift(-count);
    return taken.filter((row) => !row.isVirtual);
  }

  protected shift(count: number): void {
    this.cursor.row = Math.max(0, this.cursor.row + count);
    this.saved.row = Math.max(0, this.saved.row + count);
    this.highest = Math.max(0, this.highest + count);
    this.margins.shift(count);
    this.margins.fit(this.all.length);
  }

  protected changed(): void {
    this.row.changedAt = this.at;
    this.version++;
  }

  protected newRow(): Row {
    this.effort.spend(1);
    return new Row(this.at, this.effort);
  }

  protected virtualRow(): Row {
    const row = this.newRow();
    row.isVirtual = true;
    return row;
  }
}
