import { happeningOfOverdue, successDue } from "../../core/expected.ts";
import { messageOf } from "../../fault.ts";
import type { Task } from "../../types.ts";
import type { Bus, HappeningEvent } from "../bus.ts";
import type { World } from "../world.ts";

/** Time between two looks, ms. */
const lookEvery = 5000;
/** A daemon that has just started first lets the runs come that were missed, ms. */
const grace = 60_000;
/** So many of the last runs tell how long one takes. */
const looksBack = 100;

/** What is known of a task that must succeed every so often. */
interface Watched {
  task: Task;
  last: number | undefined;
  since: number;
  toldFor: number | undefined;
  due: number | undefined;
  wasPaused: boolean;
}

/** What the watch must know of the rest. */
export interface OverdueOptions {
  tasks(): Task[];
  /** The first tick of a task after a time that will run, Unix ms. */
  nextTick(name: string, after: number): number | undefined;
  isPaused(name: string): boolean;
  happenings: Bus<HappeningEvent>;
}

/** The dead man's switch: gives notice once when the success of a task stays away that was due (`expect_every`). */
export class OverdueWatch {
  readonly #world: World;
  readonly #options: OverdueOptions;
  #watched = new Map<string, Watched>();
  #from = 0;
  #unsubscribe: () => void = () => {};
  #cancel: () => void = () => {};

  constructor(world: World, options: OverdueOptions) {
    this.#world = world;
    this.#options = options;
  }

  /** Hears of successes from now on; `reload` begins to look for those that stay away. */
  start(bus: Bus): void {
    this.#from = this.#world.clock.now() + grace;
    this.#unsubscribe = bus.subscribe((event) => {
      if (event.type === "run.completed" && event.run.endReason === "success") {
        this.#noteSuccess(event.run.unit, event.run.endedAt ?? this.#world.clock.now());
      }
    });
  }

  stop(): void {
    this.#unsubscribe();
    this.#cancel();
  }

  /** Takes in which tasks must succeed every so often. */
  reload(): void {
    this.#try(() => {
      const { expectations } = this.#world.store;
      const tasks = this.#options.tasks().filter(({ expectEvery }) => expectEvery !== 0);
      expectations.keep(tasks.map(({ name }) => name));
      this.#watched = new Map(tasks.map((task) => {
        const { since, toldFor } = expectations.of(task.name, this.#world.clock.now());
        const last = expectations.lastSuccess(task.name);
        const wasPaused = this.#options.isPaused(task.name);
        const watched = { task, last, since, toldFor, due: undefined, wasPaused };
        return [task.name, { ...watched, due: this.#dueOf(watched) }];
      }));
    });
    this.#cancel();
    if (this.#watched.size > 0) this.#again();
  }

  #noteSuccess(unit: string, at: number): void {
    const watched = this.#watched.get(unit);
    if (watched === undefined) return;
    watched.last = at;
    this.#waitFrom(watched, at);
  }

  /** Stored, since the row of a run is not kept for good. */
  #waitFrom(watched: Watched, since: number): void {
    watched.since = since;
    this.#try(() => {
      this.#world.store.expectations.waitFrom(watched.task.name, since);
      watched.due = this.#dueOf(watched);
    });
  }

  #dueOf({ task, last, since }: Watched): number | undefined {
    // What lies ahead comes of a clock that was set back.
    const from = Math.min(Math.max(last ?? 0, since), this.#world.clock.now());
    const isAuto = task.expectEvery === "auto";
    return successDue({
      every: task.expectEvery,
      last: from,
      tick: isAuto ? this.#options.nextTick(task.name, from) : undefined,
      durations: isAuto ? this.#world.store.expectations.durations(task.name, looksBack) : [],
    });
  }

  #again(): void {
    this.#cancel = this.#world.clock.after(lookEvery, () => {
      this.#try(() => this.#look());
      this.#again();
    });
  }

  #look(): void {
    const now = this.#world.clock.now();
    for (const watched of this.#watched.values()) {
      if (this.#isHeld(watched, now) || now < this.#from) continue;
      const { due, last, since, task: { name } } = watched;
      if (due === undefined || now < due || isTold(watched)) continue;
      this.#world.store.expectations.tell(name, due);
      watched.toldFor = due;
      this.#world.log.warn(`task "${name}" is overdue: no success was seen`);
      const happening = happeningOfOverdue({ unit: name, due, last, since, at: now });
      this.#options.happenings.publish({ type: "happening", happening });
    }
  }

  /** Whether a task is paused; one that is resumed has all of its time before it. */
  #isHeld(watched: Watched, now: number): boolean {
    const isPaused = this.#options.isPaused(watched.task.name);
    if (watched.wasPaused && !isPaused) this.#waitFrom(watched, now);
    watched.wasPaused = isPaused;
    return isPaused;
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#world.log.error("cannot watch for runs that stay away", { error: messageOf(error) });
    }
  }
}

/** Whether it was told since the last success: when that was due may have changed meanwhile. */
function isTold({ toldFor, last, since }: Watched): boolean {
  return toldFor !== undefined && toldFor >= Math.max(last ?? 0, since);
}
