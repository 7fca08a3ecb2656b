import type { Book } from "./book.ts";

/** After the clock was moved, a scheduler may notice so much later, in ms. */
export const wakesEvery = 35_000;

/** A span of the wall clock; up to `sureTo` nobody can have taken it for a busy moment. */
interface Absence {
  from: number;
  to: number;
  sureTo: number;
}

/** What no daemon saw go by: it was not there, the machine slept, or the clock was moved forward. */
export class Absences {
  readonly #book: Book;
  readonly #spans: Absence[] = [];
  /** Up to here a daemon was there for certain, and did what was due. */
  lastSeen: number;

  constructor(book: Book) {
    this.#book = book;
    this.lastSeen = book.now;
  }

  /** A daemon is there for the last time; what was due in its last moments may be left to the next. */
  left(): void {
    const { mono, now, jumpedAt, drainedFrom, behindFrom } = this.#book;
    const patience = jumpedAt >= mono - wakesEvery ? wakesEvery : 15_000;
    this.lastSeen = Math.min(drainedFrom ?? Infinity, behindFrom ?? now) -
      (this.#book.isCalmSince(mono - patience) ? 1 : patience);
  }

  add(from: number, to: number, { isSure }: { isSure: boolean }): void {
    this.#spans.push({ from, to, sureTo: isSure ? to - wakesEvery : -Infinity });
  }

  /** A daemon may never have seen what went by. */
  doubt(): void {
    for (const absence of this.#spans) absence.sureTo = -Infinity;
  }

  /** Whether a moment may have gone by unseen. */
  holds(at: number): boolean {
    return this.#spans.some(({ from, to }) => from < at && at <= to);
  }

  /** The absence in which a moment lies for certain. */
  sureOf(at: number): Absence | undefined {
    return this.#spans.find(({ from, sureTo }) => from < at && at <= sureTo);
  }

  /** Up to here the last one certainly went. */
  get latestSureTo(): number {
    return this.#spans.at(-1)?.sureTo ?? -Infinity;
  }
}
