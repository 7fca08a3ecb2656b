import type { ProcessExit } from "../../src/io/process/processes.ts";
import type { Config, EndReason, Run, Unit } from "../../src/types.ts";
import type { FakeProcess } from "../support/fake_processes.ts";
import type { Machine } from "./machine.ts";

/** What is known of a run, and what is to become of it. Times are of the monotonic clock, but for those of `run`. */
export interface Fact {
  /** As it is stored. */
  run: Run;
  /** The life of the daemon that made it, and whether that was booting. */
  life: number;
  inBoot: boolean;
  insertedAt: number;
  endedAt?: number;
  /** Life in which it was started, and the definition of that moment. */
  startedIn?: number;
  startedAt?: number;
  unit?: Unit;
  process?: FakeProcess;
  exit?: ProcessExit & { at: number };
  /** What its row says to the next daemon; absent where it says nothing. */
  row?: { nonce: string; kept: string };
  /**
   * When a daemon took it over from an earlier one, and the life of that. `endedAt`: it had ended by then, Unix ms.
   * `isUnasked`: that it is to end is known, and it was not asked to.
   */
  taken?: { in: number; at: number; endedAt?: number; isUnasked?: boolean };
  /** When its process ended without its daemon being told. */
  lostAt?: number;
  /** Why the daemon is to end it, since when. */
  want?: { reason: EndReason; at: number; isUnsure?: boolean };
  signals: { name: string; at: number }[];
  /** A user stopped it: it is not tried again. */
  userStopped: boolean;
  /** When its end was first to be stored, on the monotonic and on the wall clock; the database refused. */
  triedAt?: { mono: number; wall: number };
  /** It waits, and is to end as `stopped`: since when, on the monotonic and on the wall clock. */
  mustEnd?: { at: number; wall: number };
  /** It makes up for a missed tick; or it may, and only so much is known. */
  catchUp: boolean;
  mayCatchUp: boolean;
  /** What it shows at the jitter gate, once it has a place; `isSure`: that it has to pass the gate is certain. */
  gate?: { deadline: number; name: string; isSure: boolean };
  hiddenAt?: number;
  isRemoved: boolean;
  /** What this life has told of it: c, s, e. */
  told: string;
}

/** What the parts of the model share: all runs, where time is, and the first thing that was wrong. */
export class Book {
  readonly machine: Machine;
  /** In force. */
  config: Config;
  /** What the files say. */
  onDisk: Config;
  readonly runs = new Map<string, Fact>();
  /** Those that this life of the daemon has made. */
  readonly fresh = new Set<Fact>();
  readonly #active = new Set<Fact>();
  readonly #slow: { at: number; ms: number }[] = [];
  violation: string | undefined;
  life = 0;
  /** `down`: no daemon; `boot`: it brings order; `up`. */
  phase: "down" | "boot" | "up" = "down";
  isDraining = false;
  /** What the wall clock said when it began to. */
  drainedFrom: number | undefined;
  /** When a clean stop began, or a handover. */
  stoppingSince: number | undefined;
  /** What can outlive this daemon is left to the next one. */
  handsOver = false;
  /** When this daemon had started, on the monotonic clock. */
  bootedAt = -Infinity;
  /** This daemon was told all at its start of what earlier ones had left. */
  findsAll = true;
  /** The database has refused something of a boot since then: the daemon may be stopping again. */
  bootRefusedSince: number | undefined;
  /** A client's request is being dealt with; how many runs it made. */
  request: { made: number } | undefined;
  /** A reload is being dealt with, from this configuration. */
  reloadFrom: Config | undefined;
  /** When something last kept the daemon from acting in time. */
  disturbedAt = -Infinity;
  /** When the wall clock was last moved. */
  jumpedAt = -Infinity;
  jumpedBackAt = -Infinity;
  /** What it had said before it was last set back. */
  jumpedBackFrom = -Infinity;
  refusedAt = -Infinity;
  reloadedAt = -Infinity;
  /** Until when what looks at processes gave no answers; Infinity: it gives none. */
  helpersFailedAt = -Infinity;
  /** How many writes were refused so far. */
  refusals = 0;
  /** Time went by, and what is due has not been done yet. */
  isStalled = false;
  /** It was busy for a part of that time. */
  wasBusy = false;
  /** What the wall clock said then. */
  stalledFrom: number | undefined;
  /** The same, until all of it has been stored. */
  behindFrom: number | undefined;

