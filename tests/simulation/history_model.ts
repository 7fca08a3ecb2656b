import { type Book, type Fact, nameOf } from "./book.ts";

const undoWindow = 10_000;

/** What becomes of runs that have ended: retention, deletion, the undo window. */
export class HistoryModel {
  readonly #book: Book;

  constructor(book: Book) {
    this.#book = book;
  }

  removed(id: string): void {
    const book = this.#book;
    const fact = book.runs.get(id);
    if (fact === undefined || fact.isRemoved) return book.violate(`run ${id} is removed, and is not there`);
    if (fact.run.status !== "ended") book.violate(`${nameOf(fact)} is removed, and is ${fact.run.status}`);
    if (fact.hiddenAt !== undefined) {
      if (book.now - fact.hiddenAt < undoWindow) {
        book.violate(`${nameOf(fact)} is purged within its undo window`);
      }
    } else this.#checkRetention(fact);
    fact.isRemoved = true;
  }

  #checkRetention(fact: Fact): void {
    const book = this.#book;
    const unit = book.unit(fact.run.unit);
    const { keepRuns, keepFor } = unit ??
      { keepRuns: book.config.removedKeepRuns, keepFor: book.config.removedKeepFor };
    if (keepFor > 0 && fact.run.createdAt < book.now - keepFor) return;
    const newer = this.#kept(fact.run.unit).filter(({ run }) =>
      run.createdAt > fact.run.createdAt || (run.createdAt === fact.run.createdAt && run.id > fact.run.id)
    );
    if (keepRuns === 0 || newer.length < keepRuns) {
      book.violate(`${nameOf(fact)} is removed with ${newer.length} newer ones, keep_runs is ${keepRuns}`);
    }
  }

  #kept(unit: string): Fact[] {
    return [...this.#book.runs.values()].filter(({ run, isRemoved, hiddenAt }) =>
      run.unit === unit && !isRemoved && hiddenAt === undefined && run.status === "ended"
    );
  }

  hidden(id: string, at: number): void {
    const fact = this.#book.runs.get(id);
    if (fact?.run.status !== "ended") this.#book.violate(`run ${id} is deleted, and is ${fact?.run.status}`);
    else fact.hiddenAt = at;
  }

  restored(id: string): void {
    const book = this.#book;
    const fact = book.runs.get(id);
    if (fact?.hiddenAt === undefined || fact.isRemoved) {
      return book.violate(`run ${id} is restored, and was not deleted`);
    }
    if (book.now - fact.hiddenAt >= undoWindow) {
      book.violate(`${nameOf(fact)} is restored after its undo window`);
    }
    delete fact.hiddenAt;
  }

  /** Nothing was done for long: no more is kept than the configuration says. */
  checkQuiet(): void {
    const book = this.#book;
    for (const { name, keepRuns } of book.config.units) {
      const runs = this.#kept(name);
      const kept = runs.filter(({ endedAt = Infinity }) => endedAt < book.mono - 5000).length;
      // Retention looks again when a run ends, and hourly.
      if (!runs.some(({ endedAt = Infinity }) => endedAt > book.reloadedAt && endedAt < book.mono - 5000)) {
        continue;
      }
      if (keepRuns > 0 && kept > keepRuns) {
        book.violate(`${kept} runs of ${name} are kept, keep_runs is ${keepRuns}`);
      }
    }
  }
}
