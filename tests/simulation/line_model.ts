import type { Task } from "../../src/types.ts";
import { type Book, type Fact, nameOf } from "./book.ts";

/** How many catch-up runs execute at once. */
const mostCatchUps = 4;
/** After the clock was moved, a deadline may be seen so much later, in ms. */
const wakesEvery = 35_000;
/** After a refusal things come so much later, in ms. */
const patience = 5000;

/** The daemon-wide line: limits, order, and the jitter gate (docs/behaviour.md#downtime, docs/behaviour.md#overlap). */
export class LineModel {
  readonly #book: Book;
  /** Runs of each task that have a place, in the order in which they came. */
  readonly #placesOf: () => Iterable<readonly Fact[]>;
  /** When a row for a tick was last made, on the monotonic clock. */
  #tickAt = -Infinity;
  /** When a process could not be started: its task's next run joins the line a moment after those that go meanwhile. */
  #failedAt = -Infinity;

  constructor(book: Book, placesOf: () => Iterable<readonly Fact[]>) {
    this.#book = book;
    this.#placesOf = placesOf;
  }

  /** A row for a tick is made: those that are let through the gate meanwhile may be the wrong ones. */
  tickMade(fact: Fact, { jitter }: Task): void {
    const book = this.#book;
    this.#tickAt = book.mono;
    if (jitter === 0 || fact.catchUp || fact.mayCatchUp || !book.isCalmSince(book.mono - patience)) return;
    const deadline = fact.run.createdAt + jitter;
    for (const other of this.#executing()) {
      const { gate, startedAt } = other;
      if (other.insertedAt !== book.mono) continue;
      if (gate?.isSure && startedAt === book.mono && book.now < gate.deadline && deadline < gate.deadline) {
        book.violate(`${nameOf(other)} passed the jitter gate before ${nameOf(fact)} was made`);
      }
    }
  }

  /** A run has ended. */
  ended({ process }: Fact): void {
    if (process === undefined) this.#failedAt = this.#book.mono;
  }

  /** A run has a place. */
  join(fact: Fact, task: Task): void {
    const { run, catchUp, mayCatchUp } = fact;
    delete fact.gate;
    if (task.jitter === 0 || run.trigger !== "cron" || run.retryAttempt > 0 || catchUp) return;
    fact.gate = { deadline: run.createdAt + task.jitter, name: run.unit, isSure: !mayCatchUp };
  }

  /** A run starts; its row still says that it waits. */
  starting(fact: Fact, places: readonly Fact[]): void {
    const book = this.#book;
    const executing = this.#executing();
    const limit = this.#limit();
    if (limit > 0 && executing.length >= limit) {
      book.violate(`${nameOf(fact)} starts beside ${executing.length} others, max_parallel_runs is ${limit}`);
    }
    const catchingUp = executing.filter(({ catchUp }) => catchUp).length;
    if (fact.catchUp && catchingUp >= mostCatchUps) {
      book.violate(`${nameOf(fact)} starts beside ${catchingUp} catch-up runs`);
    }
    this.#checkGate(fact, executing);
    if (book.refusedAt >= book.mono - patience) return;
    for (const other of places) {
      if (other === fact) break;
      if (other.run.status === "pending" && !this.isHeld(other)) {
        book.violate(`${nameOf(fact)} overtakes ${nameOf(other)}`);
      }
    }
    // Who comes after the clock was set back may have an earlier time and stand behind another of its task.
    const isOrdered = book.jumpedBackAt === -Infinity && this.#failedAt < book.mono;
    if (limit > 0 && isOrdered && book.isCalmSince(book.mono - patience) && book.reloadFrom === undefined) {
      this.#checkOrder(fact, places);
    }
  }

  #checkGate(fact: Fact, executing: readonly Fact[]): void {
    const book = this.#book;
    const { gate } = fact;
    if (!gate?.isSure || book.now >= gate.deadline) return;
    const holder = executing.find((other) => other.gate?.isSure);
    if (holder !== undefined) {
      book.violate(`${nameOf(fact)} passes the jitter gate, which ${nameOf(holder)} holds`);
    }
    const earlier = this.#waiting().find((other) => other.gate?.isSure && isFirst(other.gate, gate));
    if (earlier !== undefined && book.reloadFrom === undefined) {
      book.violate(`${nameOf(fact)} passes the jitter gate before ${nameOf(earlier)}`);
    }
  }

  /** Beyond the daemon's limit runs wait in order of their ticks, those of one task as they came. */
  #checkOrder(fact: Fact, own: readonly Fact[]): void {
    const behind = own.slice(own.indexOf(fact)).filter(({ run }) => run.status === "pending");
    const key = behind.reduce((first, one) => isEarlier(one, first) ? one : first);
    for (const places of this.#placesOf()) {
      if (places === own) continue;
      let latest: Fact | undefined;
      for (const other of places) {
        if (other.run.status !== "pending") continue;
        if (latest === undefined || isEarlier(latest, other)) latest = other;
        if (isEarlier(latest, key) && !this.isHeld(other)) {
          this.#book.violate(`${nameOf(fact)} overtakes ${nameOf(other)} of an earlier tick`);
        }
      }
    }
  }

  /** Between two moves: who could start has started. */
  check(): void {
    const limit = this.#limit();
    if (limit > 0 && this.#executing().length >= limit) return;
    for (const fact of this.#waiting()) {
      if (!this.isHeld(fact)) this.#book.violate(`${nameOf(fact)} could start, and waits`);
    }
  }

  /** Whether a run that has a place may have to wait for others than the daemon's limit. */
  isHeld(fact: Fact): boolean {
    const isOne = ({ catchUp, mayCatchUp }: Fact): boolean => catchUp || mayCatchUp;
    if (isOne(fact) && this.#executing().filter(isOne).length >= mostCatchUps) return true;
    const { gate } = fact;
    const { now, mono, jumpedAt } = this.#book;
    if (gate === undefined) return false;
    if (now >= gate.deadline) return jumpedAt >= mono - wakesEvery;
    return this.#tickAt === mono || this.#executing().some((other) => other.gate !== undefined) ||
      this.#waiting().some((other) => other.gate !== undefined && isFirst(other.gate, gate));
  }

  /** While a reload is under way the former limit holds. */
  #limit(): number {
    const { config, reloadFrom } = this.#book;
    const limits = [config, reloadFrom ?? config].map(({ daemon }) => daemon.maxParallelRuns);
    return limits.includes(0) ? 0 : Math.max(...limits);
  }

  #executing(): Fact[] {
    return this.#book.active().filter(({ run }) => run.status === "running" && run.trigger !== "service");
  }

  #waiting(): Fact[] {
    return [...this.#placesOf()].flat().filter(({ run }) => run.status === "pending");
  }
}

type Gate = NonNullable<Fact["gate"]>;

function isFirst(a: Gate, b: Gate): boolean {
  return a.deadline < b.deadline || (a.deadline === b.deadline && a.name < b.name);
}

function isEarlier({ run }: Fact, { run: than }: Fact): boolean {
  return run.createdAt < than.createdAt || (run.createdAt === than.createdAt && run.id < than.id);
}
