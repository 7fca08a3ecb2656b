import { Effort } from "./effort.ts";
import { NO_PEN, type Pen, penAfter } from "./pen.ts";
import { utf8Length } from "./utf8.ts";
import { Margins, MAX_ROWS } from "./margins.ts";
import { MOVE_WIDTH, Row } from "./row.ts";

/** The most that the rows of a region hold together, in cells or bytes, and when it is looked at. */
const MOST_SIZE = 256 * 1024;
const LARGE = 1024;
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

/** What surrounds a region. */
export interface Surroundings {
  /** Takes a row that is pushed out. */
  commit(row: Row): void;
  /** Takes back the lines right above the region as rows, `count` at most, top first. */
  above(count: number): Row[];
}

/** The rows of a stream that can still be redrawn, and the cursor. */
export class Region {
  /** Counts the changes that can be seen. */
  version = 0;
  at: number;
  readonly #around: Surroundings;
  #rows: Row[];
  #cursor: Cursor = { row: 0, column: 0, pen: NO_PEN };
  #saved: Cursor = { row: 0, column: 0, pen: NO_PEN };
  /** The topmost row that the cursor was on since the last step in time. */
  #highest = 0;
  readonly #margins = new Margins();
  /** The most that the rows have grown by since their size was looked at. */
  #grown = 0;
  readonly #effort: Effort;

  /** `at`: Unix ms. */
  constructor(at: number, around: Surroundings, effort = new Effort()) {
    this.at = at;
    this.#around = around;
    this.#effort = effort;
    this.#rows = [new Row(at, effort)];
  }

  /** The row of the cursor. */
  get row(): Row {
    return this.#rows[this.#cursor.row]!;
  }

  get isLastRow(): boolean {
    return this.#cursor.row === this.#rows.length - 1;
  }

  /** Nothing was drawn in the row of the cursor yet, and the next character would be its first. */
  get isAtFreshRow(): boolean {
    return this.#cursor.column === 0 && this.isLastRow && this.row.isBlank && !this.row.isRedrawn;
  }

  get pen(): Pen {
    return this.#cursor.pen;
  }

