import type { EngineEvent } from "../../src/engine/bus.ts";
import type { LogOptions, LogWriter, Resumed } from "../../src/io/logs/store.ts";
import { LogStore } from "../../src/io/logs/store.ts";
import type { LaunchSpec, ProcessExit, ProcessSink } from "../../src/io/process/processes.ts";
import type { ScheduleState } from "../../src/io/store/schedules.ts";
import { Store } from "../../src/io/store/store.ts";
import type { Run } from "../../src/types.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { type Behaviour, type FakeProcess, FakeProcesses } from "../support/fake_processes.ts";

/** What was stored; all of a transaction comes at once, and only once it is stored. */
export type Write =
  | { do: "insert" | "update"; run: Run }
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

/** Processes that end by themselves, and whose ends are told. */
class SimulatedProcesses extends FakeProcesses {
  readonly #clock: FakeClock;
  readonly #habits = new Map<string, Habit>();
  #late = 0;
  /** Each question fares differently. */
  isMoody = false;
  witness: Witness | undefined;
  /** Without control groups survivors are found by their run ids alone, which asks more of the engine. */
  override groups = { available: false, limits: new Set<never>() };

  constructor(clock: FakeClock) {
    super();
    this.#clock = clock;
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
    let hasExited = false;
    const process = super.launch(spec, {
      output: (stream, chunk) => sink.output(stream, chunk),
      exited: (exit) => {
        // What is told again is no news.
        if (!hasExited) this.witness?.exited(spec.runId, exit);
        hasExited = true;
        sink.exited(exit);
      },
      pipesClosed: () => sink.pipesClosed(),
    });
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
    for (const process of this.processes.alive()) {
      process.orphan();
      process.exit(137, "SIGKILL");
      process.strays = [];
      process.children = [];
    }
    this.processes.boot += "+";
  }
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
    this.#effect(`open log of ${unit}`, () => this.#machine.notes.set(runId, notes));
    return memoryWriter({
      notes,
      options,
      effect: this.#effect,
      full: () => this.#witness.overflowed(runId),
    });
  }

  override resume(unit: string, runId: string): Resumed {
    const writer = this.writer(unit, runId, { maxSize: 0, onFull: "drop_new" });
    return { writer, spooled: {}, isExact: true };
  }

  override remove(unit: string, runId: string): void {
    this.#effect(`remove log of ${unit}`, () => void this.#machine.notes.delete(runId));
  }

  override page(): ReturnType<LogStore["page"]> {
    return { lines: [], firstAvailable: 0, totalLines: 0, truncated: false, finalized: true };
  }
}

function memoryWriter({ notes, options, effect, full }: {
  notes: string[];
  options: LogOptions;
  effect: (what: string, body: () => void) => void;
  full: () => void;
}): LogWriter {
  let bytes = 0;
  let overflow = false;
  const take = ({ length }: { length: number }): void =>
    effect("write to a log", () => {
      bytes += length;
      if (options.onFull !== "kill_task" || options.maxSize === 0 || bytes <= options.maxSize) return;
      if (overflow) return;
      overflow = true;
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
      return bytes;
    },
    droppedLines: 0,
    get overflow() {
      return overflow;
    },
    failed: undefined,
  };
}
