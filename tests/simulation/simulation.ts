import { Engine } from "../../src/engine/engine.ts";
import type { RunSelector } from "../../src/core/selector.ts";
import type { Config } from "../../src/types.ts";
import { settle } from "../support/fake_clock.ts";
import { minute, second } from "../support/units.ts";
import type { Fact } from "./book.ts";
import { type CrashPoint, Life } from "./life.ts";
import { Machine } from "./machine.ts";
import { Model } from "./model.ts";
import { type Move, randomMoves } from "./moves.ts";
import { Random } from "./random.ts";
import { spared } from "./spared.ts";
import { beginnings, firstConfig, names, nextConfig } from "./setup.ts";

/** Everything that a simulation depends on. */
export interface Script {
  now: number;
  config: Config;
  moves: Move[];
}

/** What was wrong, and after which move (counted from 0; as many as there are: at the end). */
export interface Finding {
  message: string;
  step: number;
}

type CrashMove = Extract<Move, { do: "crash" }>;

/** After a drain so many moves follow before the daemon is stopped. */
const movesWhileDraining = 4;

/** The script that a seed stands for. */
export function scriptOf(seed: number): Script {
  const random = new Random(seed);
  return {
    now: random.oneIn(2) ? beginnings[0]! : random.pick(beginnings),
    config: firstConfig(random),
    moves: randomMoves(random, 20 + random.below(60)),
  };
}

/** Plays a script on a machine of its own. Answers what was wrong, if anything was; `trace` takes a line for each move. */
export async function play(
  script: Script,
  options: { trace?: (line: string) => void } = {},
): Promise<Finding | undefined> {
  return await new Simulation(script).play(options.trace);
}

class Simulation {
  readonly #script: Script;
  readonly #machine: Machine;
  readonly #model: Model;
  #life!: Life;
  #engine: Engine | undefined;
  /** What becomes of the daemon once it has died. */
  #crash: CrashMove | undefined;
  #drainedFor: number | undefined;
  /** The configuration before the last reload. */
  #former: Config | undefined;

  constructor(script: Script) {
    this.#script = script;
    this.#machine = new Machine(script.now);
    this.#model = new Model(this.#machine, script.config);
  }

  async play(trace?: (line: string) => void): Promise<Finding | undefined> {
    const { moves } = this.#script;
    const release = listenForEscapes((error) => this.#model.escaped(error));
    try {
      await this.#start();
      for (const [step, move] of moves.entries()) {
        await this.#step(move);
        trace?.(this.#trace(step));
        if (this.#violation !== undefined) return { message: this.#violation, step };
      }
      await this.#end();
      // What escaped from a promise is told only after a turn of the runtime.
      await new Promise((resolve) => setTimeout(resolve));
      return this.#violation === undefined ? undefined : { message: this.#violation, step: moves.length };
    } finally {
      release();
      this.#life.die();
      this.#machine.store.close();
    }
  }

  /** How things stand after a move. */
  #trace(step: number): string {
    const { book } = this.#model;
    const active = book.active().map(({ run }) => `${run.id} ${run.unit} ${run.status}`);
    return `${step}: ${book.now}, life ${book.life}, ${book.runs.size} runs, ${active.join(", ")}`;
  }

  get #violation(): string | undefined {
    return this.#model.book.violation;
  }

  async #step(move: Move): Promise<void> {
    if (this.#drainedFor !== undefined && ++this.#drainedFor > movesWhileDraining) {
      await this.#cleanStop({ do: "clean stop", away: 0 });
    }
    await this.#perform(move);
    await settle();
    await this.#revive();
    if (this.#violation === undefined && this.#engine !== undefined) this.#model.check(this.#engine);
  }

  /** Starts a daemon anew where it has died. */
  async #revive(): Promise<void> {
    while (this.#life.isDead && this.#violation === undefined) {
      const crash = this.#crash;
      this.#crash = undefined;
      this.#engine = undefined;
      await this.#pass(crash ?? { away: 0 });
      if (crash?.reboot) this.#machine.reboot();
      const again = crash?.again ?? 0;
      await this.#start(again > 0 ? { at: again, done: crash!.done } : undefined);
    }
  }

