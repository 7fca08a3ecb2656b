import type { InstanceWords, KeptWords } from "../../src/core/kept_words.ts";
import type { Run } from "../../src/types.ts";
import type { FakeProcess } from "../support/fake_processes.ts";
import { type Book, type Fact, nameOf } from "./book.ts";
import type { Write } from "./machine.ts";
import { isStuck } from "./stuck.ts";

/** Runs that outlive their daemon: who takes them over, and how they stood (docs/behaviour.md#life-beyond-the-daemon). */
export class KeptModel {
  readonly #book: Book;

  constructor(book: Book) {
    this.#book = book;
  }

  /** A daemon starts: whether it will be told all of what was left. */
  boot(): void {
    const { processes } = this.#book.machine;
    this.#book.findsAll = (processes.finds === "yes" || processes.finds === "late") &&
      (processes.answers === "yes" || processes.answers === "late") && !processes.isMoody;
  }

  /** What a row says to the next daemon changes. */
  stored({ id, nonce, kept }: Extract<Write, { do: "keep" }>): void {
    const fact = this.#book.runs.get(id);
    if (fact === undefined) return;
    const known = nonce ?? fact.row?.nonce;
    if (kept === undefined || known === undefined) delete fact.row;
    else fact.row = { nonce: known, kept };
  }

  /** A row that says that it runs changes, and goes on to say so: of a run that was taken over, or that got no keeper. */
  mayChange(fact: Fact, run: Run): boolean {
    return !this.#book.isKept(fact) || (fact.taken?.in === this.#book.life && run.adoptedAt !== undefined);
  }

  /** A daemon goes on with a process. Answers what is known of it from now on, where that is as it should be. */
  adopted(process: FakeProcess): Fact | undefined {
    const book = this.#book;
    const fact = book.runs.get(process.spec.runId);
    if (fact === undefined || fact.run.status !== "running") {
      book.violate(`a process of ${process.spec.name} is taken over, and its row says ${fact?.run.status}`);
      return undefined;
    }
    if (fact.startedIn === book.life) book.violate(`${nameOf(fact)} is taken over, and this daemon has it`);
    if (fact.row?.nonce !== process.spec.keep?.nonce) {
      book.violate(`${nameOf(fact)} is taken over, and its row knows of another keeper`);
    }
    if (!book.findsAll && book.machine.processes.answers === "yes" && !book.machine.processes.isMoody) {
      book.violate(`${nameOf(fact)} is taken over, and its keeper was not told of`);
    }
    const { now, mono } = book;
    const end = process.keptEnd;
    fact.startedIn = book.life;
    fact.taken = {
      in: book.life,
      at: mono,
      // A clock that was set meanwhile makes no run end before it began, nor in time to come.
      ...(end === undefined ? {} : { endedAt: Math.max(fact.run.startedAt!, Math.min(end.at, now)) }),
    };
    delete fact.exit;
    delete fact.lostAt;
    this.#takeUp(fact);
    return fact;
  }

  /** What was to become of it, and since when, as it is written down. */
  #takeUp(fact: Fact): void {
    const { mono, now } = this.#book;
    const { want, phase, isAsked, askedAt = now } = wordsIn(fact).run;
    fact.taken!.isUnasked = isAsked !== true && phase !== "killing";
    fact.userStopped = want === "stopped";
    if (want === undefined) return;
    const grace = fact.unit?.gracefulStop ?? 0;
    // Who was killed already is killed again.
    const asked = phase === "killing" ? grace : Math.max(0, now - askedAt);
    fact.want = { reason: want, at: mono - asked };
  }

  /** Before a run is asked to end it is written down why: unless the database refuses. */
  signalled(fact: Fact): void {
    const book = this.#book;
    if (fact.row === undefined || fact.want === undefined || book.isStalled) return;
    if (book.refusedAt >= book.mono - 2000) return;
    const { want } = wordsIn(fact).run;
    if (want === fact.want.reason || fact.want.isUnsure === true) return;
    book.violate(`${nameOf(fact)} is made to end as ${fact.want.reason}, and its row says ${want}`);
  }

  /** When a run ended while no daemon was there, Unix ms. */
  endOf({ taken }: Pick<Fact, "taken">): number | undefined {
    return taken?.in === this.#book.life ? taken.endedAt : undefined;
  }

  /** A run ends that was executed. */
  checkEnd(fact: Fact, run: Run): void {
    const book = this.#book;
    const { taken, startedIn } = fact;
    if (startedIn !== book.life) {
      if (fact.process?.isDismissed === false && this.#mustBeTaken(fact)) {
        book.violate(`${nameOf(fact)} ends, and is not taken over`);
      }
    } else if (taken?.in === book.life && taken.endedAt === undefined && run.adoptedAt === undefined) {
      book.violate(`${nameOf(fact)} was taken over, and its row does not say so`);
    }
  }

  /** Whether there is all that it takes to go on with a run of an earlier daemon. */
  #mustBeTaken(fact: Fact): boolean {
    const { process, row } = fact;
    return this.#book.findsAll && this.#book.isKept(fact) && row?.nonce === process?.spec.keep?.nonce &&
      (process?.hasKeeper === true || process?.keptEnd !== undefined);
  }

  /** Nothing is forgotten of a run before its end is stored. */
  dismissed(process: FakeProcess): void {
    const fact = this.#book.runs.get(process.spec.runId);
    if (fact === undefined || fact.run.status === "ended") return;
    this.#book.violate(`the keeper of ${nameOf(fact)} is dismissed, and its end is not stored`);
  }

  /** What nobody has taken over is ended. */
  dropped(process: FakeProcess): void {
    const fact = this.#book.runs.get(process.spec.runId);
    if (fact?.run.status === "running" && this.#mustBeTaken(fact)) {
      this.#book.violate(`${nameOf(fact)} is ended, though a keeper has it`);
    }
  }

  /** Between two moves. */
  check(): void {
    const book = this.#book;
    for (const process of book.machine.processes.launched) {
      if (process.spec.keep === undefined || process.isDismissed || !process.isKept) continue;
      const fact = book.runs.get(process.spec.runId);
      if (fact?.run.status === "ended" && fact.startedIn === book.life) {
        book.violate(`${nameOf(fact)} has ended, and its keeper stays`);
      }
    }
    if (book.isStalled || book.refusedAt >= book.mono - 2000) return;
    for (const fact of book.active()) this.#checkWords(fact);
  }

  /** What is written down of a run is what is to become of it. */
  #checkWords(fact: Fact): void {
    const { row, run, exit, lostAt, want, process } = fact;
    if (row === undefined || run.status !== "running" || process === undefined || isStuck(process)) return;
    if (exit !== undefined || lostAt !== undefined || want?.isUnsure === true) return;
    const said = wordsIn(fact).run.want;
    if (said !== want?.reason) {
      this.#book.violate(`${nameOf(fact)} is to end as ${want?.reason}, and its row says ${said}`);
    }
  }
}

/** What a row says of its run. */
function wordsIn({ row }: Fact): KeptWords {
  return JSON.parse(row!.kept) as KeptWords;
}

/** What a row says of the instance whose life its run is. */
export function instanceIn(fact: Fact): InstanceWords {
  return wordsIn(fact).instance!;
}
