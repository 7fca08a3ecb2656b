import type { EndReason, Task } from "../../src/types.ts";
import { type Book, type Fact, nameOf } from "./book.ts";
import { LineModel } from "./line_model.ts";

interface TaskFact {
  /** Runs that hold a place, and those that wait for one, in the order in which they came. */
  places: Fact[];
  queue: Fact[];
  /** Runs that a restart waits for. */
  restarting: Set<Fact>;
  /** A restart is being dealt with, and its run is still to come. */
  restarts: boolean;
}

/** Admission, order and limits of the runs of tasks (docs/behaviour.md#overlap). */
export class TasksModel {
  readonly #book: Book;
  readonly #line: LineModel;
  readonly #tasks = new Map<string, TaskFact>();

  constructor(book: Book) {
    this.#book = book;
    this.#line = new LineModel(book, () => [...this.#tasks.values()].map(({ places }) => places));
  }

  /** A daemon starts: what waits is taken up in the order in which it came. */
  boot(): void {
    this.#tasks.clear();
    for (const fact of this.#book.active()) {
      const { run } = fact;
      if (run.status === "running") continue;
      fact.catchUp = run.trigger === "cron" && run.retryAttempt === 0;
      if (run.trigger !== "service" && this.#book.unit(run.unit)?.kind === "task") {
        this.of(run.unit).queue.push(fact);
      } else fact.mustEnd = { at: this.#book.mono, wall: this.#book.now };
    }
    for (const name of this.#tasks.keys()) this.#pump(name);
  }

  of(name: string): TaskFact {
    let task = this.#tasks.get(name);
    if (task === undefined) {
      task = {
        places: this.#executing(name),
        queue: [],
        restarting: new Set(),
        restarts: false,
      };
      this.#tasks.set(name, task);
    }
    return task;
  }

  /** A run of an earlier daemon goes on, before anything starts: who was thought to have its place waits. */
  adopted(fact: Fact): void {
    const { unit } = fact.run;
    if (this.#book.unit(unit)?.kind !== "task") return;
    const task = this.of(unit);
    const waiting = task.places.filter(({ run }) => run.status === "pending");
    task.queue.unshift(...waiting);
    task.places = this.#executing(unit);
    this.#line.join(fact, fact.unit as Task);
    this.#pump(unit);
  }

  #executing(name: string): Fact[] {
    return this.#book.active().filter(({ run, startedIn }) =>
      run.unit === name && run.trigger !== "service" && run.status === "running" &&
      startedIn === this.#book.life
    );
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
    if (run.trigger === "cron" && run.retryAttempt === 0) this.#line.tickMade(fact, definition);
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
      fact.userStopped = true;
      this.#book.end(fact, "stopped");
      return;
    }
    fact.mustEnd ??= { at: this.#book.mono, wall: this.#book.now };
    const task = this.#tasks.get(fact.run.unit);
    if (task !== undefined) this.#takeOut(task, fact);
  }

  /** A run is stopped alone: where it waited, the next takes its place, though its end may be stored late. */
  stopOne(fact: Fact): void {
    this.stop(fact);
    if (this.#tasks.has(fact.run.unit)) this.#pump(fact.run.unit);
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

  /** A task may have a new definition: who waits for its turn takes it. */
  redefined(name: string): void {
    const definition = this.#book.unit(name) as Task;
    const { places, queue } = this.of(name);
    for (const fact of [...places].reverse()) {
      if (fact.run.status !== "pending") continue;
      if (fact.gate !== undefined) fact.gate.isSure = false;
      if (places.length <= definition.maxConcurrent) continue;
      places.splice(places.indexOf(fact), 1);
      queue.unshift(fact);
    }
    this.#pump(name);
  }

  /** A run starts; its row still says that it waits. */
  starting(fact: Fact): void {
    const book = this.#book;
    const { run } = fact;
    const task = this.of(run.unit);
    if (fact.mustEnd !== undefined) book.violate(`${nameOf(fact)} starts, and was stopped before`);
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
    const definition = book.unit(run.unit) as Task;
    const own = task.places.filter((other) => other.run.status === "running").length;
    if (own >= definition.maxConcurrent) {
      book.violate(
        `${nameOf(fact)} starts beside ${own} others, max_concurrent is ${definition.maxConcurrent}`,
      );
    }
    this.#line.starting(fact, task.places);
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
    this.#line.ended(fact);
    this.#takeOut(task, fact);
    task.restarting.delete(fact);
    this.#pump(run.unit);
  }

  #takeOut(task: TaskFact, fact: Fact): void {
    task.places = task.places.filter((one) => one !== fact);
    task.queue = task.queue.filter((one) => one !== fact);
  }

  /** Between two moves. */
  check(): void {
    const book = this.#book;
    for (const fact of book.active()) {
      if (fact.mustEnd !== undefined && fact.run.status === "pending" && book.isOverdue(fact.mustEnd.at)) {
        book.violate(`${nameOf(fact)} waits on, and was stopped`);
      }
    }
    if (!book.isDraining && book.isCalmSince(book.mono - 5000)) this.#line.check();
  }

  /** What an engine says of a task must be what is known. */
  compare(name: string, seen: { active: number; queued: number }): void {
    const { places, queue } = this.of(name);
    if (seen.active === places.length && seen.queued === queue.length) return;
    this.#book.violate(
      `${name} says ${seen.active} active and ${seen.queued} queued, ${places.length} and ${queue.length} are known`,
    );
  }

  /** A request is over: the run of a restart that is not made now never is. */
  forgetRestarts(): void {
    for (const task of this.#tasks.values()) task.restarts = false;
  }

  #pump(name: string): void {
    const definition = this.#book.unit(name);
    const task = this.of(name);
    if (definition?.kind !== "task" || task.restarting.size > 0 || this.#book.isDraining) return;
    while (task.places.length < definition.maxConcurrent && task.queue.length > 0) {
      const fact = task.queue.shift()!;
      task.places.push(fact);
      this.#line.join(fact, definition);
    }
  }
}
