import type { EngineEvent } from "../../src/engine/bus.ts";
import type { Engine } from "../../src/engine/engine.ts";
import type { ProcessExit } from "../../src/io/process/processes.ts";
import type { Config, Run } from "../../src/types.ts";
import type { FakeProcess } from "../support/fake_processes.ts";
import { Book, type Fact, nameOf } from "./book.ts";
import { LivesModel } from "./lives_model.ts";
import type { Machine, Witness, Write } from "./machine.ts";
import { RetriesModel } from "./retries_model.ts";
import { ServicesModel } from "./services_model.ts";
import { TasksModel } from "./tasks_model.ts";
import { TicksModel } from "./ticks_model.ts";

const undoWindow = 10_000;

/** All that is known of what a daemon should do, held against all that it does. */
export class Model implements Witness {
  readonly book: Book;
  readonly tasks: TasksModel;
  readonly services: ServicesModel;
  readonly retries: RetriesModel;
  readonly ticks: TicksModel;
  readonly #lives: LivesModel;
  /** Tasks that are to run once because the daemon starts. */
  #startups = new Set<string>();

  constructor(machine: Machine, config: Config) {
    this.book = new Book(machine, config);
    this.tasks = new TasksModel(this.book);
    this.services = new ServicesModel(this.book);
    this.retries = new RetriesModel(this.book);
    this.ticks = new TicksModel(this.book);
    this.#lives = new LivesModel(this.book);
  }

  /** A daemon starts on what is there. */
  boot(): void {
    const { book } = this;
    book.life++;
    book.phase = "boot";
    book.isDraining = false;
    book.drainedFrom = undefined;
    book.stoppingSince = undefined;
    book.isReloading = false;
    book.request = undefined;
    book.isStalled = false;
    book.stalledFrom = undefined;
    book.disturb();
    book.fresh.clear();
    book.lowered.clear();
    const startups = book.config.units.filter((unit) => unit.kind === "task" && unit.runOnStart);
    this.#startups = new Set(startups.map(({ name }) => name));
    this.ticks.boot();
    this.tasks.boot();
    this.retries.boot();
    this.services.boot();
  }

  booted(): void {
    this.book.phase = "up";
    this.ticks.booted();
    for (const name of this.#startups) this.book.violate(`${name} does not run on start`);
    this.#startups.clear();
  }

  stored(writes: readonly Write[]): void {
    for (const write of writes) this.#stored(write);
  }

  #stored(write: Write): void {
    switch (write.do) {
      case "insert":
        return this.#inserted(write.run);
      case "update":
        return this.#updated(write.run);
      case "remove":
        return this.#removed(write.id);
      case "hide":
        for (const id of write.ids) this.#hidden(id, write.at);
        return;
      case "restore":
        for (const { id } of write.runs) this.#restored(id);
        return;
      case "schedule":
        return this.ticks.stored(write.state);
      case "unschedule":
        return this.ticks.forgotten(write.unit);
    }
  }

  #inserted(run: Run): void {
    const { book } = this;
    const fact = this.#lives.inserted(run);
    if (run.trigger === "service") return this.services.inserted(fact);
    if (run.retryAttempt > 0) this.retries.inserted(fact);
    else if (run.trigger === "cron") this.ticks.inserted(fact);
    else if (run.trigger === "startup") {
      if (!this.#startups.delete(run.unit)) book.violate(`${nameOf(fact)} is made, and nothing starts`);
    } else if (book.request === undefined) book.violate(`${nameOf(fact)} is made, and nobody asked for it`);
    else book.request.made++;
    if (run.endReason === "missed" || run.endReason === "dst_skipped") return;
    this.tasks.inserted(fact);
  }

