import type { Task } from "../../src/types.ts";
import { type Book, type Fact, nameOf } from "./book.ts";

interface Owed {
  unit: string;
  ofRun: string;
  attempt: number;
  /** Wall clock, as it is stored; monotonic clock in this life. */
  dueAt: number;
  due: number;
  /** It may be made from then on; monotonic clock, as `storedAt`. */
  from: number;
  storedAt: number;
  /** Its run was stopped, and the daemon died before it ended. */
  isOptional: boolean;
}

/** Which retries are owed, when, and that each is made once (docs/behaviour.md#retries). */
export class RetriesModel {
  readonly #book: Book;
  #owed: Owed[] = [];

  constructor(book: Book) {
    this.#book = book;
  }

  boot(): void {
    const { mono, now } = this.#book;
    this.#owed = this.#owed.filter(({ unit }) => this.#book.unit(unit)?.kind === "task");
    for (const one of this.#owed) {
      one.due = one.from = mono + Math.max(0, one.dueAt - now);
    }
  }

  /** A run of a task that executed has ended. */
  ended(fact: Fact): void {
    const book = this.#book;
    const { run } = fact;
    const wasRecovered = fact.startedIn !== book.life;
    const current = book.unit(run.unit);
    const definition = (wasRecovered ? current : fact.unit) as Task | undefined;
    if (definition?.kind !== "task" || current?.kind !== "task") return;
    const attempt = run.retryAttempt + 1;
    if (!run.isFailure || run.endReason === "stopped" || attempt > definition.retryAttempts) return;
    if (fact.userStopped && !wasRecovered) return;
    const { retryDelay, retryBackoff } = definition;
    const factor = retryBackoff === "constant" ? 1 : retryBackoff === "linear" ? attempt : 2 ** (attempt - 1);
    const delay = Math.min(5 * 60_000, retryDelay * factor);
    this.#owed.push({
      unit: run.unit,
      ofRun: run.retryOf ?? run.id,
      attempt,
      dueAt: run.endedAt! + delay,
      due: book.mono + Math.max(0, run.endedAt! + delay - book.now),
      from: book.mono + Math.max(0, run.endedAt! + delay - book.now),
      storedAt: book.mono,
      isOptional: fact.userStopped,
    });
  }

  /** A retry's run is made, or has ended without executing. */
  inserted(fact: Fact): void {
    const book = this.#book;
    const { run } = fact;
    const at = this.#owed.findIndex(({ unit, ofRun, attempt }) =>
      unit === run.unit && ofRun === run.retryOf && attempt === run.retryAttempt
    );
    const [owed] = at < 0 ? [] : this.#owed.splice(at, 1);
    if (owed === undefined) {
      return book.violate(`${nameOf(fact)} is made, and not owed (any more)`);
    }
    if (run.trigger !== book.runs.get(owed.ofRun)?.run.trigger) {
      book.violate(`${nameOf(fact)} has another trigger`);
    }
    if (book.mono < owed.from) book.violate(`${nameOf(fact)} comes ${owed.from - book.mono} ms too early`);
    if (book.mono > owed.due && book.isCalmSince(owed.due)) {
      book.violate(`${nameOf(fact)} comes ${book.mono - owed.due} ms too late`);
    }
  }

  /**
   * The wall clock goes on by so much in the middle of a turn, in which writes may have been slow: what was stored in it
   * may have been scheduled only then.
   */
  slept(ms: number, { turnFrom }: { turnFrom: number }): void {
    const { mono } = this.#book;
    for (const one of this.#owed) if (one.storedAt >= turnFrom) one.from = Math.max(mono, one.due - ms);
  }

  /** The chains of a task are ended. */
  drop(unit: string): void {
    this.#owed = this.#owed.filter((one) => one.unit !== unit);
  }

  check(): void {
    const book = this.#book;
    if (book.isDraining || book.isStalled) return;
    for (const { unit, ofRun, attempt, due, isOptional } of this.#owed) {
      if (isOptional || !book.isOverdue(due)) continue;
      book.violate(
        `retry ${attempt} of run ${ofRun} of ${unit} was due ${book.mono - due} ms ago and is not made`,
      );
    }
  }
}
