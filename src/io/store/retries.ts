import type { DatabaseSync } from "node:sqlite";
import type { Trigger } from "../../types.ts";

/** A retry that is to be made at `dueAt` (Unix ms). */
export interface DueRetry {
  unit: string;
  /** The first run of the chain. */
  ofRun: string;
  attempt: number;
  dueAt: number;
  trigger: Trigger;
  params?: Record<string, string>;
}

/** Retries to come; they outlive the daemon. */
export class RetryStore {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  put(retry: DueRetry): void {
    this.#db.prepare(
      "INSERT OR REPLACE INTO retries (of_run, attempt, unit, due_at, trigger, params) VALUES (?, ?, ?, ?, ?, ?)",
    ).run(
      retry.ofRun,
      retry.attempt,
      retry.unit,
      retry.dueAt,
      retry.trigger,
      retry.params === undefined ? null : JSON.stringify(retry.params),
    );
  }

  /** All, in order of their time. */
  all(): DueRetry[] {
    return this.#db.prepare("SELECT * FROM retries ORDER BY due_at, of_run").all().map((row) => {
      const retry: DueRetry = {
        unit: String(row.unit),
        ofRun: String(row.of_run),
        attempt: Number(row.attempt),
        dueAt: Number(row.due_at),
        trigger: row.trigger as Trigger,
      };
      if (row.params !== null) retry.params = JSON.parse(String(row.params));
      return retry;
    });
  }

  remove(retry: Pick<DueRetry, "ofRun" | "attempt">): void {
    this.#db.prepare("DELETE FROM retries WHERE of_run = ? AND attempt = ?").run(retry.ofRun, retry.attempt);
  }

  removeOf(unit: string): void {
    this.#db.prepare("DELETE FROM retries WHERE unit = ?").run(unit);
  }
}
