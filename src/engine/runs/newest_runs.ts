import type { Store } from "../../io/store/store.ts";
import type { Run } from "../../types.ts";
import type { Bus } from "../bus.ts";

/** The newest run of each unit, by creation; kept current by events. */
export class NewestRuns {
  readonly #store: Store;
  readonly #byUnit = new Map<string, Run>();

  constructor(store: Store, bus: Bus) {
    this.#store = store;
    for (const run of store.runs.newestPerUnit()) this.#byUnit.set(run.unit, run);
    bus.subscribe((event) => {
      if (event.type === "run.deleted") this.#forget(event.runId, event.unit);
      else if ("run" in event) this.#note(event.run);
    });
  }

  of(unit: string): Run | undefined {
    return this.#byUnit.get(unit);
  }

  #note(run: Run): void {
    const known = this.#byUnit.get(run.unit);
    if (known === undefined || known.id === run.id || isNewer(run, known)) this.#byUnit.set(run.unit, run);
  }

  #forget(runId: string, unit: string): void {
    if (this.#byUnit.get(unit)?.id !== runId) return;
    const next = this.#store.runs.newest(unit);
    if (next === undefined) this.#byUnit.delete(unit);
    else this.#byUnit.set(unit, next);
  }
}

function isNewer(run: Run, than: Run): boolean {
  return run.createdAt > than.createdAt || (run.createdAt === than.createdAt && run.id > than.id);
}
