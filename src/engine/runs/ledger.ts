import type { MonotonicMs } from "../../core/time.ts";
import type { Clock } from "../../io/clock.ts";
import type { Changeable, Run } from "../../types.ts";

/**
 * Where a run is that is not over. `queued`: its task has no slot for it. `in_line`: it has one, and waits for the
 * limits that all tasks share. `launching`: it is its turn, and nothing of it runs yet. `executing`: an executor has it.
 * `ending`: it has ended, which is not stored yet.
 */
export type LedgerPhase = "queued" | "in_line" | "launching" | "executing" | "ending";

/** A run that is not over, with all that the engine knows of it beside its row. */
export interface LedgerEntry {
  readonly id: string;
  /** As it is stored, or about to be. */
  readonly run: Run;
  /** Its last one, once it is over. */
  readonly phase: LedgerPhase;
  /** When that began. */
  readonly since: MonotonicMs;
  /** Somebody has stopped it: however it ends, nothing is tried again. */
  readonly isStopped: boolean;
  /** It makes up for a missed tick. */
  readonly isCatchUp: boolean;
  /** Nothing is taken from its task's queue before it is over: a restart waits for it. */
  readonly holdsQueue: boolean;
  /** It has passed the jitter gate, which lets nobody else pass before it is over. */
  readonly holdsGate: boolean;
}

/** What is said of an entry later than when it was added. */
export type LedgerMark = "isStopped" | "holdsQueue" | "holdsGate";

/** The runs of one task, each set in the order in which they came. */
export interface TaskRuns {
  /** They hold a slot: all but those that are queued. */
  readonly admitted: ReadonlySet<LedgerEntry>;
  readonly queued: ReadonlySet<LedgerEntry>;
}

type Entry = Changeable<LedgerEntry>;
type Sets = { admitted: Set<Entry>; queued: Set<Entry> };

const noRuns: TaskRuns = { admitted: new Set(), queued: new Set() };

/**
 * Every run that is not over, from the moment when its row is stored: the only place that knows what there is. Who
 * starts, stops or counts runs asks here; what a run is executed with is the runner's.
 */
export class Ledger {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #entries = new Map<string, Entry>();
  /** Of tasks, by their names; runs of a former task of a name count as well. */
  readonly #ofTasks = new Map<string, Sets>();
  /** Of tasks: all that count against `max_parallel_runs`. */
  readonly #started = new Set<Entry>();

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /** Takes in a run whose row is stored. */
  add(run: Run, phase: LedgerPhase, { isCatchUp = false } = {}): LedgerEntry {
    const entry: Entry = {
      id: run.id,
      run,
      phase,
      since: this.#clock.monotonic(),
      isStopped: false,
      isCatchUp,
      holdsQueue: false,
      holdsGate: false,
    };
    this.#entries.set(run.id, entry);
    if (!isOfTask(entry)) return entry;
    const runs = this.#ofTasks.get(run.unit) ?? { admitted: new Set(), queued: new Set() };
    this.#ofTasks.set(run.unit, runs);
    (phase === "queued" ? runs.queued : runs.admitted).add(entry);
    if (hasStarted(entry)) this.#started.add(entry);
    return entry;
  }

  get(id: string): LedgerEntry | undefined {
    return this.#entries.get(id);
  }

  all(): Iterable<LedgerEntry> {
    return this.#entries.values();
  }

  /** Runs of a task. */
  of(task: string): TaskRuns {
    return this.#ofTasks.get(task) ?? noRuns;
  }

  /** Runs of all tasks whose turn has come, and which are not over. */
  get started(): ReadonlySet<LedgerEntry> {
    return this.#started;
  }

  /** A run has come further, or back; one that goes back to its queue is the first of it. */
  move(id: string, phase: LedgerPhase): void {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.phase === phase) return;
    const before = entry.phase;
    entry.phase = phase;
    entry.since = this.#clock.monotonic();
    if (!isOfTask(entry)) return;
    const runs = this.#ofTasks.get(entry.run.unit)!;
    if (before === "queued") {
      runs.queued.delete(entry);
      runs.admitted.add(entry);
    } else if (phase === "queued") {
      runs.admitted.delete(entry);
      runs.queued = new Set([entry, ...runs.queued]);
    }
    if (hasStarted(entry)) this.#started.add(entry);
    else this.#started.delete(entry);
  }

  /** What is known of a run is another than before. */
  replace(run: Run): void {
    const entry = this.#entries.get(run.id);
    if (entry !== undefined) entry.run = run;
  }

  mark(id: string, mark: LedgerMark, value = true): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) entry[mark] = value;
  }

  /** A run is over. Answers whether it was there. */
  remove(id: string): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    this.#entries.delete(id);
    this.#started.delete(entry);
    const runs = this.#ofTasks.get(entry.run.unit);
    runs?.admitted.delete(entry);
    runs?.queued.delete(entry);
    if (runs?.admitted.size === 0 && runs.queued.size === 0) this.#ofTasks.delete(entry.run.unit);
    return true;
  }
}

function isOfTask({ run }: LedgerEntry): boolean {
  return run.trigger !== "service";
}

function hasStarted({ phase }: LedgerEntry): boolean {
  return phase === "launching" || phase === "executing" || phase === "ending";
}
