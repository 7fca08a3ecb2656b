import type { Row } from "./row.ts";

/** A longer line can't be taken back: what it drew stays, whatever comes. */
const MOST = 65_536;
const NONE = new Uint8Array(0);

/** The line that is being drawn, for a journal. */
export interface LineState {
  /** Where its row stands in the region; -1: it is gone. */
  row: number;
  wasBlank: boolean;
  /** As base64. */
  bytes: string;
  isLost: boolean;
}

/** The bytes of the line that is being drawn, and the row where it began: it may have to pass as it came. */
export class LineBytes {
  #row: Row;
  /** There was nothing in the row before. */
  #wasBlank = true;
  #bytes: Uint8Array = NONE;
  #length = 0;
  #isLost = false;

  constructor(row: Row) {
    this.#row = row;
  }

  state(indexOf: (row: Row) => number): LineState {
    const [wasBlank, isLost] = [this.#wasBlank, this.#isLost];
    return { row: indexOf(this.#row), wasBlank, isLost, bytes: this.bytes.toBase64() };
  }

  restore({ wasBlank, bytes, isLost }: LineState): void {
    this.#wasBlank = wasBlank;
    this.#isLost = isLost;
    this.#bytes = Uint8Array.fromBase64(bytes);
    this.#length = this.#bytes.length;
  }

  /** A new line begins at a row. */
  begin(row: Row): void {
    this.#row = row;
    this.#wasBlank = row.isBlank;
    this.#length = 0;
    this.#isLost = false;
    if (this.#bytes.length > 1024) this.#bytes = NONE;
  }

  /** Adds bytes that were drawn. */
  add(bytes: Uint8Array): void {
    if (this.#isLost) return;
    const length = this.#length + bytes.length;
    if (length > MOST) return this.lose();
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(Math.min(MOST, Math.max(128, length, 2 * this.#bytes.length)));
      grown.set(this.bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = length;
  }

  /** The line can't pass as it came any more. */
  lose(): void {
    this.#isLost = true;
    this.#bytes = NONE;
    this.#length = 0;
  }

  /** True when the line can pass as it came, with so many bytes more. */
  fits(more: number): boolean {
    return !this.#isLost && this.#length + more <= MOST;
  }

  /** The line so far, valid until the next call. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** The row that holds nothing but what this line drew. */
  get ownRow(): Row | undefined {
    return this.#wasBlank ? this.#row : undefined;
  }
}
