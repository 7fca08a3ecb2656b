import type { Happening, ServiceTrouble } from "../core/notices.ts";
import type { Run } from "../types.ts";

/** What the engine tells the world; always after what it tells of is stored. */
export type EngineEvent =
  | {
    type: "run.created" | "run.started" | "run.updated" | "run.completed" | "run.failed";
    run: Run;
    error?: string;
    /** Of a run that is created: the restart policy wants it. */
    isRestart?: boolean;
  }
  | { type: "run.deleted"; runId: string; unit: string }
  | { type: "config.stale"; stale: boolean }
  | { type: "tasks.changed" };

/** What somebody may want to be told of beside the ends of runs. `except` is a notifier that shall not hear of it. */
export type HappeningEvent =
  | { type: "happening"; happening: Happening; except?: string }
  | { type: "service.trouble"; trouble: ServiceTrouble };

/** Hands every event to every listener, in order. A listener that throws is a bug and ends nobody else's delivery. */
export class Bus<E = EngineEvent> {
  readonly #listeners = new Set<(event: E) => void>();

  /** The result ends the subscription. */
  subscribe(listener: (event: E) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  publish(event: E): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        reportError(error);
      }
    }
  }
}

/** Tells that a run has ended; its row is stored. */
export function publishEnd(bus: Bus, run: Run): void {
  bus.publish({
    type: run.isFailure ? "run.failed" : "run.completed",
    run,
    ...(run.error === undefined ? {} : { error: run.error }),
  });
}
