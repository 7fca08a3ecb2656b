import { Engine } from "../../src/engine/engine.ts";
import type { Config } from "../../src/types.ts";
import { settle } from "../support/fake_clock.ts";
import { minute, second } from "../support/units.ts";
import { Client, isRefusal } from "./client.ts";
import { listenForEscapes } from "./escapes.ts";
import { type CrashPoint, Life, type Refusal } from "./life.ts";
import { Machine } from "./machine.ts";
import { Model } from "./model.ts";
import { type Meanwhile, type Move, randomMoves, withLosses, withSqueeze } from "./moves.ts";
import { Random } from "./random.ts";
import type { FakeProcess } from "../support/fake_processes.ts";
import { isStuck } from "./stuck.ts";
import { withKeeping } from "./kept_moves.ts";
import { beginnings, firstConfig, names, nextConfig, squeezed, withMortals } from "./setup.ts";

/** Everything that a simulation depends on. */
export interface Script {
  now: number;
  config: Config;
  moves: readonly Move[];
  /** Runs outlive the daemon here. */
  keeps: boolean;
}

/** What was wrong, and after which move (counted from 0; as many as there are: at the end). */
export interface Finding {
  message: string;
  step: number;
}

/** No daemon is there for so long, ms; what happens to processes meanwhile, and whether the files change. */
interface Absence {
  away: number;
  seed?: number;
  meanwhile?: readonly Meanwhile[];
}

type CrashMove = Extract<Move, { do: "crash" }>;

/** After a drain so many moves follow before the daemon is stopped. */
const movesWhileDraining = 4;

/** The script that a seed stands for; `keeps`: whether runs outlive the daemon, where that is not for the seed to say. */
export function scriptOf(seed: number, options: { keeps?: boolean | undefined } = {}): Script {
  const script = plainScriptOf(seed);
  const random = new Random(seed ^ 0x2545f491);
  const keeps = random.oneIn(2);
  if (!(options.keeps ?? keeps)) return script;
  return {
    ...script,
    keeps: true,
    config: withMortals(random, script.config),
    moves: withKeeping(random, script.moves),
  };
}

