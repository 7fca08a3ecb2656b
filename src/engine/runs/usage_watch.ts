import { elapsed, later, type MonotonicMs } from "../../core/time.ts";
import {
  noUsage,
  outOfMemory,
  sumUsage,
  type Usage,
  type UsageReading,
  type UsageState,
  withReading,
} from "../../core/usage.ts";
import type { RunMark } from "../../io/process/processes.ts";
import { answerWithin } from "../waits.ts";
import type { RunWorld } from "../world.ts";

/** Time between two looks at all runs, and from a run's start to the first look at it, ms. */
export const lookEvery = 5000;
export const firstLook = 1000;

/** A run that is watched. */
export interface WatchedRun {
  mark: RunMark;
  unit: string;
  /** The run's own limit of memory, bytes. */
  memoryLimit: number | undefined;
  /** Says something in the run's log. */
  say: (text: string) => void;
  hasLimits: boolean;
  /** What could not be done for the run although it started. */
  troubles: () => string[];
}

interface Entry extends WatchedRun {
  state: UsageState;
}

/** Watches what the runs that execute use: one look at all of them every few seconds, and none where none executes. */
export class UsageWatch {
  readonly #world: RunWorld;
  readonly #entries = new Map<string, Entry>();
  readonly #byUnit = new Map<string, Set<Entry>>();
  #isOn = false;
  #isLooking = false;
  /** When the next look is due, on the monotonic clock. */
  #due: MonotonicMs | undefined;
  #cancel: () => void = () => {};

  constructor(world: RunWorld) {
    this.#world = world;
  }

  /** Looks from now on. */
  start(): void {
    this.#isOn = true;
    if (this.#entries.size > 0) this.#lookIn(firstLook);
  }

  /** Looks no more. */
  stop(): void {
    this.#isOn = false;
    this.#pause();
  }

  add(run: WatchedRun): void {
    const entry: Entry = { ...run, state: noUsage(this.#world.clock.monotonic()) };
    this.#entries.set(run.mark.runId, entry);
    let unit = this.#byUnit.get(run.unit);
    if (unit === undefined) this.#byUnit.set(run.unit, unit = new Set());
    unit.add(entry);
    if (this.#isOn) this.#lookIn(firstLook);
  }

  /** Takes a last reading, if there is one, and forgets the run; answers what is known of it. */
  end(runId: string, last: UsageReading | undefined): UsageState | undefined {
    const entry = this.#entries.get(runId);
    if (entry === undefined) return undefined;
    // A run without limits that sat in its group had no trouble: to look for a note costs more than all the rest.
    if (last === undefined || entry.hasLimits) this.#tellTroubles(entry);
    if (last !== undefined) this.#read(entry, last);
    this.#entries.delete(runId);
    const unit = this.#byUnit.get(entry.unit);
    unit?.delete(entry);
    if (unit?.size === 0) this.#byUnit.delete(entry.unit);
    if (this.#entries.size === 0) this.#pause();
    return entry.state;
  }

  /** What a unit uses at this moment; undefined while none of its runs has been looked at. */
  of(unit: string): Usage | undefined {
    const entries = this.#byUnit.get(unit);
    return entries && sumUsage([...entries].flatMap(({ state }) => state.usage ?? []));
  }

  #lookIn(ms: number): void {
    const due = later(this.#world.clock.monotonic(), ms);
    if (this.#isLooking || this.#due !== undefined && elapsed(this.#due, due) >= 0) return;
    this.#cancel();
    this.#due = due;
    this.#cancel = this.#world.clock.after(ms, () => void this.#look().catch(reportError));
  }

  async #look(): Promise<void> {
    this.#due = undefined;
    this.#isLooking = true;
    const entries = [...this.#entries.values()];
    const { clock, processes } = this.#world;
    const answer = await answerWithin(clock, processes.usage(entries.map(({ mark }) => mark)), lookEvery);
    // What can't be read now can be at the next look.
    const readings = "value" in answer ? answer.value : new Map<string, UsageReading>();
    this.#isLooking = false;
    for (const entry of entries) {
      if (this.#entries.get(entry.mark.runId) !== entry) continue;
      this.#tellTroubles(entry);
      const reading = readings.get(entry.mark.runId);
      if (reading !== undefined) this.#read(entry, reading);
    }
    if (!this.#isOn || this.#entries.size === 0) return;
    const seen = new Set(entries);
    const isAllSeen = [...this.#entries.values()].every((entry) => seen.has(entry));
    this.#lookIn(isAllSeen ? lookEvery : firstLook);
  }

  #read(entry: Entry, reading: UsageReading): void {
    const before = entry.state.oomKills;
    entry.state = withReading(entry.state, reading, this.#world.clock.monotonic());
    if (entry.state.oomKills > before) entry.say(outOfMemory(entry.memoryLimit));
  }

  #tellTroubles(entry: Entry): void {
    for (const trouble of entry.troubles()) entry.say(trouble);
  }

  #pause(): void {
    this.#cancel();
    this.#due = undefined;
  }
}
