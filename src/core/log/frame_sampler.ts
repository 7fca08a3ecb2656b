/** Frames are taken this many ms apart at the least. */
const APART = 50;
/** The most frames of a region, and the most characters in them. */
export const MAX_FRAMES = 200;
const MOST_CHARS = 256 * 1024;

const NONE: string[][] = [];

/** What it goes on from, for a journal. */
export interface FramesState {
  frames: string[][];
  apart: number;
  /** Unix ms; absent: any time. */
  next?: number;
}

/**
 * Earlier frames of a region, each an array of rows. When there are too many, every second one goes and from
 * then on they are taken half as often, so that they stay evenly spread.
 */
export class FrameSampler {
  #frames: string[][] = [];
  #chars = 0;
  #apart = APART;
  #next = -Infinity;
  #latest: readonly string[] = [];

  get state(): FramesState {
    const next = this.#next === -Infinity ? {} : { next: this.#next };
    return { frames: this.#frames, apart: this.#apart, ...next };
  }

  restore({ frames, apart, next = -Infinity }: FramesState): void {
    this.#frames = frames.map((rows) => [...rows]);
    this.#chars = frames.reduce((sum, rows) => sum + charsOf(rows), 0);
    this.#apart = apart;
    this.#next = next;
    this.#latest = this.#frames.at(-1) ?? [];
  }

  /** True when a frame may be taken at a time (Unix ms). */
  isDue(at: number): boolean {
    // A clock that was set back must not end the sampling.
    return at >= this.#next || at < this.#next - this.#apart;
  }

  /** Keeps a frame, unless it is like the one before. */
  add(frame: string[], at: number): void {
    if (frame.length === 0) return;
    this.#next = at + this.#apart;
    const chars = charsOf(frame) - 1;
    if (chars > MOST_CHARS || (this.#frames.length > 0 && isAlike(frame, this.#latest))) return;
    // Rows that come in above this frame belong to it: see `addAbove`.
    this.#latest = frame;
    this.#frames.push(frame);
    this.#chars += chars;
    while (this.#frames.length > MAX_FRAMES || this.#chars > MOST_CHARS) this.#thin();
  }

  /** Adds rows above to a frame that was taken at this very time, where they came into its region only then. */
  addAbove(rows: string[], at: number): void {
    const frame = this.#frames[this.#frames.length - 1];
    if (frame === undefined || at !== this.#next - this.#apart) return;
    frame.unshift(...rows);
    this.#latest = frame;
    this.#chars += charsOf(rows);
  }

  /** Hands out the frames so far, oldest first. */
  handOut(): string[][] {
    if (this.#frames.length === 0) return NONE;
    const frames = this.#frames;
    this.forget();
    return frames;
  }

  /** The region has gone without a line. */
  forget(): void {
    if (this.#frames.length === 0) return;
    this.#frames = [];
    this.#chars = 0;
    this.#apart = APART;
  }

  #thin(): void {
    this.#frames = this.#frames.filter((_, i) => i % 2 === 0);
    this.#chars = this.#frames.reduce((sum, rows) => sum + charsOf(rows), 0);
    this.#apart *= 2;
    if (this.#frames.length === 1 && this.#chars > MOST_CHARS) this.forget();
  }
}

/** Characters of rows, each with its end. */
function charsOf(rows: readonly string[]): number {
  return rows.reduce((sum, row) => sum + row.length + 1, 0);
}

/** Rows that did not change are the same text, which takes no time to see. */
function isAlike(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((row, i) => row === b[i]);
}
