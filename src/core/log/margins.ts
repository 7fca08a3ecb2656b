/** The most rows that can still be redrawn; more push out the topmost. It is how high the screen is, too. */
export const MAX_ROWS = 200;

/**
 * Which rows of the screen scroll, and where the screen is among the rows of a region: that is known only by where
 * the region began, which is taken for the top of the screen. Rows are counted from 0; an index is one of a region.
 */
export class Margins {
  /** The index of the topmost row of the screen: less than 0 where rows of it are lines by now. */
  #origin = 0;
  #top = 0;
  #bottom = MAX_ROWS - 1;

  /** For a journal: where the screen begins, and its margins. */
  get state(): [origin: number, top: number, bottom: number] {
    return [this.#origin, this.#top, this.#bottom];
  }

  restore([origin, top, bottom]: [origin: number, top: number, bottom: number]): void {
    this.#origin = origin;
    this.#top = top;
    this.#bottom = bottom;
  }

  reset(): void {
    this.#origin = 0;
    this.#top = 0;
    this.#bottom = MAX_ROWS - 1;
  }

  /** Answers whether these can be margins. */
  set(top: number, bottom: number): boolean {
    const last = Math.min(bottom, MAX_ROWS - 1);
    if (top >= last) return false;
    this.#top = top;
    this.#bottom = last;
    return true;
  }

  /** The index of a row of the screen; less than 0 for one above the region. */
  indexOf(row: number): number {
    return row + this.#origin;
  }

  /** The index of the topmost row of the screen that is there. */
  get screenTop(): number {
    return Math.max(0, this.#origin);
  }

  /** The index of the first row that scrolls, and that of the last. */
  get first(): number {
    return Math.max(0, this.#top + this.#origin);
  }

  get last(): number {
    return this.#bottom + this.#origin;
  }

  /** Nothing stays where it is above what scrolls. */
  get isAtTop(): boolean {
    return this.#top === 0;
  }

  holds(index: number): boolean {
    return index >= this.#top + this.#origin && index <= this.last;
  }

  /** A row of a screen that scrolls in parts, beyond which others move instead of the cursor. */
  isLast(index: number): boolean {
    return this.#isSet && index === this.last;
  }

  isFirst(index: number): boolean {
    return !this.isAtTop && index === this.#top + this.#origin;
  }

  /** Where so many rows down (or up, less than 0) lead from an index: the margins hold who is within. */
  bounded(index: number, count: number): number {
    const to = index + count;
    if (count < 0) {
      const first = this.#top + this.#origin;
      return this.isAtTop || index < first ? to : Math.max(first, to);
    }
    return this.#isSet && index <= this.last ? Math.min(this.last, to) : to;
  }

  /** So many rows were added above the screen, or (less than 0) taken away. */
  shift(count: number): void {
    this.#origin += count;
  }

  /** The screen holds the last of so many rows. */
  fit(rows: number): void {
    this.#origin = Math.max(this.#origin, rows - MAX_ROWS);
  }

  /** The cursor has come to an index, so that the screen begins there or above. */
  reach(index: number): void {
    this.#origin = Math.min(this.#origin, index);
  }

  get #isSet(): boolean {
    return this.#top > 0 || this.#bottom < MAX_ROWS - 1;
  }
}
