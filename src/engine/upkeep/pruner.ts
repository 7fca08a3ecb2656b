import { messageOf } from "../../fault.ts";
import type { Unit } from "../../types.ts";
import type { Bus } from "../bus.ts";
import { undoWindow } from "../runs/bulk.ts";
import type { World } from "../world.ts";

const minute = 60_000;
const hour = 3_600_000;
/** Runs that end in a burst are swept together, this many ms after the first. */
const burst = 500;
/** Rows removed in one step between other events. */
const stepSize = 100;

/** How much of a unit's history is kept: rows (0: all) and ms (0: for ever). */
export interface Retention {
  keepRuns: number;
  keepFor: number;
}

/** What the configuration in force says of retention. */
export interface RetentionPolicy {
  ofUnit(name: string): Retention;
  /** Cap of all logs together, bytes; 0: none. */
  maxLogBytes(): number;
  /** The time by which ages are reckoned, Unix ms. */
  now(): number;
}

/** Applies retention: at start, hourly, and after a run that crosses a cap; and purges deleted runs. Log before row. */
export class Pruner {
  readonly #world: World;
  readonly #policy: RetentionPolicy;
  readonly #dirty = new Set<string>();
  #timers = new Set<() => void>();
  #bus: Bus | undefined;
  #unsubscribe: () => void = () => {};

  constructor(world: World, policy: RetentionPolicy) {
    this.#world = world;
    this.#policy = policy;
  }

  start(bus: Bus): void {
    this.#bus = bus;
    this.#unsubscribe = bus.subscribe((event) => {
      if (event.type === "run.completed" || event.type === "run.failed") this.#mark(event.run.unit);
    });
    this.#hourly();
    this.purge();
    this.purgeLater(); // for what the daemon before this one deleted last
  }

  stop(): void {
    this.#unsubscribe();
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }

  /** Reclaims deleted runs whose undo window is over. */
  purge(): void {
    const due = this.#world.store.runs.deletedBefore(this.#world.clock.now() - undoWindow);
    for (const { id, unit } of due) this.#reclaim(unit, id);
  }

  /** Purges once the undo window of what was deleted just now is over. */
  purgeLater(): void {
    this.#after(undoWindow + 1, () => this.purge());
  }

  /** Looks at everything: what is kept may have changed. */
  pruneAll(): void {
    for (const unit of this.#world.store.runs.units()) this.#mark(unit);
  }

  #hourly(): void {
    this.pruneAll();
    this.#after(hour, () => this.#hourly());
  }

  #mark(unit: string): void {
    this.#dirty.add(unit);
    if (this.#dirty.size === 1) this.#after(burst, () => this.#prune());
  }

  /** One unit's share at a time; a unit with more to remove comes again. */
  #prune(): void {
    for (const unit of this.#dirty) {
      const { keepRuns, keepFor } = this.#policy.ofUnit(unit);
      const ids = this.#world.store.runs.expired(unit, {
        ...(keepRuns > 0 ? { keep: keepRuns } : {}),
        ...(keepFor > 0 ? { before: this.#policy.now() - keepFor } : {}),
        limit: stepSize,
      });
      const removed = ids.filter((id) => this.#reclaim(unit, id));
      for (const runId of removed) this.#bus?.publish({ type: "run.deleted", runId, unit });
      // Where the disk refuses, the next hour tries again.
      if (ids.length < stepSize || removed.length < ids.length) this.#dirty.delete(unit);
      break;
    }
    if (this.#dirty.size > 0 || this.#removeOldestLogs()) this.#after(0, () => this.#prune());
  }

  /** Removes the oldest runs with logs while all logs together are over the cap. Answers whether there is more to do. */
  #removeOldestLogs(): boolean {
    const cap = this.#policy.maxLogBytes();
    const { logSizes } = this.#world.store;
    let over = cap === 0 ? 0 : logSizes.total() + this.#world.logs.openBytes - cap;
    if (over <= 0) return false;
    const oldest = logSizes.oldest(stepSize);
    for (const { id, unit, bytes } of oldest) {
      if (over <= 0) return false;
      if (!this.#reclaim(unit, id)) return false;
      over -= bytes;
      this.#bus?.publish({ type: "run.deleted", runId: id, unit });
    }
    return over > 0 && oldest.length === stepSize;
  }

  /** Answers whether the run is gone. */
  #reclaim(unit: string, id: string): boolean {
    try {
      this.#world.logs.remove(unit, id);
    } catch (error) {
      this.#world.log.warn("cannot remove the log of a run", { unit, run: id, error: messageOf(error) });
      return false;
    }
    this.#world.store.runs.remove(id);
    return true;
  }

  #after(ms: number, f: () => void): void {
    const cancel = this.#world.clock.after(ms, () => {
      this.#timers.delete(cancel);
      try {
        f();
      } catch (error) {
        if (!this.#world.refusals.knows(error)) {
          this.#world.log.error("cannot clean up the history, trying again in a minute", {
            error: messageOf(error),
          });
        }
        this.#after(minute, f);
      }
    });
    this.#timers.add(cancel);
  }
}

/** How long a unit's runs are kept; runs of units that are gone follow the defaults. */
export function retentionOf(
  unit: Unit | undefined,
  removed: { removedKeepRuns: number; removedKeepFor: number },
): Retention {
  return unit ?? { keepRuns: removed.removedKeepRuns, keepFor: removed.removedKeepFor };
}
