import { find, isStuck, lose } from "./stuck.ts";
import type { EngineEvent } from "../../src/engine/bus.ts";
import type { Engine, UnitView } from "../../src/engine/engine.ts";
import type { ProcessExit } from "../../src/io/process/processes.ts";
import type { Config, Run } from "../../src/types.ts";
import type { FakeProcess } from "../support/fake_processes.ts";
import { Book, type Fact, nameOf } from "./book.ts";
import { KeptModel } from "./kept_model.ts";
import { HistoryModel } from "./history_model.ts";
import { LivesModel } from "./lives_model.ts";
import type { Machine, Witness, Write } from "./machine.ts";
import { RetriesModel } from "./retries_model.ts";
import { ServicesModel } from "./services_model.ts";
import { TasksModel } from "./tasks_model.ts";
import { TicksModel } from "./ticks_model.ts";

/** What was killed at `shutdown_timeout` and has not ended so much later is left to the next daemon, ms. */
const lastPatience = 10_000;

/** All that is known of what a daemon should do, held against all that it does. */
export class Model implements Witness {
  readonly book: Book;
  readonly tasks: TasksModel;
  readonly services: ServicesModel;
  readonly retries: RetriesModel;
  readonly ticks: TicksModel;
  readonly #lives: LivesModel;
  readonly #kept: KeptModel;
  readonly #history: HistoryModel;
  /** Tasks that are to run once because the daemon starts. */
  #startups = new Set<string>();
  /** A reload is asked for that is not stored yet. */
  #isReloading = false;
  /** A task whose runs end as soon as its retries are gone. */
  #stopping: { name: string; restarts: boolean } | undefined;

  constructor(machine: Machine, config: Config) {
    this.book = new Book(machine, config);
    this.tasks = new TasksModel(this.book);
    this.services = new ServicesModel(this.book);
    this.retries = new RetriesModel(this.book);
    this.ticks = new TicksModel(this.book);
    this.#kept = new KeptModel(this.book);
    this.#lives = new LivesModel(this.book, this.#kept);
    this.#history = new HistoryModel(this.book);
  }

  /** A daemon starts on what is there. */
  boot(): void {
    const { book } = this;
    book.life++;
    book.phase = "boot";
    book.isDraining = false;
    book.drainedFrom = undefined;
    book.stoppingSince = undefined;
    book.handsOver = false;
    book.bootRefusedSince = undefined;
    book.reloadFrom = undefined;
    book.config = book.onDisk;
    book.request = undefined;
    book.isStalled = false;
    book.wasBusy = false;
    book.stalledFrom = undefined;
    book.behindFrom = undefined;
    book.disturb();
    book.fresh.clear();
    this.#isReloading = false;
    this.#stopping = undefined;
    const startups = book.config.units.filter((unit) => unit.kind === "task" && unit.runOnStart);
    this.#startups = new Set(startups.map(({ name }) => name));
    this.#bootBlindly();
    this.#kept.boot();
    this.ticks.boot();
    this.tasks.boot();
    this.retries.boot();
    this.services.boot();
  }

