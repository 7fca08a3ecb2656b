import type { EndReason, Task } from "../../src/types.ts";
import { type Book, type Fact, nameOf } from "./book.ts";
import { spared } from "./spared.ts";

interface TaskFact {
  /** Runs that hold a place, and those that wait for one, in the order in which they came. */
  places: Fact[];
  queue: Fact[];
  /** Runs that a restart waits for. */
  restarting: Set<Fact>;
  /** A restart is being dealt with, and its run is still to come. */
  restarts: boolean;
}

/** Admission, order and limits of the runs of tasks (contract 3.5). */
export class TasksModel {
  readonly #book: Book;
  readonly #tasks = new Map<string, TaskFact>();

  constructor(book: Book) {
    this.#book = book;
  }

  /** A daemon starts: what waits is taken up in the order in which it came. */
  boot(): void {
    this.#tasks.clear();
    const active = this.#book.active();
    if (spared.resumedByTick) active.sort((a, b) => isEarlier(a, b) ? -1 : 1);
    for (const fact of active) {
      if (fact.run.status === "running") continue;
      if (this.#book.unit(fact.run.unit)?.kind === "task") this.of(fact.run.unit).queue.push(fact);
      else fact.mustEnd = "must";
    }
    for (const name of this.#tasks.keys()) this.#pump(name);
  }

  of(name: string): TaskFact {
    let task = this.#tasks.get(name);
    if (task === undefined) {
      const isOurs = ({ run, startedIn }: Fact): boolean =>
        run.unit === name && run.trigger !== "service" && run.status === "running" &&
        startedIn === this.#book.life;
      task = {
        places: this.#book.active().filter(isOurs),
        queue: [],
        restarting: new Set(),
        restarts: false,
      };
      this.#tasks.set(name, task);
    }
    return task;
  }

  /** A row was made that is not one of the scheduler's notes. */
  inserted(fact: Fact): void {
    const book = this.#book;
    const { run } = fact;
    const definition = book.unit(run.unit);
    if (definition?.kind !== "task") {
      return book.violate(`${nameOf(fact)} is made, and there is no such task`);
    }
    if (book.isDraining) book.violate(`${nameOf(fact)} is made while the daemon drains`);
    const task = this.of(run.unit);
    if (task.restarts) {
      task.restarts = false;
      task.restarting = new Set(task.places.filter(({ run }) => run.status === "running"));
    } else {
      const due = this.#verdict(task, definition);
      const is = run.endReason ?? run.status;
      if (is !== due) {
        book.violate(
          `${
            nameOf(fact)
          } is ${is}, ${due} was due: ${task.places.length} of ${definition.maxConcurrent} places taken, ${task.queue.length} of ${definition.queueMax} wait, on_overlap ${definition.onOverlap}`,
        );
      }
      if (run.status === "ended") return;
      if (definition.onOverlap === "terminate") this.#replace(task, definition);
    }
    task.queue.push(fact);
    this.#pump(run.unit);
  }

  #verdict(task: TaskFact, definition: Task): EndReason | "pending" {
    const isFree = task.places.length < definition.maxConcurrent && task.queue.length === 0;
    if (isFree || definition.onOverlap === "terminate") return "pending";
    if (definition.onOverlap === "skip") return "skipped";
    return task.queue.length < definition.queueMax ? "pending" : "queue_full";
  }

  /** The oldest that is not on its way out gives way to a fresh one. */
  #replace(task: TaskFact, { maxConcurrent }: Task): void {
    if (task.places.length < maxConcurrent && task.queue.length === 0) return;
    const staying = [...task.places, ...task.queue].filter(({ want }) => want === undefined);
    const [oldest] = staying;
    if (staying.length >= maxConcurrent && oldest !== undefined) this.stop(oldest);
  }

  /** A run is stopped that executes or waits. */
  stop(fact: Fact): void {
    if (fact.run.status === "running") {
      if (!fact.userStopped) this.#book.stopping.add(fact);
      fact.userStopped = true;
      this.#book.end(fact, "stopped");
    } else fact.mustEnd = "must";
  }

  /** All of a task is stopped. */
  stopAll(name: string): void {
    const task = this.of(name);
    for (const fact of [...task.places, ...task.queue]) this.stop(fact);
  }

  restart(name: string): void {
    this.stopAll(name);
    this.of(name).restarts = true;
  }

  /** A task is gone: what waits ends, what executes finishes. */
  removed(name: string): void {
    const task = this.of(name);
    for (const fact of [...task.places, ...task.queue]) if (fact.run.status === "pending") this.stop(fact);
    this.#tasks.delete(name);
  }

  redefined(name: string): void {
    this.#pump(name);
  }

