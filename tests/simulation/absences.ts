import type { Book } from "./book.ts";

/** After the clock was moved, a scheduler may notice so much later, in ms. */
export const wakesEvery = 35_000;

/** A span of the wall clock; up to `sureTo` nobody can have taken it for a busy moment. */
interface Absence {
  from: number;
  to: number;
  sureTo: number;
}

/** The database refuses, again and again: from the first to the last time so far. */
interface Refusal {
  wall: number;
  first: number;
  last: number;
  /** In between nothing was tried for a while, so that not everything was refused for all that time. */
  hasPaused?: true;
  absence?: Absence;
}

/** Whatever is refused is tried again sooner than this, in ms. */
const nextTry = 2_000;
/** What is refused for longer than this is missed, in ms. */
const longRefusal = 10_000;

/** What no daemon saw go by: it was not there, the machine slept, or the clock was moved forward. */
export class Absences {
  readonly #book: Book;
  readonly #spans: Absence[] = [];
  #refusal: Refusal | undefined;
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

  /** The database refuses something: what comes due while it does so for long is missed. Answers whether it is long. */
  refused(): boolean {
    const { now, mono, jumpedAt } = this.#book;
    const goesOn = this.#refusal !== undefined && this.#refusal.last >= mono - nextTry;
    const refusal = goesOn ? this.#refusal! : { wall: now, first: mono, last: mono };
    this.#refusal = refusal;
    refusal.last = mono;
    if (mono - refusal.first <= longRefusal) return false;
    if (refusal.absence === undefined) {
      // What came due just before may have been refused first; what does until it is tried again is missed too.
      refusal.absence = { from: refusal.wall - nextTry, to: now + nextTry, sureTo: -Infinity };
      this.#spans.push(refusal.absence);
    }
    refusal.absence.to = now + nextTry;
    const isSure = jumpedAt < refusal.first && refusal.hasPaused === undefined &&
      mono - refusal.first > longRefusal + wakesEvery;
    if (isSure) refusal.absence.sureTo = now - wakesEvery;
    return true;
  }

  /** A daemon has done nothing for some ms: a refusal that it had met goes on for it. */
  idle(ms: number): void {
    const refusal = this.#refusal;
    if (refusal !== undefined && refusal.last >= this.#book.mono - ms - nextTry) {
      refusal.last = this.#book.mono;
      refusal.hasPaused = true;
    }
  }

  /** From when on what came due may be refused at this moment, Unix ms; undefined where nothing is. */
  get refusedFrom(): number | undefined {
    const refusal = this.#refusal;
    return refusal === undefined || refusal.last < this.#book.mono - nextTry
      ? undefined
      : refusal.wall - nextTry;
  }

  /** The wall clock alone goes on by some ms: what was refused just before is tried again only then. */
  moved(ms: number): void {
    const refusal = this.#refusal;
    if (refusal?.absence !== undefined && refusal.last >= this.#book.mono - nextTry) refusal.absence.to += ms;
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