  /** Where nothing tells what earlier daemons have left, that may live on, and the start waits for an answer for a while. */
  #bootBlindly(): void {
    const { book } = this;
    const { processes } = book.machine;
    if (processes.finds !== "yes") this.#standStill();
    if (processes.answers === "yes" && !processes.isMoody) return;
    for (const process of processes.alive()) lose(process);
    this.#standStill();
  }

  /** Nothing is done for a while, in a daemon's start or in the middle of its work. */
  #standStill(): void {
    const { book } = this;
    book.stalledFrom ??= book.now;
    book.behindFrom ??= book.now;
    book.isStalled = true;
    book.disturb();
  }

  /** A start waits for something outside. */
  async waits(ms: number): Promise<void> {
    const { now, machine } = this.book;
    this.ticks.absent(now, now + ms);
    await machine.clock.advance(ms);
    this.book.disturb();
  }

  /** A start has come to its end in disorder, since the database refused: all that it had begun is over. */
  notBooted(): void {
    const { book } = this;
    const left = book.machine.processes.alive().find((process) =>
      this.#isOwn(book.runs.get(process.spec.runId)) && !isStuck(process)
    );
    if (left !== undefined) book.violate(`a process of ${left.spec.name} outlives a start that was refused`);
  }

  /** What was taken over outlives a start that is refused. */
  #isOwn(fact: Fact | undefined): boolean {
    return fact?.startedIn === this.book.life && fact.taken?.in !== this.book.life;
  }

  booted(): void {
    this.book.phase = "up";
    this.book.bootedAt = this.book.mono;
    if (this.book.isStalled) this.goesOn();
    this.ticks.booted();
    this.book.bootRefusedSince = undefined;
    for (const name of this.#startups) this.book.violate(`${name} does not run on start`);
    this.#startups.clear();
  }

  /** A reload is asked for: what the files say is in force once it is stored. */
  reloading(): void {
    this.#isReloading = true;
  }

  /** A reload is over; answers whether it was stored. */
  reloaded(): boolean {
    const isStored = !this.#isReloading;
    this.#isReloading = false;
    this.book.reloadFrom = undefined;
    return isStored;
  }

  /** A task is to be stopped: all of it, once its retries are gone. */
  stopping(name: string, options: { restarts: boolean }): void {
    this.#stopping = { name, ...options };
  }

  /** A request has come to its end, however that was. */
  answered(): void {
    this.#stopping = undefined;
    this.tasks.forgetRestarts();
  }

  stored(writes: readonly Write[]): void {
    if (this.#isReloading) this.#putIntoForce();
    for (const write of writes) this.#stored(write);
  }

  #putIntoForce(): void {
    const { book } = this;
    const before = book.config;
    this.#isReloading = false;
    book.reloadFrom = before;
    book.reloadedAt = book.mono;
    book.config = book.onDisk;
    for (const { name, kind } of before.units) {
      if (kind !== "task") continue;
      if (book.unit(name)?.kind === "task") this.tasks.redefined(name);
      else this.tasks.removed(name);
    }
    this.services.reloading(before);
  }

  #dropped(unit: string): void {
    this.retries.drop(unit);
    if (this.#stopping?.name !== unit) return;
    if (this.#stopping.restarts) this.tasks.restart(unit);
    else this.tasks.stopAll(unit);
    this.#stopping = undefined;
  }

  #stored(write: Write): void {
    switch (write.do) {
      case "insert":
        return this.#inserted(write.run);
      case "update":
        return this.#updated(write.run);
      case "keep":
        return this.#kept.stored(write);
      case "remove":
        return this.#history.removed(write.id);
      case "hide":
        for (const id of write.ids) this.#history.hidden(id, write.at);
        return;
      case "restore":
        for (const { id } of write.runs) this.#history.restored(id);
        return;
      case "schedule":
        return this.ticks.stored(write.state);
      case "handled":
        return this.ticks.handled(write.unit, write.tick);
      case "drop retries":
        return this.#dropped(write.unit);
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
    if (run.status === "running" && former.status === "pending" && isTask) this.tasks.starting(fact);
    fact.run = run;
    if (run.status !== "ended") return;
    fact.endedAt = this.book.mono;
    if (!isTask) return this.services.ended(fact);
    if (former.status === "running") this.retries.ended(fact);
    this.tasks.ended(fact, former.status === "pending");
  }

  launched(process: FakeProcess): void {
    this.#lives.launched(process);
  }

  adopted(process: FakeProcess): void {
    find(process);
    const fact = this.#kept.adopted(process);
    if (fact === undefined) return;
    if (fact.run.trigger === "service") this.services.adopted(fact);
    else this.tasks.adopted(fact);
    // What was too much before is too much still.
    if (this.book.machine.sizes.get(fact.run.id)?.overflow === true) this.book.end(fact, "log_overflow");
  }

  dismissed(process: FakeProcess): void {
    this.#kept.dismissed(process);
  }

  dropped(process: FakeProcess): void {
    this.#kept.dropped(process);
  }

  signalled(runId: string, signal: string): void {
    const fact = this.book.runs.get(runId);
    if (fact?.run.trigger === "service" && this.#mayBounce(fact)) {
      this.book.end(fact, "stopped");
      // What else was due may have come first.
      if (fact.want !== undefined && this.book.isJustTaken(fact)) fact.want.isUnsure = true;
    }
    this.#lives.signalled(runId, signal);
  }

  /** Whether an instance may be asked to end because a reload changed it. */
  #mayBounce(fact: Fact): boolean {
    const { run, unit, startedAt = 0 } = fact;
    if (this.book.stoppingSince !== undefined || !this.services.mayBounce(run.unit)) return false;
    return unit === undefined || unit.timeout === 0 || this.book.mono < startedAt + unit.timeout ||
      this.book.isJustTaken(fact);
  }

  exited(runId: string, exit: ProcessExit): void {
    this.#lives.exited(runId, exit);
  }

  lost(runId: string): void {
    this.#lives.lost(runId);
  }

  overflowed(runId: string): void {
    this.#lives.overflowed(runId);
  }

  told(event: EngineEvent): void {
    this.#lives.told(event);
  }

  refused(tried: readonly Write[]): void {
    for (const write of tried) {
      if (write.do === "update" && write.run.status === "ended") this.#lives.cannotEnd(write.run);
    }
    if (this.book.phase === "boot") this.book.bootRefusedSince ??= this.book.mono;
    this.book.refusals++;
    this.book.refusedAt = this.book.mono;
    this.ticks.refused();
    this.book.disturb();
  }

  /** A daemon does nothing for a while. */
  stall(ms: number, { mayBeBusy = false } = {}): void {
    const { book } = this;
    book.stalledFrom ??= book.now;
    book.behindFrom ??= book.now;
    this.ticks.stalled();
    book.machine.clock.stall(ms);
    this.services.stalled(ms);
    this.ticks.idle(ms);
    // Who was busy first may have looked in between, and taken what was due by then for late.
    book.wasBusy ||= mayBeBusy;
    this.ticks.stoodStill(book.stalledFrom, { mayBeBusy: book.wasBusy });
    this.#standStill();
  }

  /** The machine sleeps in the middle of what a daemon does. */
  sleeps(pass: () => void): void {
    const { book } = this;
    const { mono, now } = book;
    this.ticks.sleeps();
    pass();
    this.retries.slept(book.now - now, { turnFrom: mono - (now - (book.stalledFrom ?? now)) });
    this.ticks.slept(book.now - now);
    book.stalledFrom ??= now;
    book.behindFrom ??= now;
    book.wasBusy = true;
    this.#standStill();
  }

  /** What is due has been done. */
  goesOn(): void {
    const { book } = this;
    book.isStalled = false;
    book.wasBusy = false;
    book.stalledFrom = undefined;
    if (book.refusedAt < book.mono - 3000) book.behindFrom = undefined;
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
    book.disturb();
    this.#lives.died();
  }

  /** Between two moves. */
  check(engine: Engine): void {
    const { book } = this;
    this.#lives.check();
    this.#kept.check();
    this.tasks.check();
    this.retries.check();
    this.services.check();
    this.ticks.check();
    for (const view of this.#viewsOf(engine)) {
      const { name, kind } = view.unit;
      if (kind !== "task") continue;
      if (book.isCalmSince(book.mono - 5000)) this.tasks.compare(name, view);
      if (!book.isDraining) this.ticks.compare(name, { pausedAt: view.pausedAt, nextRunAt: view.nextRunAt });
    }
    this.#checkRows();
  }

  #viewsOf(engine: Engine): UnitView[] {
    try {
      return engine.views();
    } catch (error) {
      this.book.violate(`the daemon can't say how its units are: ${String(error)}`);
      return [];
    }
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
    const alive = book.machine.processes.alive().filter((process) => !isStuck(process));
    // A database that refuses is waited for so long and no longer.
    const isGivenUp = book.refusedAt >= book.stoppingSince! + 5000;
    if (alive.length > 0) book.violate(`a process of ${alive[0]!.spec.name} outlives a clean stop`);
    for (const fact of book.active()) {
      if (fact.run.status !== "running" || isGivenUp || isStuck(fact.process)) continue;
      if (book.helpersFailedAt > book.stoppingSince! - 30_000) continue;
      // Who is asked for in vain is left to the next daemon when all patience is over, which slow writes use up as well.
      const patience = book.config.daemon.shutdownTimeout + lastPatience;
      if (fact.lostAt !== undefined && book.mono >= book.stoppingSince! + patience) continue;
      book.violate(`${nameOf(fact)} is marked running after a clean stop`);
    }
  }

  /** A handover has come to its end: what can't outlive the daemon has ended, and all else lives. */
  checkHandedOver(): void {
    const { book } = this;
    const patience = book.config.daemon.shutdownTimeout + lastPatience;
    const isGivenUp = book.config.daemon.shutdownTimeout > 0 && book.mono >= book.stoppingSince! + patience;
    for (const fact of book.active()) {
      // Of what could not be started nothing lives: where the database refuses its end, the next daemon ends it.
      if (fact.run.status !== "running" || fact.process === undefined) continue;
      if (book.isKept(fact) || isGivenUp) continue;
      book.violate(`${nameOf(fact)} can't outlive the daemon, and is handed over`);
    }
  }

  /** Whether something keeps a handover from coming to its end. */
  get mayHoldUp(): boolean {
    const { book } = this;
    return book.active().some((fact) =>
      fact.run.status === "running" && !book.isKept(fact) &&
      (isStuck(fact.process) || fact.lostAt !== undefined || book.helpersFailedAt > book.mono - 60_000)
    );
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
    this.#history.checkQuiet();
  }
}
