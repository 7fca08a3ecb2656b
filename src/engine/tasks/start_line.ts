import { elapsed } from "../../core/time.ts";
import { type GateWaiter, mayPass, untilDeadline } from "../../core/jitter_gate.ts";
import { messageOf } from "../../fault.ts";
import { retryAfter } from "../retry_after.ts";
import type { Ledger, LedgerEntry } from "../runs/ledger.ts";
import type { World } from "../world.ts";

/** How many catch-up runs execute at once (docs/behaviour.md#downtime). */
const mostCatchUps = 4;
/** Starting may hold up everything else for this long at a time, in ms. */
const longestTurn = 25;
/** The longest sleep, so that a moved clock is noticed (docs/behaviour.md#downtime), in ms. */
const longestSleep = 30_000;

/** A run that its task has admitted and that does not execute yet. */
interface Waiting {
  entry: LedgerEntry;
  /** Set where it has to pass the jitter gate. */
  gate?: GateWaiter;
}

/**
 * The daemon-wide line of runs that their tasks have admitted: in order of their ticks they execute as soon as
 * the limits and the jitter gate let them. How many execute is what the ledger says.
 */
export class StartLine {
  readonly #world: World;
  readonly #ledger: Ledger;
  readonly #execute: (entry: LedgerEntry) => void;
  readonly #waiting: Waiting[] = [];
  #maxParallel: number;
  #isGateShut = false;
  #isPumping = false;
  #isClosed = false;
  #cancelDeadline: () => void = () => {};
  #cancelTurn: (() => void) | undefined;

  /** `execute` starts a run, or throws when it can't be stored that it starts. 0 of `maxParallel` is no limit. */
  constructor(
    world: World,
    { ledger, maxParallel, execute }: {
      ledger: Ledger;
      maxParallel: number;
      execute: (entry: LedgerEntry) => void;
    },
  ) {
    this.#world = world;
    this.#ledger = ledger;
    this.#maxParallel = maxParallel;
    this.#execute = execute;
  }

  setMaxParallel(limit: number): void {
    this.#maxParallel = limit;
    this.pump();
  }

  /** Takes a run in; it goes before those of other tasks that have later ticks. `gate`: what it shows at the jitter gate. */
  join(entry: LedgerEntry, gate: GateWaiter | undefined): void {
    let at = this.#waiting.length;
    while (at > 0 && goesBefore(entry, this.#waiting[at - 1]!.entry)) at--;
    const passes = gate === undefined || entry.isCatchUp;
    this.#waiting.splice(at, 0, { entry, ...(passes ? {} : { gate }) });
    this.#ledger.move(entry.id, "in_line");
    this.pump();
  }

  /** Takes a run out that will not execute, or will come again. */
  leave({ id }: LedgerEntry): void {
    const at = this.#waiting.findIndex(({ entry }) => entry.id === id);
    if (at >= 0) this.#waiting.splice(at, 1);
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
  #start(next: Waiting): boolean {
    const { entry, gate } = next;
    this.#ledger.move(entry.id, "launching");
    if (gate !== undefined) this.#ledger.mark(entry.id, "holdsGate");
    try {
      this.#execute(entry);
      return true;
    } catch (error) {
      if (entry.phase !== "launching") { // it has begun all the same: never two of it
        this.#world.log.error("internal error at the start of a run", {
          run: entry.id,
          error: messageOf(error),
        });
        return true;
      }
      this.#ledger.move(entry.id, "in_line");
      this.#ledger.mark(entry.id, "holdsGate", false);
      this.#waiting.unshift(next);
      this.#world.refusals.note("cannot store the start of a run", { error, facts: { run: entry.id } });
      return false;
    }
  }

  #firstToGo(): number | undefined {
    const { started } = this.#ledger;
    if (this.#waiting.length === 0 || this.#maxParallel > 0 && started.size >= this.#maxParallel) {
      return undefined;
    }
    let [catchUps, isGateTaken] = [0, this.#isGateShut];
    for (const one of started) {
      if (one.isCatchUp) catchUps++;
      isGateTaken ||= one.holdsGate;
    }
    const at = this.#waiting.findIndex(({ entry, gate }) => {
      if (entry.isCatchUp) return catchUps < mostCatchUps;
      return gate === undefined || this.#passes(gate, isGateTaken);
    });
    return at < 0 ? undefined : at;
  }

  #passes(gate: GateWaiter, isTaken: boolean): boolean {
    const waiting = isTaken ? [] : this.#gateWaiters();
    return mayPass(gate, { isTaken, waiting, now: this.#world.clock.now() });
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
function goesBefore({ run: a }: LedgerEntry, { run: b }: LedgerEntry): boolean {
  if (a.unit === b.unit) return false;
  return a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id);
}