  /** A run starts; its row still says that it waits. */
  starting(fact: Fact): void {
    const book = this.#book;
    const { run } = fact;
    const task = this.of(run.unit);
    if (fact.mustEnd === "must") book.violate(`${nameOf(fact)} starts, and was stopped before`);
    if (task.restarting.size > 0) {
      book.violate(`${nameOf(fact)} starts before those that a restart stopped have ended`);
    }
    if (!task.places.includes(fact)) {
      const first = task.queue[0];
      book.violate(
        `${nameOf(fact)} starts out of turn: ${task.places.length} places are taken, first in the queue is ${
          first === undefined ? "none" : nameOf(first)
        }`,
      );
    }
    const executing = this.#executing();
    const limit = book.config.daemon.maxParallelRuns;
    const definition = book.unit(run.unit) as Task;
    for (const other of task.places) {
      if (other === fact) break;
      if (other.run.status !== "pending" || this.#isHeld(other)) continue;
      // Runs that have places wait for the daemon in order of their ticks.
      const isFirst = limit > 0 && isEarlier(fact, other);
      if (!isFirst && !book.isReloading) book.violate(`${nameOf(fact)} overtakes ${nameOf(other)}`);
    }
    if (limit > 0 && executing.length >= limit) {
      book.violate(`${nameOf(fact)} starts beside ${executing.length} others, max_parallel_runs is ${limit}`);
    }
    const own = executing.filter((other) => other.run.unit === run.unit).length;
    if (own >= definition.maxConcurrent && !(spared.placesOfFormerLimit && book.lowered.has(run.unit))) {
      book.violate(
        `${nameOf(fact)} starts beside ${own} others, max_concurrent is ${definition.maxConcurrent}`,
      );
    }
    const catchingUp = executing.filter(({ catchUp }) => catchUp).length;
    if (fact.catchUp && catchingUp >= 4) {
      book.violate(`${nameOf(fact)} starts beside ${catchingUp} catch-up runs`);
    }
    if (limit > 0 && !book.isReloading && book.isCalmSince(book.mono - 5000)) this.#checkLine(fact);
  }

  /** Beyond the daemon's limit runs wait in order of their ticks. */
  #checkLine(fact: Fact): void {
    for (const { places } of this.#tasks.values()) {
      for (const other of places) {
        if (other === fact || other.run.status !== "pending" || other.mustEnd || this.#isHeld(other)) {
          continue;
        }
        if (isEarlier(other, fact)) {
          this.#book.violate(`${nameOf(fact)} overtakes ${nameOf(other)} of an earlier tick`);
        }
      }
    }
  }

  /** A run has ended; `row` holds how. */
  ended(fact: Fact, wasPending: boolean): void {
    const book = this.#book;
    const { run } = fact;
    if (wasPending) {
      if (fact.mustEnd === undefined) {
        book.violate(`${nameOf(fact)} ends as ${run.endReason}, and nobody asked for it`);
      }
      if (run.endReason !== "stopped") {
        book.violate(`${nameOf(fact)} ends as ${run.endReason} before it starts`);
      }
      delete fact.mustEnd;
    }
    const task = this.#tasks.get(run.unit);
    if (task === undefined) return;
    task.places = task.places.filter((one) => one !== fact);
    task.queue = task.queue.filter((one) => one !== fact);
    task.restarting.delete(fact);
    this.#pump(run.unit);
  }

  /** Between two moves. */
  check(): void {
    const book = this.#book;
    for (const fact of book.active()) {
      if (fact.mustEnd === "must" && fact.run.status === "pending") {
        book.violate(`${nameOf(fact)} waits on, and was stopped`);
      }
    }
    if (book.isDraining || !book.isCalmSince(book.mono - 5000)) return;
    const limit = book.config.daemon.maxParallelRuns;
    if (limit > 0 && this.#executing().length >= limit) return;
    for (const [name, { places, restarts }] of this.#tasks) {
      if (restarts) book.violate(`a restart of ${name} made no run`);
      for (const fact of places) {
        if (fact.run.status === "pending" && !this.#isHeld(fact)) {
          book.violate(`${nameOf(fact)} could start, and waits`);
        }
      }
    }
  }

  /** What an engine says of a task must be what is known. */
  compare(name: string, seen: { active: number; queued: number }): void {
    const { places, queue } = this.of(name);
    if (seen.active === places.length && seen.queued === queue.length) return;
    this.#book.violate(
      `${name} says ${seen.active} active and ${seen.queued} queued, ${places.length} and ${queue.length} are known`,
    );
  }

  /** A request was refused half-way: what was asked for may have been done or not. */
  forgive(): void {
    for (const fact of this.#book.active()) if (fact.mustEnd) fact.mustEnd = "may";
    for (const task of this.#tasks.values()) task.restarts = false;
  }

  #executing(): Fact[] {
    return this.#book.active().filter(({ run }) => run.status === "running" && run.trigger !== "service");
  }

  /** Whether too many catch-up runs execute for this one. */
  #isHeld(fact: Fact): boolean {
    const isOne = ({ catchUp, mayCatchUp }: Fact): boolean => catchUp || mayCatchUp;
    return isOne(fact) && this.#executing().filter(isOne).length >= 4;
  }

  #pump(name: string): void {
    const definition = this.#book.unit(name);
    const task = this.of(name);
    if (definition?.kind !== "task" || task.restarting.size > 0 || this.#book.isDraining) return;
    while (task.places.length < definition.maxConcurrent && task.queue.length > 0) {
      task.places.push(task.queue.shift()!);
    }
  }
}

function isEarlier({ run }: Fact, { run: than }: Fact): boolean {
  return run.createdAt < than.createdAt || (run.createdAt === than.createdAt && run.id < than.id);
}