  #moveOn(at: number): void {
    for (let i = this.#highest; i < this.#rows.length; i++) this.#rows[i]!.reachedAt = this.at;
    // A clock that was set back must not keep rows from settling.
    if (at < this.at) { for (const row of this.#rows) row.reachedAt = Math.min(row.reachedAt, at); }
    this.#highest = this.#cursor.row;
    this.at = at;
    // Where the cursor rested, it was until now.
    for (let i = this.#highest; i < this.#rows.length; i++) this.#rows[i]!.reachedAt = at;
  }

  /** Goes on at a time, and takes out the rows at the top that have settled by then. */
  settled(at: number): Row[] {
    this.#moveOn(at);
    let count = 0;
    while (count < this.#highest && at - this.#rows[count]!.reachedAt >= this.#settleMs(count)) count++;
    return this.#takeTop(count);
  }

  /** When the topmost row settles if nothing comes; undefined while the cursor is on it. */
  get settlesAt(): number | undefined {
    if (this.#cursor.row === 0) return undefined;
    const reachedAt = this.#highest === 0 ? this.at : this.#rows[0]!.reachedAt;
    return Math.max(this.at + 1, reachedAt + this.#settleMs(0));
  }

  /** True when one row is left that nothing was drawn over, with the cursor at its end: like any unfinished line. */
  get isLikePlain(): boolean {
    const { row, column } = this.#cursor;
    const [only] = this.#rows;
    return this.#rows.length === 1 && row === 0 && !only!.isRedrawn && column === only!.length;
  }

  /** The rows that there is something to see of, top first. */
  get rows(): readonly Row[] {
    let end = this.#rows.length;
    while (end > 0 && this.#rows[end - 1]!.isBlank && !this.#rows[end - 1]!.isEnded) end--;
    return this.#rows.slice(0, end).filter((row) => !row.isVirtual);
  }

  /** Draws printable ASCII, and answers how far it came. */
  drawAscii(bytes: Uint8Array, range: { from: number; to: number }): number {
    const { row } = this;
    const { size } = row;
    const end = row.drawAscii(bytes, range, this.#cursor);
    this.#grown += row.size - size;
    this.#cursor.column += end - range.from;
    this.#changed();
    return end;
  }

  draw(char: string, { size, columns }: { size: number; columns: 1 | 2 }): void {
    const { column, pen } = this.#cursor;
    const { row } = this;
    const before = row.size;
    row.draw(char, { column, pen, size, columns });
    this.#grown += row.size - before;
    this.#cursor.column += columns;
    this.#changed();
  }

  /** Draws what stands before the cursor again, so many times, up to the column where moves end. */
  repeat(count: number): void {
    const before = this.row.before(this.#cursor.column);
    if (before === undefined) return;
    const { char, columns } = before;
    const size = utf8Length(char);
    for (let i = 0; i < count && this.#cursor.column + columns <= MOVE_WIDTH && !this.row.isFull(); i++) {
      this.#effort.spend(2);
      this.draw(char, { size, columns });
    }
  }

  /** Adds what takes no column to the character before the cursor. */
  attach(mark: string, size: number): void {
    if (!this.row.attach(mark, { column: this.#cursor.column, size })) {
      this.draw(mark, { size, columns: 1 });
    }
    this.#changed();
  }

  tab(): void {
    const { row } = this;
    const { size } = row;
    this.#cursor.column = row.tab(this.#cursor.column, this.#cursor.pen);
    this.#grown += row.size - size;
  }

  colour(sequence: string): void {
    this.#cursor.pen = penAfter(this.#cursor.pen, sequence);
    this.row.setPen(this.#cursor.pen);
  }

  /** Takes a whole line that came where the row is fresh, without its newline, and goes to the next row. */
  line(bytes: Uint8Array): void {
    this.row.setLine(bytes, this.#cursor.pen);
    this.#grown += this.row.size;
    this.#changed();
    this.newline();
  }

  newline(): void {
    this.row.isEnded = true;
    this.down();
    this.#cursor.column = 0;
  }

  /** One row down; the last one makes a new one, and where scrolling ends others go up. */
  down(): void {
    const { row } = this.#cursor;
    if (this.#margins.isLast(row)) {
      return this.scrollUp(1);
    }
    this.#cursor.row++;
    if (row < this.#rows.length - 1) return this.toColumn(this.#cursor.column);
    this.#rows.push(this.#newRow());
    this.toColumn(this.#cursor.column);
    this.version++;
    if (this.#rows.length > MAX_ROWS) this.#commitTop(1);
    else if (this.#rows[row]!.size > LARGE) this.#makeRoom();
  }

  /** One row up; where scrolling begins others go down. */
  up(): void {
    if (this.#margins.isFirst(this.#cursor.row)) this.insertAt(this.#cursor.row, 1);
    else this.moveRows(-1);
  }

  /**
   * Moves by rows, as far as the margins let it. Above the top there are lines that can be taken back; and above these others that can't be any
   * more: in their place are blank rows, there to be drawn over only.
   */
  moveRows(count: number): void {
    this.#toRowOf(this.#margins.bounded(this.#cursor.row, count));
  }

  /** Moves down by rows whatever the margins. */
  placeDown(count: number): void {
    this.#toRow(this.#cursor.row + count);
  }

  #toRowOf(row: number): void {
    if (row < 0) {
      const missing = Math.min(-row, MAX_ROWS - this.#rows.length);
      const lines = this.#rows[0]!.isVirtual ? [] : this.#around.above(missing);
      const blanks = Array.from({ length: missing - lines.length }, () => this.#virtualRow());
      this.#rows.unshift(...blanks, ...lines);
      for (const line of lines) this.#grown += line.size;
      this.#effort.spend(this.#rows.length / 4 + lines.length * LINE_COST);
      this.#shift(missing);
      this.#margins.reach(0);
    }
    this.#toRow(Math.max(0, row));
  }

  /** Moves within the row. */
  toColumn(column: number): void {
    this.#cursor.column = Math.max(0, Math.min(column, Math.max(this.row.length, MOVE_WIDTH - 1)));
  }

  moveColumns(count: number): void {
    this.toColumn(this.#cursor.column + count);
  }

  /** Moves to a place on the screen, counted from 0: where the region began is its top. */
  moveTo(row: number, column?: number): void {
    this.#toRowOf(this.#margins.indexOf(row));
    if (column !== undefined) this.toColumn(column);
  }

  save(): void {
    this.#saved = { ...this.#cursor };
  }

  restore(): void {
    const { row, column, pen } = this.#saved;
    this.#toRow(row);
    this.toColumn(column);
    this.#cursor.pen = pen;
  }

  /** Erases in the row: behind the cursor (0), up to it (1), all (2). */
  eraseInRow(kind: number): void {
    const { column } = this.#cursor;
    if (kind === 0) this.row.eraseFrom(column);
    else if (kind === 1) this.row.eraseThrough(column);
    else if (kind === 2) this.row.eraseFrom(0);
    this.#changed();
  }

  /** Erases in the region: behind the cursor (0), up to it (1), all (2). */
  erase(kind: number): void {
    const { row } = this.#cursor;
    if (kind === 0) this.#rows.length = row + 1;
    else if (kind === 1) {
      this.#effort.spend(row);
      for (let i = this.#margins.screenTop; i < row; i++) this.#rows[i]!.eraseFrom(0);
    } else this.#clear();
    if (kind < 2) this.eraseInRow(kind);
    this.#changed();
  }

  /** Makes blanks (X), takes out (P) or puts in (@) so many columns at the cursor. */
  changeColumns(kind: "X" | "P" | "@", count: number): void {
    const { row } = this;
    const { column } = this.#cursor;
    const { size } = row;
    if (kind === "X") row.eraseColumns(column, count);
    else if (kind === "P") row.deleteColumns(column, count);
    else row.insertColumns(column, count);
    this.#grown += Math.max(0, row.size - size);
    this.#changed();
  }

  /** Only rows of the screen from one to another scroll, counted from 0; goes to the beginning of the screen. */
  setMargins(top: number, bottom: number): void {
    if (this.#margins.set(top, bottom)) this.moveTo(0, 0);
  }

  /** Puts blank rows in (L) or takes rows out (M) at the cursor, where it is within the margins. */
  changeRows(kind: "L" | "M", count: number): void {
    const { row } = this.#cursor;
    if (!this.#margins.holds(row)) return;
    if (kind === "L") this.insertAt(row, count);
    else this.#deleteAt(row, count);
    this.toColumn(0);
  }

  /**
   * The rows within the margins go up. Those at the top of the screen are not lost: what has gone above it is part of
   * the region for as long as other rows are.
   */
  scrollUp(count: number): void {
    const margins = this.#margins;
    const { first, last } = margins;
    if (!margins.isAtTop) return this.#deleteAt(first, count);
    // Nothing is left to be seen of more.
    const added = Math.min(count, this.#rows.length);
    if (this.#rows.length > last + 1) this.#insertRows(last + 1, added);
    margins.shift(added);
    this.#cursor.row += added;
    this.#saved.row += added;
    while (this.#rows.length <= this.#cursor.row) this.#rows.push(this.#newRow());
    this.toColumn(this.#cursor.column);
    this.version++;
    if (this.#rows.length > MAX_ROWS) this.#commitTop(this.#rows.length - MAX_ROWS);
    else this.#makeRoom();
  }

  /** The rows within the margins go down. */
  scrollDown(count: number): void {
    this.insertAt(this.#margins.first, count);
  }

  /** Puts blank rows in; those that go below the last row that scrolls are lost. */
  insertAt(index: number, count: number): void {
    const { last } = this.#margins;
    const added = Math.max(0, Math.min(count, last + 1 - index));
    while (this.#rows.length < index) this.#rows.push(this.#newRow());
    this.#insertRows(index, added);
    this.#rows.splice(last + 1, added);
    const excess = this.#rows.length - MAX_ROWS;
    this.#commitTop(Math.max(0, Math.min(excess, this.#margins.screenTop)));
    if (this.#rows.length > MAX_ROWS) this.#rows.length = MAX_ROWS;
    this.#changedRows();
  }

  #deleteAt(index: number, count: number): void {
    const { last } = this.#margins;
    const gone = Math.max(0, Math.min(count, last + 1 - index));
    const hasMore = this.#rows.length > last + 1;
    this.#rows.splice(index, gone);
    if (hasMore) this.#insertRows(last + 1 - gone, gone);
    this.#changedRows();
  }

  #insertRows(index: number, count: number): void {
    this.#rows.splice(index, 0, ...Array.from({ length: count }, () => this.#newRow()));
  }

  #changedRows(): void {
    this.#effort.spend(this.#rows.length / 8);
    while (this.#rows.length <= this.#cursor.row) this.#rows.push(this.#newRow());
    this.#highest = Math.min(this.#highest, this.#cursor.row);
    this.toColumn(this.#cursor.column);
    this.#changed();
  }

  /** Erases all and goes to its beginning. */
  reset(): void {
    this.#rows = [this.#virtualRow()];
    this.#cursor = { row: 0, column: 0, pen: NO_PEN };
    this.#saved = { ...this.#cursor };
    this.#highest = 0;
    this.#margins.reset();
    this.version++;
  }

  /** The line that began at a row goes on as it came: the row is left out where it was blank before. */
  leaveOut(row: Row | undefined): void {
    this.#rows = this.#rows.filter((other) => other !== row);
  }

  #clear(): void {
    this.#effort.spend(this.#rows.length);
    const top = this.#margins.screenTop;
    this.#rows = this.#rows.map((old, i) => {
      if (i < top) return old;
      if (old.isVirtual && old.isBlank && !old.isEnded) return old;
      const row = this.#virtualRow();
      row.reachedAt = old.reachedAt;
      return row;
    });
  }

  #toRow(row: number): void {
    if (this.row.size > LARGE) this.#makeRoom();
    const to = Math.max(0, Math.min(row, MAX_ROWS - 1));
    if (to < this.#cursor.row) this.#revisit(to);
    while (this.#rows.length <= to) this.#rows.push(this.#newRow());
    this.#cursor.row = to;
    this.toColumn(this.#cursor.column);
    this.#highest = Math.min(this.#highest, to);
  }

  /** Large rows push out others, so that a region has a bounded size: those above the cursor, or else all. */
  #makeRoom(): void {
    if (this.#grown < GROWN) return;
    this.#grown = 0;
    this.#effort.spend(this.#rows.length / 8);
    let size = this.#rows.reduce((sum, row) => sum + row.size, 0);
    if (size <= MOST_SIZE) return;
    let count = 0;
    while (count < this.#cursor.row && size > MOST_SIZE) size -= this.#rows[count++]!.size;
    this.#commitTop(count);
    if (size <= MOST_SIZE) return;
    const { pen } = this.#cursor;
    this.#commitTop(this.#rows.length);
    this.reset();
    this.#cursor.pen = pen;
  }

  /** The cursor goes up to a row: it and those below may be drawn again, as slowly as programs do that. */
  #revisit(to: number): void {
    for (let i = to; i <= this.#cursor.row; i++) this.#rows[i]!.isRevisited = true;
  }

  #settleMs(index: number): number {
    return this.#rows[index]!.isRevisited ? REVISITED_SETTLE_MS : SETTLE_MS;
  }

  #commitTop(count: number): void {
    if (count === 1) {
      const [row] = this.#rows;
      this.#rows.shift();
      this.#shift(-1);
      if (row !== undefined && !row.isVirtual) this.#around.commit(row);
      return;
    }
    for (const row of this.#takeTop(count)) this.#around.commit(row);
  }

  #takeTop(count: number): Row[] {
    if (count === 0) return [];
    this.version++;
    const taken = this.#rows.splice(0, count);
    this.#shift(-count);
    return taken.filter((row) => !row.isVirtual);
  }

  #shift(count: number): void {
    this.#cursor.row = Math.max(0, this.#cursor.row + count);
    this.#saved.row = Math.max(0, this.#saved.row + count);
    this.#highest = Math.max(0, this.#highest + count);
    this.#margins.shift(count);
    this.#margins.fit(this.#rows.length);
  }

  #changed(): void {
    this.row.changedAt = this.at;
    this.version++;
  }

  #newRow(): Row {
    this.#effort.spend(1);
    return new Row(this.at, this.#effort);
  }

  #virtualRow(): Row {
    const row = this.#newRow();
    row.isVirtual = true;
    return row;
  }
}