  #updated(run: Run): void {
    const fact = this.#lives.updated(run);
    if (fact === undefined) return;
    const former = fact.run;
    const isTask = run.trigger !== "service";
    if (run.status === "running" && isTask) this.tasks.starting(fact);
    fact.run = run;
    if (run.status !== "ended") return;
    fact.endedAt = this.book.mono;
    if (!isTask) return this.services.ended(fact);
    if (former.status === "running") this.retries.ended(fact);
    this.tasks.ended(fact, former.status === "pending");
  }

  #removed(id: string): void {
    const { book } = this;
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
    const { book } = this;
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
    return [...this.book.runs.values()].filter(({ run, isRemoved, hiddenAt }) =>
      run.unit === unit && !isRemoved && hiddenAt === undefined && run.status === "ended"
    );
  }

  #hidden(id: string, at: number): void {
    const fact = this.book.runs.get(id);
    if (fact?.run.status !== "ended") this.book.violate(`run ${id} is deleted, and is ${fact?.run.status}`);
    else fact.hiddenAt = at;
  }

  #restored(id: string): void {
    const { book } = this;
    const fact = book.runs.get(id);
    if (fact?.hiddenAt === undefined || fact.isRemoved) {
      return book.violate(`run ${id} is restored, and was not deleted`);
    }
    if (book.now - fact.hiddenAt >= undoWindow) {
      book.violate(`${nameOf(fact)} is restored after its undo window`);
    }
    delete fact.hiddenAt;
  }

  launched(process: FakeProcess): void {
    this.#lives.launched(process);
  }

  signalled(runId: string, signal: string): void {
    const fact = this.book.runs.get(runId);
    if (fact?.run.trigger === "service" && this.#mayBounce(fact)) {
      this.book.end(fact, "stopped");
    }
    this.#lives.signalled(runId, signal);
  }

  /** Whether an instance may be asked to end because a reload changed it. */
  #mayBounce({ run, unit, startedAt = 0 }: Fact): boolean {
    if (this.book.stoppingSince !== undefined || !this.services.mayBounce(run.unit)) return false;
    return unit === undefined || unit.timeout === 0 || this.book.mono < startedAt + unit.timeout;
  }

  exited(runId: string, exit: ProcessExit): void {
    this.#lives.exited(runId, exit);
  }

  overflowed(runId: string): void {
    this.#lives.overflowed(runId);
  }

  told(event: EngineEvent): void {
    this.#lives.told(event);
  }

  refused(): void {
    this.book.refusals++;
    this.book.refusedAt = this.book.mono;
    this.book.disturb();
  }

  escaped(error: unknown): void {
    const text = error instanceof Error ? error.stack ?? error.message : String(error);
    this.book.violate(`an error escapes and ends the daemon: ${text}`);
  }

  died(): void {
    const { book } = this;
    this.ticks.left();
    book.phase = "down";
    book.request = undefined;
    book.isReloading = false;
    book.disturb();
    this.#lives.died();
  }

  /** A request was refused half-way: what it asked for may have been done or not. */
  forgive(): void {
    this.tasks.forgive();
    this.retries.forgive();
    for (const fact of this.book.stopping) {
      if (fact.signals.some(({ at }) => at === this.book.mono && fact.want?.at === at)) continue;
      if (fact.want?.at === this.book.mono) delete fact.want;
      fact.userStopped = false;
      fact.mayBeStopped = true;
    }
  }

  /** Between two moves. */
  check(engine: Engine): void {
    const { book } = this;
    this.#lives.check();
    this.tasks.check();
    this.retries.check();
    this.services.check();
    this.ticks.check();
    for (const view of engine.views()) {
      const { name, kind } = view.unit;
      if (kind !== "task") continue;
      if (book.isCalmSince(book.mono - 5000)) this.tasks.compare(name, view);
      if (!book.isDraining) this.ticks.compare(name, { pausedAt: view.pausedAt, nextRunAt: view.nextRunAt });
    }
    this.#checkRows();
  }

  /** What is stored is what was seen to be stored. */
  #checkRows(): void {
    const rows = this.book.machine.store.runs.active();
    const known = this.book.active();
    if (rows.length !== known.length) {
      this.book.violate(`${rows.length} rows are not ended, ${known.length} are known`);
    }
  }

  /** A clean stop has come to its end. */
  checkStopped(): void {
    const { book } = this;
    const alive = book.machine.processes.alive();
    if (alive.length > 0) book.violate(`a process of ${alive[0]!.spec.name} outlives a clean stop`);
    for (const fact of book.active()) {
      if (fact.run.status === "running") book.violate(`${nameOf(fact)} is marked running after a clean stop`);
    }
  }

  /** Every process of a task ended by itself for long, and nothing was asked for. */
  checkQuiet(): void {
    const { book } = this;
    for (const fact of book.active()) {
      if (fact.run.trigger !== "service" && book.mono - fact.insertedAt > 60_000) {
        book.violate(`${nameOf(fact)} is ${fact.run.status} for ever`);
      }
    }
    this.services.checkQuiet();
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
