import { elapsed } from "../../core/time.ts";
import { type GateWaiter, mayPass, untilDeadline } from "../../core/jitter_gate.ts";
import type { Run } from "../../types.ts";
import { retryAfter } from "../retry_after.ts";
import type { World } from "../world.ts";

/** How many catch-up runs execute at once (docs/behaviour.md#downtime). */
const mostCatchUps = 4;
/** Starting may hold up everything else for this long at a time, in ms. */
const longestTurn = 25;
/** The longest sleep, so that a moved clock is noticed (docs/behaviour.md#downtime), in ms. */
const longestSleep = 30_000;

/** A run that its task has admitted and that does not execute yet. */
interface Waiting<T> {
  run: Run;
  task: T;
  /** Set where it has to pass the jitter gate. */
  gate?: GateWaiter;
}

/**
 * The daemon-wide line of runs that their tasks have admitted: in order of their ticks they execute as soon as
 * the limits and the jitter gate let them.
 */
export class StartLine<T> {
  readonly #world: World;
  readonly #execute: (run: Run, task: T) => void;
  readonly #waiting: Waiting<T>[] = [];
  /** Ids of runs that execute. */
  readonly #executing = new Set<string>();
  /** Those of them that hold the jitter gate. */
  readonly #gateHolders = new Set<string>();
  /** Catch-up runs that have not ended. */
  readonly #catchUps = new Set<string>();
  #maxParallel: number;
  #catchingUp = 0;
  #isGateShut = false;
  #isPumping = false;
  #isClosed = false;
  #cancelDeadline: () => void = () => {};
  #cancelTurn: (() => void) | undefined;

  /**
   * `execute` starts a run, or throws when it can't be stored that it starts; its end must be told by `left`.
   * 0 of `maxParallel` is no limit.
   */
  constructor(
    world: World,
    { maxParallel, execute }: { maxParallel: number; execute: (run: Run, task: T) => void },
  ) {
    this.#world = world;
    this.#maxParallel = maxParallel;
    this.#execute = execute;
  }

  setMaxParallel(limit: number): void {
    this.#maxParallel = limit;
    this.pump();
  }

  /** Says of a run that it makes up for a missed tick. */
  markCatchUp(runId: string): void {
    this.#catchUps.add(runId);
  }

  /** Takes a run in; it goes before those of other tasks that have later ticks. `gate`: what it shows at the jitter gate. */
  join(run: Run, task: T, gate: GateWaiter | undefined): void {
    let at = this.#waiting.length;
    while (at > 0 && goesBefore({ run, task }, this.#waiting[at - 1]!)) at--;
    const passes = gate === undefined || this.#catchUps.has(run.id);
    this.#waiting.splice(at, 0, { run, task, ...(passes ? {} : { gate }) });
    this.pump();
  }

  /** Takes a run out that will not execute. */
  leave(run: Run): void {
    this.stepBack(run);
    this.#catchUps.delete(run.id);
  }

  /** Takes a run out that will come again. */
  stepBack(run: Run): void {
    const at = this.#waiting.findIndex((one) => one.run.id === run.id);
    if (at >= 0) this.#waiting.splice(at, 1);
  }

  /** A run that was executed has ended; `pump` then lets others go. */
  left(run: Run): void {
    this.#giveBack(run);
    this.#catchUps.delete(run.id);
  }

  /** While the runs of a tick are being made, nobody passes the gate: the first deadline may be that of the last made. */
  shutGate(isShut: boolean): void {
    this.#isGateShut = isShut;
    if (!isShut) this.pump();
  }

  /** Lets go what may go; where these are many, in turns with everything else. */
  pump(): void {
    if (this.#isPumping) return; // a run that ends at once does not nest
    this.#isPumping = true;
    this.#letGo();
    this.#isPumping = false;
    this.#watchDeadlines();
  }

  /** From now on nothing goes. */
  close(): void {
    this.#isClosed = true;
    this.#cancelDeadline();
    this.#cancelTurn?.();
  }

  #letGo(): void {
    const { clock } = this.#world;
    const begun = clock.monotonic();
    while (!this.#isClosed) {
      const at = this.#firstToGo();
      if (at === undefined) return;
      if (elapsed(begun, clock.monotonic()) > longestTurn) return this.#goOnIn(0);
      const [next] = this.#waiting.splice(at, 1);
      if (next !== undefined && !this.#start(next)) return this.#goOnIn(retryAfter);
    }
  }

  /** Answers whether the run was started. Where that can't be stored it was not, and it goes first when the line moves again. */
  #start(next: Waiting<T>): boolean {
    const { run, task, gate } = next;
    this.#executing.add(run.id);
    if (gate !== undefined) this.#gateHolders.add(run.id);
    if (this.#catchUps.has(run.id)) this.#catchingUp++;
    try {
      this.#execute(run, task);
      return true;
    } catch (error) {
      this.#giveBack(run);
      this.#waiting.unshift(next);
      this.#world.refusals.note("cannot store the start of a run", { error, facts: { run: run.id } });
      return false;
    }
  }

  #giveBack({ id }: Run): void {
    if (!this.#executing.delete(id)) return;
    this.#gateHolders.delete(id);
    if (this.#catchUps.has(id)) this.#catchingUp--;
  }

  #firstToGo(): number | undefined {
    if (this.#maxParallel > 0 && this.#executing.size >= this.#maxParallel) return undefined;
    const at = this.#waiting.findIndex((one) => !this.#mustWait(one));
    return at < 0 ? undefined : at;
  }

  #mustWait({ run, gate }: Waiting<T>): boolean {
    if (this.#catchUps.has(run.id)) return this.#catchingUp >= mostCatchUps;
    if (gate === undefined) return false;
    const isTaken = this.#isGateShut || this.#gateHolders.size > 0;
    const waiting = isTaken ? [] : this.#gateWaiters();
    return !mayPass(gate, { isTaken, waiting, now: this.#world.clock.now() });
  }

  #gateWaiters(): GateWaiter[] {
    return this.#waiting.flatMap(({ gate }) => gate ?? []);
  }

  #goOnIn(ms: number): void {
    this.#cancelTurn?.();
    this.#cancelTurn = this.#world.clock.after(ms, () => {
      this.#cancelTurn = undefined;
      this.pump();
    });
  }

  /** Sees to it that who waits at the gate starts at its deadline. */
  #watchDeadlines(): void {
    this.#cancelDeadline();
    if (this.#isClosed) return;
    const left = untilDeadline(this.#gateWaiters(), this.#world.clock.now());
    if (left === undefined) return;
    this.#cancelDeadline = this.#world.clock.after(Math.min(left, longestSleep), () => this.pump());
  }
}

/** Runs of one task keep the order in which they came. */
function goesBefore<T>(one: { run: Run; task: T }, other: { run: Run; task: T }): boolean {
  if (one.task === other.task) return false;
  const [a, b] = [one.run, other.run];
  return a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id);
}
