import type { RunSelector } from "../../core/selector.ts";
import type { Run, Task } from "../../types.ts";
import type { Bus } from "../bus.ts";
import type { World } from "../world.ts";

/** Time in which a deleted run can be brought back, in ms (docs/behaviour.md#retention). */
export const undoWindow = 10_000;
/** Runs that are dealt with between two other events. */
const sliceSize = 500;
/** Above every ULID. */
const lastId = "~";

/** What a bulk operation did: how many runs it touched, and which it left alone because they are active. */
export interface BulkResult {
  affected: number;
  skipped: string[];
}

/** What bulk operations need of the engine. */
export interface BulkActions {
  /** Whether clients may stop a run. */
  stoppable(run: Run): boolean;
  /** Stops one run. */
  stop(run: Run): void;
  /** The task of this name if clients may trigger it. */
  triggerable(unit: string): Task | undefined;
  /** Makes a fresh run like an earlier one. */
  rerun(task: Task, like: Run): Run;
  /** Some runs were hidden just now. */
  hidden(): void;
}

/** Operations on many runs. Each goes in slices, a transaction each, so that nothing else waits for it. */
export class Bulk {
  readonly #world: World;
  readonly #bus: Bus;
  readonly #actions: BulkActions;

  constructor(world: World, bus: Bus, actions: BulkActions) {
    this.#world = world;
    this.#bus = bus;
    this.#actions = actions;
  }

  /** Hides ended runs; active ones are skipped. */
  async delete(selector: RunSelector): Promise<BulkResult> {
    const result: BulkResult = { affected: 0, skipped: [] };
    for await (const ids of this.#slices(selector, { deleted: false })) {
      const hidden = this.#world.store.picks.hide(ids, this.#world.clock.now());
      for (const { id, unit } of hidden) this.#bus.publish({ type: "run.deleted", runId: id, unit });
      result.affected += hidden.length;
      // What was not hidden and is still to be seen is active.
      if (hidden.length < ids.length) {
        for (const { id } of this.#world.store.picks.get(ids)) result.skipped.push(id);
      }
    }
    if (result.affected > 0) this.#actions.hidden();
    return result;
  }

  /** Brings back runs whose undo window is not over. */
  async restore(selector: RunSelector): Promise<BulkResult> {
    let affected = 0;
    for await (const ids of this.#slices(selector, { deleted: true })) {
      const restored = this.#world.store.picks.restore(ids, this.#world.clock.now() - undoWindow);
      for (const run of restored) this.#bus.publish({ type: "run.updated", run });
      affected += restored.length;
    }
    return { affected, skipped: [] };
  }

  /** Asks active runs to end; those of closed services are left out. */
  async stop(selector: RunSelector): Promise<BulkResult> {
    let affected = 0;
    for await (const ids of this.#slices(selector, { deleted: false })) {
      // The newest first, so that none starts in the place of another that is stopped before it.
      for (const run of this.#world.store.picks.get(ids).reverse()) {
        if (run.status === "ended" || !this.#actions.stoppable(run)) continue;
        this.#actions.stop(run);
        affected++;
      }
    }
    return { affected, skipped: [] };
  }

  /** One fresh run for each task among the selected runs, like the newest of them. Services and closed tasks are left out. */
  async rerun(selector: RunSelector): Promise<Run[]> {
    const newest = new Map<string, Run>();
    for await (const ids of this.#slices(selector, { deleted: false })) {
      for (const run of this.#world.store.picks.get(ids)) {
        const known = newest.get(run.unit);
        if (known === undefined || run.id > known.id) newest.set(run.unit, run);
      }
    }
    return [...newest.values()].flatMap((run) => {
      const task = this.#actions.triggerable(run.unit);
      return task === undefined ? [] : [this.#actions.rerun(task, run)];
    });
  }

  /** The ids of a selector, in slices; runs that are made meanwhile are not among them. */
  async *#slices(selector: RunSelector, options: { deleted: boolean }): AsyncGenerator<string[]> {
    if ("ids" in selector) {
      const ids = [...new Set(selector.ids)];
      for (let at = 0; at < ids.length; at += sliceSize) {
        yield ids.slice(at, at + sliceSize);
        await this.#turn();
      }
      return;
    }
    const except = new Set(selector.exceptIds);
    const upTo = this.#world.store.runs.newestId() ?? lastId;
    for (let after = "";;) {
      const slice = { filter: selector.filter, ...options, after, upTo, limit: sliceSize };
      const found = this.#world.store.picks.find(slice);
      const ids = found.filter((id) => !except.has(id));
      if (ids.length > 0) yield ids;
      if (found.length < sliceSize) return;
      after = found.at(-1)!;
      await this.#turn();
    }
  }

  /** Lets everything else go first. */
  #turn(): Promise<void> {
    return new Promise((resolve) => this.#world.clock.after(0, resolve));
  }
}
