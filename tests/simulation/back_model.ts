import type { Task } from "../../src/types.ts";
import type { Book, Fact } from "./book.ts";
import { type Back, isFarAhead, iso, type ScheduleFact, tickAfter } from "./schedule_fact.ts";

/** Schedules that a wrong clock had taken far ahead: they go on from the moment it is set right, and no tick gets a second row. */
export class BackModel {
  readonly #book: Book;

  constructor(book: Book) {
    this.#book = book;
  }

  /** Where the mark of a schedule lies far ahead, it goes on from now. */
  set(known: ScheduleFact, noticed: number): void {
    const { now } = this.#book;
    if (!isFarAhead(known.handled, now)) return;
    if (known.back === undefined) known.back = { from: now, noticed, last: now, isUnsure: false };
    else {
      const { from, last } = known.back;
      Object.assign(known.back, { from: Math.min(from, now), last: Math.min(last, now), isUnsure: true });
    }
  }

  /** A daemon does nothing for a while, and so it does not notice that its clock was set back. */
  stalled({ back }: ScheduleFact): void {
    if (back !== undefined && back.noticed >= this.#book.now) back.isUnsure = true;
  }

  /** A tick before the mark of a schedule that had been far ahead. */
  inserted(
    fact: Fact,
    { known, task, back, what }: { known: ScheduleFact; task: Task; back: Back; what: string },
  ): void {
    const book = this.#book;
    const { createdAt, endReason } = fact.run;
    if (createdAt <= back.last) return book.violate(`${what} comes after that for ${iso(back.last)}`);
    if (this.#hasRow(fact.run.unit, createdAt, fact)) book.violate(`${what} is the second`);
    fact.mayCatchUp = true;
    if (!back.isUnsure && endReason !== "missed") {
      for (let at = Math.max(back.last, back.noticed);;) {
        const tick = tickAfter(known, at);
        if (tick === undefined || tick.at >= createdAt) break;
        if (tick.note !== "repeat" && !this.#hasRow(fact.run.unit, tick.at)) {
          return book.violate(`${what} comes before that for ${iso(tick.at)}`);
        }
        at = tick.at;
      }
    }
    if (endReason === "missed" && task.catchUp !== "skip") back.isUnsure = true;
    back.last = createdAt;
  }

  #hasRow(unit: string, tick: number, except?: Fact): boolean {
    for (const fact of this.#book.runs.values()) {
      const { run, isRemoved } = fact;
      if (fact === except || isRemoved || run.unit !== unit || run.createdAt !== tick) continue;
      if (run.trigger === "cron" && run.retryAttempt === 0) return true;
    }
    return false;
  }

  /** A schedule that had been far ahead goes on. */
  check(unit: string, { back, ...known }: ScheduleFact): void {
    if (back === undefined || back.isUnsure) return;
    let tick = tickAfter(known, Math.max(back.last, back.noticed));
    while (tick !== undefined && (tick.note === "repeat" || this.#hasRow(unit, tick.at))) {
      tick = tickAfter(known, tick.at);
    }
    if (tick !== undefined && tick.at <= this.#book.now) {
      this.#book.violate(`${unit} does not go on after the clock was set right: ${iso(tick.at)}`);
    }
  }
}