function plainScriptOf(seed: number): Script {
  const random = new Random(seed);
  const rare = new Random(~seed);
  return {
    now: random.oneIn(2) ? beginnings[0]! : random.pick(beginnings),
    config: firstConfig(random),
    moves: withSqueeze(rare, withLosses(rare, randomMoves(random, 20 + random.below(60)))),
    keeps: false,
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
  /** What the database does to the next start. */
  #refusal: Refusal | undefined;
  /** The configuration before the last reload. */
  #former: Config | undefined;

  constructor(script: Script) {
    this.#script = script;
    this.#machine = new Machine(script.now);
    this.#machine.processes.keeping = { available: script.keeps };
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
  async #pass({ away, seed, meanwhile = [] }: Absence): Promise<void> {
    const { clock, processes } = this.#machine;
    for (const happening of meanwhile) {
      await clock.advance(Math.floor(away / (meanwhile.length + 1)));
      const alive = processes.alive();
      const process = alive[happening.pick % alive.length];
      if (process === undefined) continue;
      if (happening.do === "exit") end(process, happening);
      else if (happening.do === "print") process.print("x".repeat(happening.size));
      else process.loseKeeper();
    }
    await clock.advance(away - Math.floor(away / (meanwhile.length + 1)) * meanwhile.length);
    if (seed !== undefined) this.#model.book.onDisk = this.#nextConfig(seed);
  }

  #nextConfig(seed: number): Config {
    const next = nextConfig(new Random(seed), this.#model.book.onDisk);
    return this.#script.keeps ? withMortals(new Random(~seed), next) : next;
  }

  async #start(crash?: CrashPoint): Promise<void> {
    const model = this.#model;
    this.#drainedFor = undefined;
    model.boot();
    const life = new Life(this.#machine, {
      config: () => model.book.onDisk,
      witness: model,
      crash,
      refusal: this.#refusal,
    });
    this.#refusal = undefined;
    this.#life = life;
    let failure: unknown;
    Engine.start(life.world, model.book.config).then(
      (engine) => this.#engine = engine,
      (error) => failure = error,
    );
    const isOver = (): boolean => life.isDead || failure !== undefined || this.#engine !== undefined;
    for (let turn = 0; turn < 50 && !isOver(); turn++) await settle();
    // It waits for helpers that say nothing, or has to stop again.
    for (let half = 0; half < 300 && !isOver(); half++) await model.waits(second / 2);
    if (life.isDead) return;
    if (failure !== undefined && model.book.bootRefusedSince !== undefined && isRefusal(failure)) {
      model.notBooted();
      return life.die();
    }
    if (failure !== undefined) return model.escaped(failure);
    if (this.#engine === undefined) return model.book.violate("the daemon does not start");
    this.#engine.bus.subscribe((event) => life.publish(() => model.told(event)));
    model.booted();
    await settle();
  }

  async #perform(move: Move): Promise<void> {
    const { clock, processes } = this.#machine;
    const { book } = this.#model;
    const alive = processes.alive();
    switch (move.do) {
      case "exit":
        return end(alive[move.pick % alive.length], move);
      case "print":
        return alive[move.pick % alive.length]?.print("x".repeat(move.size));
      case "habit":
        return processes.behave(move.name, move.habit);
      case "advance":
        await clock.advance(move.ms);
        return this.#model.goesOn();
      case "become": {
        const process = alive[move.pick % alive.length];
        if (process !== undefined) process.behaviour = { ...process.behaviour, [move.how]: true };
        return;
      }
      case "lose keeper":
        return alive.filter((one) => book.isKept({ process: one }))[move.pick % alive.length]?.loseKeeper();
      case "finds":
        processes.finds = move.finds;
        return;
      case "hand over":
        return await this.#handOver(move);
      case "helpers":
        processes.isMoody = move.answers === "moody";
        processes.answers = move.answers === "moody" ? "yes" : move.answers;
        book.helpersFailedAt = move.answers === "yes" ? Math.min(book.helpersFailedAt, book.mono) : Infinity;
        return;
      case "lose": {
        const process = alive[move.pick % alive.length];
        if (process !== undefined) this.#machine.lose(process, move.loss);
        return;
      }
      case "slow":
        return this.#life.slowDown(move.writes, () => {
          book.slow(move.ms);
          this.#model.stall(move.ms, { mayBeBusy: true });
        });
      case "sleep":
        return this.#life.interrupt(move, () => this.#model.sleeps(() => this.#jump(move.ms)));
      case "stall":
        return this.#model.stall(move.ms);
      case "jump":
        return this.#jump(move.ms);
      case "crash":
        this.#crash = move;
        return this.#life.dieAt(move);
      case "refuse":
        return this.#life.refuse(move);
      case "refuse start":
        this.#refusal = move;
        return this.#life.die();
      case "clean stop":
        return await this.#cleanStop(move);
      case "drain":
        book.drain();
        this.#drainedFor ??= 0;
        return this.#engine!.drain();
      case "reload":
        return await this.#reload(this.#nextConfig(move.seed));
      case "squeeze":
        return await this.#reload(squeezed(book.onDisk, move));
      case "revert":
        return await this.#reload(this.#former ?? book.onDisk);
      default:
        return await this.#client().request(move);
    }
  }

  #jump(ms: number): void {
    const { book, ticks } = this.#model;
    const isFresh = book.mono - book.jumpedAt > 35 * second;
    // Since the last time that it was moved, nobody may have looked.
    const from = (book.behindFrom ?? book.now) - (isFresh ? 0 : 35 * second);
    this.#machine.clock.jump(ms);
    book.jumpedAt = book.mono;
    const isIdle = !book.isStalled && book.behindFrom === undefined;
    if (ms > 0) ticks.absent(from, book.now, { isSure: ms > 10 * second && isFresh && isIdle });
    else {
      book.shift(ms);
      ticks.returned();
      book.jumpedBackAt = book.mono;
      book.jumpedBackFrom = book.now - ms;
    }
    book.disturb();
  }

  async #reload(after: Config): Promise<void> {
    const { book } = this.#model;
    this.#former = book.onDisk;
    book.onDisk = after;
    await this.#client().reload();
  }

  #client(): Client {
    const { book } = this.#model;
    // Who is asked between two standstills looks at the clock, though nothing that is due is dealt with.
    book.wasBusy ||= book.stalledFrom !== undefined;
    return new Client(this.#machine, this.#model, { life: this.#life, engine: this.#engine! });
  }

  /** All that can outlive the daemon is left to the next one. */
  async #handOver(move: Extract<Move, { do: "hand over" }>): Promise<void> {
    const { book } = this.#model;
    book.drain();
    book.stoppingSince = book.mono;
    book.handsOver = true;
    const life = this.#life;
    const engine = this.#engine!;
    let isOver = false;
    engine.handOver();
    void engine.handedOver.then(() => isOver = true);
    for (let s = 0; s < 90 && !isOver && !life.isDead; s++) await this.#machine.clock.advance(second);
    this.#model.goesOn();
    if (!life.isDead && !isOver) {
      if (!this.#model.mayHoldUp) book.violate("a handover does not end");
      book.handsOver = false;
      return await this.#cleanStop({ do: "clean stop", away: move.away });
    }
    if (!life.isDead) await this.#leave(engine);
    this.#engine = undefined;
    await this.#pass(move);
    await this.#revive();
  }

  async #leave(engine: Engine): Promise<void> {
    const life = this.#life;
    let isOver = false;
    engine.leave().then(() => isOver = true, (error: unknown) => life.isDead || this.#model.escaped(error));
    await settle();
    if (life.isDead) return;
    if (!isOver) this.#model.book.violate("a daemon that has handed over does not leave");
    this.#model.checkHandedOver();
    life.die();
    this.#crash = undefined;
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
    this.#model.goesOn();
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
    this.#life.slowDown(0, () => {});
    this.#life.interrupt({ at: 0, ofTick: false }, () => {});
    this.#life.dieAt({ at: Infinity, done: true });
    this.#crash = undefined;
    if (book.isDraining) await this.#cleanStop({ do: "clean stop", away: 0 });
    for (const name of names) {
      const isTask = (book.unit(name)?.kind ?? "task") === "task";
      processes.behave(name, isTask ? { exits: 0 } : {});
    }
    processes.answers = "yes";
    processes.isMoody = false;
    book.helpersFailedAt = Math.min(book.helpersFailedAt, book.mono);
    for (const process of processes.alive()) {
      if (!isStuck(process)) continue;
      process.behaviour = {};
      process.exit(0);
    }
    for (let turn = 0; turn < 8 && this.#violation === undefined; turn++) {
      for (const process of processes.alive()) {
        if (book.runs.get(process.spec.runId)?.run.trigger !== "service") process.exit(0);
      }
      await clock.advance(turn === 7 ? minute + second : 30 * second);
      this.#model.goesOn();
      if (this.#engine !== undefined) this.#model.check(this.#engine);
    }
    if (this.#violation !== undefined) return;
    this.#model.checkQuiet();
    if (this.#violation === undefined) await this.#cleanStop({ do: "clean stop", away: 0 });
  }
}

/** A process ends by itself, or by a signal of somebody else's. A keeper tells of that by the code alone. */
function end(process: FakeProcess | undefined, { code, signal }: { code: number; signal?: string }): void {
  const isKept = process?.spec.keep !== undefined && process.isKept;
  process?.exit(isKept && signal !== undefined ? 128 + signalNumbers[signal]! : code, signal);
}

const signalNumbers: Record<string, number> = { SIGKILL: 9, SIGSEGV: 11, SIGTERM: 15 };