  constructor(machine: Machine, config: Config) {
    this.machine = machine;
    this.config = config;
    this.onDisk = config;
  }

  get now(): number {
    return this.machine.clock.now();
  }

  get mono(): number {
    return this.machine.clock.elapsed;
  }

  get isUp(): boolean {
    return this.phase === "up";
  }

  /** Whether something wrong was seen for the first time. */
  violate(message: string): void {
    this.violation ??= `${message} (at ${new Date(this.now).toISOString()}, life ${this.life})`;
  }

  disturb(): void {
    this.disturbedAt = this.mono;
  }

  /** Whether nothing has kept the daemon from acting in time since then. */
  isCalmSince(mono: number): boolean {
    return !this.isStalled && this.disturbedAt < mono;
  }

  /** Whether something that was due then should have been done by now. */
  isOverdue(due: number): boolean {
    const patience = 3000;
    return (due < this.mono && this.isCalmSince(due)) ||
      (due < this.mono - patience && this.isCalmSince(this.mono - patience));
  }

  unit(name: string): Unit | undefined {
    return this.config.units.find((unit) => unit.name === name);
  }

  /** Runs that have not ended, in the order in which they were made. */
  active(): Fact[] {
    for (const fact of this.#active) if (fact.run.status === "ended") this.#active.delete(fact);
    return [...this.#active];
  }

  /** Takes a new run in. */
  add(fact: Fact): void {
    this.runs.set(fact.run.id, fact);
    this.fresh.add(fact);
    if (fact.run.status !== "ended") this.#active.add(fact);
  }

  /** The wall clock is moved by so much: what it said is another time now. */
  shift(ms: number): void {
    for (const key of ["drainedFrom", "stalledFrom", "behindFrom"] as const) {
      const at = this[key];
      if (at !== undefined) this[key] = at + ms;
    }
  }

  /** How long the database took over what was stored since then, ms: what is set after it is due so much later. */
  slowSince(mono: number): number {
    return this.#slow.reduce((sum, { at, ms }) => at >= mono ? sum + ms : sum, 0);
  }

  /** The database takes its time over a write. */
  slow(ms: number): void {
    this.#slow.push({ at: this.mono, ms });
  }

  /** From now on nothing is started. */
  drain(): void {
    this.isDraining = true;
    this.drainedFrom ??= this.stalledFrom ?? this.now;
  }

  /** Whether a run may outlive its daemon: it was started with a keeper. */
  isKept({ process }: Pick<Fact, "process">): boolean {
    return process?.spec.keep !== undefined && process.isKept;
  }

  /** Whether a run was taken over at this very moment: what was due before that may not have come yet. */
  isJustTaken({ taken }: Fact): boolean {
    return taken?.in === this.life && (this.phase === "boot" || this.mono === this.bootedAt);
  }

  /** Wants a run to end, where its process lives and nothing was wanted before. */
  end(fact: Fact, reason: EndReason): void {
    if (fact.run.status !== "running" || fact.process === undefined || fact.exit !== undefined) return;
    fact.want ??= { reason, at: this.mono, isUnsure: this.isStalled };
  }
}

export function nameOf({ run }: Fact): string {
  return `run ${run.id} of ${run.unit}${
    run.trigger === "service" ? ` instance ${run.instance}` : ""
  } (${run.trigger}${run.retryAttempt > 0 ? ` retry ${run.retryAttempt}` : ""})`;
}
