import type { EngineEvent } from "../../src/engine/bus.ts";
import type { LogOptions, LogWriter, Resumed } from "../../src/io/logs/store.ts";
import { LogStore } from "../../src/io/logs/store.ts";
import type {
  KeptRun,
  LaunchedProcess,
  LaunchSpec,
  ProcessExit,
  ProcessSink,
  SpoolPositions,
  Swept,
} from "../../src/io/process/processes.ts";
import type { ScheduleState } from "../../src/io/store/schedules.ts";
import { Store } from "../../src/io/store/store.ts";
import type { Run } from "../../src/types.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { type Behaviour, type FakeProcess, FakeProcesses } from "../support/fake_processes.ts";

/** What was stored; all of a transaction comes at once, and only once it is stored. */
export type Write =
  | { do: "insert" | "update"; run: Run }
  /** What is written down of how a run stands that may outlive its daemon; nothing of one that can't. */
  | { do: "keep"; id: string; nonce?: string | undefined; kept: string | undefined }
  | { do: "remove"; id: string }
  | { do: "hide"; ids: string[]; at: number }
  | { do: "restore"; runs: Run[] }
  | { do: "schedule"; state: ScheduleState }
  | { do: "handled"; unit: string; tick: number }
  | { do: "unschedule"; unit: string }
  | { do: "drop retries"; unit: string };

/** Who watches a machine: hears of all that is done to it, in order. */
export interface Witness {
  stored(writes: readonly Write[]): void;
  launched(process: FakeProcess): void;
  /** A daemon goes on with a process of an earlier one. */
  adopted(process: FakeProcess): void;
  /** Its end is stored: its keeper, and all that this had written down, may go. */
  dismissed(process: FakeProcess): void;
  /** Nobody has taken it over: it was ended, and its keeper is gone. */
  dropped(process: FakeProcess): void;
  signalled(runId: string, signal: string): void;
  exited(runId: string, exit: ProcessExit): void;
  /** A process has ended, and its daemon does not hear of it. */
  lost(runId: string): void;
  overflowed(runId: string): void;
  told(event: EngineEvent): void;
  /** The database said no; `tried`: what was to be stored. */
  refused(tried: readonly Write[]): void;
  escaped(error: unknown): void;
  died(): void;
}

/** How the processes of a unit behave: those of `FakeProcesses`, and a life of so many ms. */
export interface Habit extends Behaviour {
  lives?: number;
  code?: number;
  dies?: string;
  /**
   * A child with a group of its own outlives its end, and ends by the stop signal, by SIGKILL alone, or by nothing: it is
   * another user's.
   */
  family?: "obeys" | "ignores" | "foreign";
}

/** What looks at processes takes so long where it is late, ms: one of these after the other. */
const lateness = [3000, 7000, 12_000];
/** The same where each question fares differently, so that answers overtake each other. */
const fates = [500, 0, 0, Infinity, 1000, 0, 6000, 0];

/** What a daemon is told at its start of what an earlier one left with keepers: all, all late, or that nobody can tell. */
export type Finds = "yes" | "late" | "never" | "failing" | "forged";

/** Processes that end by themselves, and whose ends are told. */
class SimulatedProcesses extends FakeProcesses {
  readonly #clock: FakeClock;
  readonly #habits = new Map<string, Habit>();
  readonly #launchedAt = new Map<FakeProcess, number>();
  #late = 0;
  /** How the next start is told of what was left. */
  finds: Finds = "yes";
  /** Each question fares differently. */
  isMoody = false;
  witness: Witness | undefined;
  /** Without control groups survivors are found by their run ids alone, which asks more of the engine. */
  override groups = { available: false, limits: new Set<never>() };

  constructor(clock: FakeClock) {
    super();
    this.#clock = clock;
    this.now = () => clock.now();
  }

