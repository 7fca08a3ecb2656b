import { MAX_ROWS } from "./margins.ts";
import { type Pen, penAfter } from "./pen.ts";
import { LARGE, RegionRows } from "./region_rows.ts";
import { MOVE_WIDTH } from "./row_cells.ts";
import { utf8Length } from "./utf8.ts";

/** The rows of a stream that can still be redrawn, and the cursor: what characters and sequences do to them. */
export class Region extends RegionRows {
  /** Nothing was drawn in the row of the cursor yet, and the next character would be its first. */
  get isAtFreshRow(): boolean {
    return this.cursor.column === 0 && this.isLastRow && this.row.isBlank && !this.row.isRedrawn;
  }

  get pen(): Pen {
    return this.cursor.pen;
  }

  /** True when one row is left that nothing was drawn over, with the cursor at its end: like any unfinished line. */
  get isLikePlain(): boolean {
    const { row, column } = this.cursor;
    const [only] = this.all;
    return this.all.length === 1 && row === 0 && !only!.isRedrawn && column === only!.length;
  }

  /** Draws printable ASCII, and answers how far it came. */
  drawAscii(bytes: Uint8Array, range: { from: number; to: number }): number {
    const { row } = this;
    const { size } = row;
    const end = row.drawAscii(bytes, range, this.cursor);
    this.grown += row.size - size;
    this.cursor.column += end - range.from;
    this.changed();
    return end;
  }

  draw(char: string, { size, columns }: { size: number; columns: 1 | 2 }): void {
    const { column, pen } = this.cursor;
    const { row } = this;
    const before = row.size;
    row.draw(char, { column, pen, size, columns });
    this.grown += row.size - before;
    this.cursor.column += columns;
    this.changed();
  }

  /** Draws what stands before the cursor again, so many times, up to the column where moves end. */
  repeat(count: number): void {
    const before = this.row.before(this.cursor.column);
    if (before === undefined) return;
    const { char, columns } = before;
    const size = utf8Length(char);
    for (let i = 0; i < count && this.cursor.column + columns <= MOVE_WIDTH && !this.row.isFull(); i++) {
      this.effort.spend(2);
      this.draw(char, { size, columns });
    }
  }

  /** Adds what takes no column to the character before the cursor. */
  attach(mark: string, size: number): void {
    if (!this.row.attach(mark, { column: this.cursor.column, size })) {
      this.draw(mark, { size, columns: 1 });
    }
    this.changed();
  }

  tab(): void {
    const { row } = this;
    const { size } = row;
    this.cursor.column = row.tab(this.cursor.column, this.cursor.pen);
    this.grown += row.size - size;
  }

  colour(sequence: string): void {
    this.cursor.pen = penAfter(this.cursor.pen, sequence);
    this.row.setPen(this.cursor.pen);
  }

  /** Takes a whole line that came where the row is fresh, without its newline, and goes to the next row. */
  line(bytes: Uint8Array): void {
    this.row.setLine(bytes, this.cursor.pen);
    this.grown += this.row.size;
    this.changed();
    this.newline();
  }

  newline(): void {
    this.row.isEnded = true;
    this.down();
    this.cursor.column = 0;
  }

  /** One row down; the last one makes a new one, and where scrolling ends others go up. */
  down(): void {
    const { row } = this.cursor;
    if (this.margins.isLast(row)) return this.scrollUp(1);
    this.cursor.row++;
    if (row < this.all.length - 1) return this.toColumn(this.cursor.column);
    this.all.push(this.newRow());
    this.toColumn(this.cursor.column);
    this.version++;
    if (this.all.length > MAX_ROWS) this.commitTop(1);
    else if (this.all[row]!.size > LARGE) this.makeRoom();
  }

  /** One row up; where scrolling begins others go down. */
  up(): void {
    if (this.margins.isFirst(this.cursor.row)) this.insertAt(this.cursor.row, 1);
    else this.moveRows(-1);
  }

  /**
   * Moves by rows, as far as the margins let it. Above the top there are lines that can be taken back; and above these
   * others that can't be any more: in their place are blank rows, there to be drawn over only.
   */
  moveRows(count: number): void {
    this.toRowOf(this.margins.bounded(this.cursor.row, count));
  }

  /** Moves down by rows whatever the margins. */
  placeDown(count: number): void {
    this.toRow(this.cursor.row + count);
  }

  moveColumns(count: number): void {
    this.toColumn(this.cursor.column + count);
  }

  /** Moves to a place on the screen, counted from 0: where the region began is its top. */
  moveTo(row: number, column?: number): void {
    this.toRowOf(this.margins.indexOf(row));
    if (column !== undefined) this.toColumn(column);
  }

  save(): void {
    this.saved = { ...this.cursor };
  }

  restore(): void {
    const { row, column, pen } = this.saved;
    this.toRow(row);
    this.toColumn(column);
    this.cursor.pen = pen;
  }

  /** Erases in the row: behind the cursor (0), up to it (1), all (2). */
  eraseInRow(kind: number): void {
    const { column } = this.cursor;
    if (kind === 0) this.row.eraseFrom(column);
    else if (kind === 1) this.row.eraseThrough(column);
    else if (kind === 2) this.row.eraseFrom(0);
    this.changed();
  }

  /** Erases in the region: behind the cursor (0), up to it (1), all (2). */
  erase(kind: number): void {
    const { row } = this.cursor;
    if (kind === 0) this.all.length = row + 1;
    else if (kind === 1) {
      this.effort.spend(row);
      for (let i = this.margins.screenTop; i < row; i++) this.all[i]!.eraseFrom(0);
    } else this.clear();
    if (kind < 2) this.eraseInRow(kind);
    this.changed();
  }

  /** Makes blanks (X), takes out (P) or puts in (@) so many columns at the cursor. */
  changeColumns(kind: "X" | "P" | "@", count: number): void {
    const { row } = this;
    const { column } = this.cursor;
    const { size } = row;
    if (kind === "X") row.eraseColumns(column, count);
    else if (kind === "P") row.deleteColumns(column, count);
    else row.insertColumns(column, count);
    this.grown += Math.max(0, row.size - size);
    this.changed();
  }

  /** Only rows of the screen from one to another scroll, counted from 0; goes to the beginning of the screen. */
  setMargins(top: number, bottom: number): void {
    if (this.margins.set(top, bottom)) this.moveTo(0, 0);
  }

  /** Puts blank rows in (L) or takes rows out (M) at the cursor, where it is within the margins. */
  changeRows(kind: "L" | "M", count: number): void {
    const { row } = this.cursor;
    if (!this.margins.holds(row)) return;
    if (kind === "L") this.insertAt(row, count);
    else this.deleteAt(row, count);
    this.toColumn(0);
  }

  /** The rows within the margins go down. */
  scrollDown(count: number): void {
    this.insertAt(this.margins.first, count);
  }
}