  /** Time goes by without a daemon, and its configuration may change meanwhile. */
  async #pass({ away, seed }: { away: number; seed?: number }): Promise<void> {
    await this.#machine.clock.advance(away);
    if (seed !== undefined) {
      this.#model.book.config = nextConfig(new Random(seed), this.#model.book.config);
    }
  }

  async #start(crash?: CrashPoint): Promise<void> {
    const model = this.#model;
    this.#drainedFor = undefined;
    if (spared.kindsWhileDown) this.#leaveOutNewTasks();
    model.boot();
    const life = new Life(this.#machine, { config: () => model.book.config, witness: model, crash });
    this.#life = life;
    let failure: unknown;
    Engine.start(life.world, model.book.config).then(
      (engine) => this.#engine = engine,
      (error) => failure = error,
    );
    for (
      let turn = 0;
      turn < 50 && !life.isDead && failure === undefined && this.#engine === undefined;
      turn++
    ) {
      await settle();
    }
    if (life.isDead) return;
    if (failure !== undefined || this.#engine === undefined) {
      return model.escaped(failure ?? new Error("the daemon does not start"));
    }
    this.#engine.bus.subscribe((event) => life.publish(() => model.told(event)));
    model.booted();
    await settle();
  }

  /** A task that was a service when the former daemon died is not in the configuration. */
  #leaveOutNewTasks(): void {
    const { book } = this.#model;
    const lives = new Set(
      book.active().filter(({ run }) => run.trigger === "service").map(({ run }) => run.unit),
    );
    const units = book.config.units.filter(({ name, kind }) => kind === "service" || !lives.has(name));
    book.config = { ...book.config, units };
  }

  async #perform(move: Move): Promise<void> {
    const { clock, processes } = this.#machine;
    const { book } = this.#model;
    const alive = processes.alive();
    switch (move.do) {
      case "exit":
        return alive[move.pick % alive.length]?.exit(move.code, move.signal);
      case "print":
        return alive[move.pick % alive.length]?.print("x".repeat(move.size));
      case "habit":
        return processes.behave(move.name, move.habit);
      case "advance":
        await clock.advance(move.ms);
        book.isStalled = false;
        book.stalledFrom = undefined;
        return;
      case "stall":
        book.stalledFrom ??= book.now;
        clock.stall(move.ms);
        book.isStalled = true;
        return book.disturb();
      case "jump":
        return this.#jump(move.ms);
      case "crash":
        this.#crash = move;
        return this.#life.dieAt(move);
      case "refuse":
        return this.#life.refuseAt(move.at);
      case "clean stop":
        return await this.#cleanStop(move);
      case "drain":
        book.drain();
        this.#drainedFor ??= 0;
        return this.#engine!.drain();
      case "reload":
        return this.#reload(nextConfig(new Random(move.seed), book.config));
      case "revert":
        return this.#reload(this.#former ?? book.config);
      default:
        return await this.#request(move);
    }
  }

  #jump(ms: number): void {
    const { book, ticks } = this.#model;
    const from = book.stalledFrom ?? book.now;
    const isFresh = book.mono - book.jumpedAt > 35 * second;
    this.#machine.clock.jump(ms);
    book.jumpedAt = book.mono;
    if (ms > 0) ticks.absent(from, book.now, { isSure: ms > 10 * second && isFresh && !book.isStalled });
    else {
      ticks.returned();
      book.jumpedBackAt = book.mono;
    }
    this.#life.jumpedAt = book.mono;
    book.disturb();
  }

  #reload(after: Config): void {
    const model = this.#model;
    const { book } = model;
    if (book.isDraining) return;
    const before = book.config;
    book.config = after;
    this.#former = before;
    if (spared.lineMovesFirst) {
      const { maxParallelRuns } = before.daemon;
      book.config = { ...book.config, daemon: { ...book.config.daemon, maxParallelRuns } };
    }
    book.isReloading = true;
    book.reloadedAt = book.mono;
    this.#life.isReloading = true;
    for (const unit of before.units) {
      if (unit.kind !== "task") continue;
      const after = book.unit(unit.name);
      if (after?.kind === "task" && after.maxConcurrent < unit.maxConcurrent) book.lowered.add(unit.name);
      if (after?.kind === "task") model.tasks.redefined(unit.name);
      else {
        model.tasks.removed(unit.name);
        model.retries.drop(unit.name);
      }
    }
    model.services.reloading(before);
    this.#ask(() => void this.#engine!.reload({ dryRun: false }));
    book.isReloading = false;
    this.#life.isReloading = false;
  }

  /** Does what a client can ask for; says whether it was done. */
  #ask(body: () => void): boolean {
    const model = this.#model;
    const { refusals } = model.book;
    try {
      body();
      if (this.#life.isDead) return false;
      model.retries.settle();
      return true;
    } catch (error) {
      if (this.#life.isDead || isFault(error)) return false;
      if (!isRefusal(error)) model.escaped(error);
      model.forgive();
      return false;
    } finally {
      if (model.book.refusals > refusals) model.forgive();
    }
  }

  async #request(move: Extract<Move, { name: string } | { count: number }>): Promise<void> {
    const { book } = this.#model;
    const request = { made: 0 };
    book.stopping.clear();
    book.request = request;
    const { refusals } = book;
    if ("count" in move) await this.#requestForRuns(move);
    else if (move.do !== "habit") {
      const due = this.#due(move);
      const isDone = this.#ask(() => this.#requestForUnit(move));
      if (due !== undefined && isDone && request.made !== due && book.refusals === refusals) {
        book.violate(`${move.do} of ${move.name} made ${request.made} runs, ${due} were due`);
      }
    }
    await settle();
    if (book.request === request) book.request = undefined;
  }

  /** How many runs a request must make, if it is not refused. Tells the model what is asked for. */
  #due(move: Extract<Move, { name: string }>): number | undefined {
    const { book, tasks, services, retries } = this.#model;
    const unit = book.unit(move.name);
    if (unit === undefined) return undefined;
    const mayRun = unit.apiTrigger && !book.isDraining;
    const { name } = unit;
    switch (move.do) {
      case "run":
      case "hook":
        return 1;
      case "start":
        if (unit.kind === "task") {
          return tasks.of(name).places.length + tasks.of(name).queue.length > 0 ? 0 : 1;
        }
        if (mayRun) services.start(name);
        return 0;
      case "stop":
        if (unit.kind === "task") {
          tasks.stopAll(name);
          retries.drop(name);
        } else if (unit.apiTrigger) services.stop(name);
        return 0;
      case "restart":
        if (unit.kind === "task" && mayRun) {
          tasks.restart(name);
          retries.drop(name);
        } else if (mayRun) services.restart(name);
        return unit.kind === "task" ? 1 : 0;
      default:
        return 0;
    }
  }

  #requestForUnit({ do: what, name }: Extract<Move, { name: string }>): void {
    const engine = this.#engine!;
    switch (what) {
      case "run":
        return void engine.run(name, { trigger: "api" });
      case "hook":
        return void engine.run(name, { trigger: "hook", byHook: true });
      case "start":
        return void engine.startUnit(name, { trigger: "api" });
      case "stop":
        return void engine.stopUnit(name).catch((error: unknown) => this.#model.escaped(error));
      case "restart":
        return void engine.restartUnit(name, { trigger: "api" });
      case "pause":
        return engine.pause(name);
      case "resume":
        return engine.resume(name);
    }
  }

  async #requestForRuns(move: Extract<Move, { count: number }>): Promise<void> {
    const { book, tasks, services } = this.#model;
    const engine = this.#engine!;
    if (move.do === "stop run") {
      const active = book.active();
      const fact = active[move.pick % active.length];
      if (fact === undefined) return;
      if (fact.run.trigger === "service") services.stopRun(fact);
      else tasks.stop(fact);
      return void this.#ask(() => engine.stopRun(fact.run.id));
    }
    const ids = this.#picked(move).map(({ run }) => run.id);
    const [id] = ids;
    if (id === undefined) return;
    if (move.do === "delete" && ids.length === 1) return void this.#ask(() => engine.deleteRun(id));
    const selector: RunSelector = { ids };
    const life = this.#life;
    const bulk: Promise<unknown> = move.do === "delete"
      ? engine.bulk.delete(selector)
      : move.do === "restore"
      ? engine.bulk.restore(selector)
      : engine.bulk.rerun(selector);
    bulk.catch((error: unknown) => {
      if (!life.isDead && !isFault(error) && !isRefusal(error)) this.#model.escaped(error);
    });
    await this.#machine.clock.advance(0);
    book.isStalled = false;
    book.stalledFrom = undefined;
  }

  #picked({ do: what, pick, count }: Extract<Move, { count: number }>): Fact[] {
    const runs = [...this.#model.book.runs.values()].reverse().filter(({ isRemoved, hiddenAt }) =>
      !isRemoved && (hiddenAt !== undefined) === (what === "restore")
    );
    return runs.slice(pick % (runs.length || 1), pick % (runs.length || 1) + count);
  }

  async #cleanStop({ away, seed }: Extract<Move, { do: "clean stop" }>): Promise<void> {
    const { book } = this.#model;
    book.drain();
    book.stoppingSince = book.mono;
    const life = this.#life;
    let isOver = false;
    this.#engine!.stop().then(
      () => isOver = true,
      (error: unknown) => life.isDead || this.#model.escaped(error),
    );
    for (let s = 0; s < 90 && !isOver && !life.isDead; s++) await this.#machine.clock.advance(second);
    book.isStalled = false;
    if (!life.isDead) {
      if (!isOver) book.violate("a clean stop does not end");
      this.#model.checkStopped();
      life.die();
      this.#crash = undefined;
    }
    this.#engine = undefined;
    await this.#pass(seed === undefined ? { away } : { away, seed });
    await this.#revive();
  }

  /** Nothing more is done, and every process of a task ends by itself: all must come to rest. */
  async #end(): Promise<void> {
    const { processes, clock } = this.#machine;
    const { book } = this.#model;
    this.#life.trustAgain();
    this.#life.dieAt({ at: Infinity, done: true });
    this.#crash = undefined;
    if (book.isDraining) await this.#cleanStop({ do: "clean stop", away: 0 });
    for (const name of names) {
      const isTask = (book.unit(name)?.kind ?? "task") === "task";
      processes.behave(name, isTask ? { exits: 0 } : {});
    }
    for (let turn = 0; turn < 8 && this.#violation === undefined; turn++) {
      for (const process of processes.alive()) {
        if (book.runs.get(process.spec.runId)?.run.trigger !== "service") process.exit(0);
      }
      await clock.advance(turn === 7 ? minute + second : 30 * second);
      book.isStalled = false;
      book.stalledFrom = undefined;
      if (this.#engine !== undefined) this.#model.check(this.#engine);
    }
    if (this.#violation !== undefined) return;
    this.#model.checkQuiet();
    if (this.#violation === undefined) await this.#cleanStop({ do: "clean stop", away: 0 });
  }
}

function isFault(error: unknown): boolean {
  return error instanceof Error && error.name === "Fault";
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.message === "database is locked";
}

/** Hears of errors that nobody catches; those of a daemon that is dead are nobody's business. */
function listenForEscapes(escaped: (error: unknown) => void): () => void {
  const take = (event: Event, error: unknown): void => {
    event.preventDefault();
    if (!(error instanceof Error && error.constructor.name === "Crash")) escaped(error);
  };
  const onRejection = (event: PromiseRejectionEvent): void => take(event, event.reason);
  const onError = (event: ErrorEvent): void => take(event, event.error);
  globalThis.addEventListener("unhandledrejection", onRejection);
  globalThis.addEventListener("error", onError);
  return () => {
    globalThis.removeEventListener("unhandledrejection", onRejection);
    globalThis.removeEventListener("error", onError);
  };
}
