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
 * What holds a run in the line back. `closed`: nothing is started any more. `limit`: as many execute as may.
 * `catch_ups`: as many execute as may that make up for missed ticks. `gate_taken`, `gate_shut`, `gate_order`: at the
 * jitter gate, that a run holds it, that the runs of a tick are being made, that another goes first. `turn`: nothing; it
 * goes in the next turn, or the database has refused its start.
 */
export type LineHold = "closed" | "limit" | "catch_ups" | "gate_taken" | "gate_shut" | "gate_order" | "turn";

/** The line at a moment. */
export interface LineView {
  /** 0: no limit. */
  maxParallel: number;
  /** Runs of tasks whose turn has come, and which are not over. */
  started: number;
  isGateShut: boolean;
  /** The run that holds the jitter gate. */
  gateHolder?: string;
  /** In order. `deadline`: when the gate lets it pass whoever holds it, Unix ms. */
  waiting: { id: string; unit: string; hold: LineHold; deadline?: number }[];
}

/** What those in the line meet: runs that have started. */
interface Ahead {
  catchUps: number;
  gateHolder?: string;
  /** Made when it is first asked for. */
  gateWaiters?: GateWaiter[];
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

  /** Who waits, in order, and what holds each back. */
  view(): LineView {
    const ahead = this.#ahead();
    const ofAll = this.#isClosed ? "closed" : this.#isFull ? "limit" : undefined;
    const { gateHolder } = ahead;
    return {
      maxParallel: this.#maxParallel,
      started: this.#ledger.started.size,
      isGateShut: this.#isGateShut,
      ...(gateHolder === undefined ? {} : { gateHolder }),
      waiting: this.#waiting.map((one) => ({
        id: one.entry.id,
        unit: one.entry.run.unit,
        hold: ofAll ?? this.#holdOf(one, ahead) ?? "turn",
        ...(one.gate === undefined ? {} : { deadline: one.gate.deadline }),
      })),
    };
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
    if (this.#waiting.length === 0 || this.#isFull) return undefined;
    const ahead = this.#ahead();
    const at = this.#waiting.findIndex((one) => this.#holdOf(one, ahead) === undefined);
    return at < 0 ? undefined : at;
  }

  get #isFull(): boolean {
    return this.#maxParallel > 0 && this.#ledger.started.size >= this.#maxParallel;
  }

  #ahead(): Ahead {
    const ahead: Ahead = { catchUps: 0 };
    for (const { id, isCatchUp, holdsGate } of this.#ledger.started) {
      if (isCatchUp) ahead.catchUps++;
      if (holdsGate) ahead.gateHolder = id;
    }
    return ahead;
  }

  /** What holds a run back while the line has room; undefined: it may go. */
  #holdOf({ entry, gate }: Waiting, ahead: Ahead): LineHold | undefined {
    if (entry.isCatchUp) return ahead.catchUps < mostCatchUps ? undefined : "catch_ups";
    if (gate === undefined) return undefined;
    const { gateHolder } = ahead;
    const isTaken = this.#isGateShut || gateHolder !== undefined;
    const waiting = isTaken ? [] : ahead.gateWaiters ??= this.#gateWaiters();
    if (mayPass(gate, { isTaken, waiting, now: this.#world.clock.now() })) return undefined;
    return gateHolder !== undefined ? "gate_taken" : isTaken ? "gate_shut" : "gate_order";
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