  protected override async answered(): Promise<void> {
    const delays = this.isMoody ? fates : this.answers === "late" ? lateness : undefined;
    if (delays === undefined) return await super.answered();
    const delay = delays[this.#late++ % delays.length]!;
    await new Promise<void>((resolve) => {
      if (delay === 0) resolve();
      else if (delay < Infinity) this.#clock.after(delay, resolve);
    });
  }

  override behave(name: string, habit: Habit): void {
    this.#habits.set(name, habit);
    super.behave(name, habit.family === "obeys" ? { ...habit, children: ["SIGTERM", "SIGINT"] } : habit);
  }

  override launch(spec: LaunchSpec, sink: ProcessSink): FakeProcess {
    const process = super.launch(spec, this.#heard(spec.runId, sink));
    this.#launchedAt.set(process, this.#clock.elapsed);
    process.ended = () => this.witness?.lost(spec.runId);
    const { lives, code = 0, dies, family } = this.#habits.get(spec.name) ?? {};
    if (family !== undefined) {
      const child = { pid: 1_000_000 + process.pid, name: "child", group: 1_000_000 + process.pid };
      process.children = [child];
      process.hasStubbornChild = family !== "obeys";
      if (family === "foreign") this.unkillable.add(child.pid);
    }
    if (lives !== undefined) {
      this.#clock.after(lives, () => dies === undefined ? process.exit(code) : process.exit(139, dies));
    }
    return process;
  }

  /** What a daemon is told of a run, and all others with it. */
  #heard(runId: string, sink: ProcessSink): ProcessSink {
    let hasExited = false;
    return {
      output: (stream, chunk, position) => sink.output(stream, chunk, position),
      exited: (exit) => {
        // What is told again is no news.
        if (!hasExited) this.witness?.exited(runId, exit);
        hasExited = true;
        sink.exited(exit);
      },
      pipesClosed: () => sink.pipesClosed(),
    };
  }

  /** A run whose keeper has died without a word is not among it; one of which nobody can tell anything is not, either. */
  override async findKept(runIds: readonly string[]): Promise<KeptRun[]> {
    const { finds } = this;
    this.finds = "yes";
    if (finds === "late") await new Promise<void>((resolve) => void this.#clock.after(12_000, resolve));
    if (finds === "never") await new Promise<void>(() => {});
    if (finds === "failing") throw new Error("no helper");
    await this.answered();
    const left = this.launched.filter((one) =>
      one.isLeft && runIds.includes(one.spec.runId) && (one.keptEnd !== undefined || one.hasKeeper)
    );
    return left.map((one) => ({
      runId: one.spec.runId,
      nonce: finds === "forged" ? "0".repeat(32) : one.spec.keep!.nonce,
      about: one.spec.keep!.about,
      pid: one.pid,
      ...(one.keptEnd === undefined
        ? { ranFor: this.#clock.elapsed - this.#launchedAt.get(one)! }
        : { ended: one.keptEnd }),
    }));
  }

  override adopt(runId: string, sink: ProcessSink, positions: SpoolPositions): LaunchedProcess {
    const process = this.launched.find((one) => one.isLeft && one.spec.runId === runId);
    if (process !== undefined) this.witness?.adopted(process);
    return super.adopt(runId, this.#heard(runId, sink), positions);
  }

  /** `isDead`: whether the daemon that wants it has died meanwhile, so that nothing is ended any more. */
  override async dropKept(isDead = (): boolean => false): Promise<Swept> {
    await this.answered();
    if (isDead()) return { killed: [], left: [] };
    const left = this.launched.filter((one) => one.isLeft);
    const swept = await super.dropKept();
    for (const one of left) this.witness?.dropped(one);
    return swept;
  }

  /** The one that carries a run, or carried it. */
  of(runId: string): FakeProcess | undefined {
    return this.launched.find(({ spec }) => spec.runId === runId);
  }
}

/** How the end of a process is lost: told `after` so many ms, or never; or only its pipes tell of it. */
export interface Loss {
  how: "late" | "pipes" | "nothing";
  after: number;
}

/** What outlives a daemon: the clock, the processes, the database, the logs. */
export class Machine {
  readonly clock: FakeClock;
  readonly processes: SimulatedProcesses;
  readonly store = new Store(":memory:");
  /** Lines of system notes of logs, by run. */
  readonly notes = new Map<string, string[]>();
  /** What was written to each log, bytes, and whether that is too much. */
  readonly sizes = new Map<string, LogSize>();
  nextId = 1;

  constructor(now: number) {
    this.clock = new FakeClock(now);
    this.processes = new SimulatedProcesses(this.clock);
  }

  /** Nobody is to hear of the end of a process when it comes. */
  lose(process: FakeProcess, { how, after }: Loss): void {
    process.behaviour = { ...process.behaviour, tells: how === "pipes" ? "pipes" : "nothing" };
    const { ended } = process;
    process.ended = () => {
      ended();
      if (how === "late") this.clock.after(after, () => process.tellEnd());
    };
  }

  /** The machine goes down and comes up again: nothing lives, and pids mean nothing any more. */
  reboot(): void {
    for (const process of this.processes.launched) process.hasKeeper = false;
    for (const process of this.processes.alive()) {
      process.orphan();
      process.exit(137, "SIGKILL");
      process.strays = [];
      process.children = [];
    }
    this.processes.boot += "+";
  }
}

interface LogSize {
  bytes: number;
  overflow: boolean;
}

/** Logs that are kept in memory: what is written counts as an effect, and only notes are kept. */
export class MemoryLogs extends LogStore {
  readonly #machine: Machine;
  readonly #effect: (what: string, body: () => void) => void;
  readonly #witness: Witness;

  constructor(
    machine: Machine,
    options: { effect: (what: string, body: () => void) => void; witness: Witness },
  ) {
    super("/nowhere", machine.clock);
    this.#machine = machine;
    this.#effect = options.effect;
    this.#witness = options.witness;
  }

  override writer(unit: string, runId: string, options: LogOptions): LogWriter {
    const notes = this.#machine.notes.get(runId) ?? [];
    const size = this.#machine.sizes.get(runId) ?? { bytes: 0, overflow: false };
    this.#effect(`open log of ${unit}`, () => {
      this.#machine.notes.set(runId, notes);
      this.#machine.sizes.set(runId, size);
    });
    return memoryWriter({
      notes,
      size,
      options,
      effect: this.#effect,
      full: () => this.#witness.overflowed(runId),
    });
  }

  override resume(unit: string, runId: string, options: Partial<LogOptions>): Resumed {
    const writer = this.writer(unit, runId, { maxSize: 0, onFull: "drop_new", ...options });
    return { writer, spooled: {}, isExact: true };
  }

  override remove(unit: string, runId: string): void {
    this.#effect(`remove log of ${unit}`, () => void this.#machine.notes.delete(runId));
  }

  override page(): ReturnType<LogStore["page"]> {
    return { lines: [], firstAvailable: 0, totalLines: 0, truncated: false, finalized: true };
  }
}

function memoryWriter({ notes, size, options, effect, full }: {
  notes: string[];
  size: LogSize;
  options: LogOptions;
  effect: (what: string, body: () => void) => void;
  full: () => void;
}): LogWriter {
  const take = ({ length }: { length: number }): void =>
    effect("write to a log", () => {
      size.bytes += length;
      if (options.onFull !== "kill_task" || options.maxSize === 0 || size.bytes <= options.maxSize) return;
      if (size.overflow) return;
      size.overflow = true;
      full();
      options.overflowed?.();
    });
  return {
    write: (_stream, chunk) => take(chunk),
    // Never all that is offered, where there is more.
    writeSome(_stream, { length }) {
      const some = Math.ceil(length / 2);
      take({ length: some });
      return some;
    },
    system: (text) => effect("note in a log", () => void notes.push(text)),
    endOutput: () => {},
    close: () => {},
    leave: () => {},
    flush: () => {},
    subscribe: () => () => {},
    watch: () => () => {},
    partials: () => [],
    regions: () => [],
    regionVersion: 0,
    get lines() {
      return notes.length;
    },
    firstAvailable: 0,
    get bytes() {
      return size.bytes;
    },
    droppedLines: 0,
    get overflow() {
      return size.overflow;
    },
    failed: undefined,
  };
}
