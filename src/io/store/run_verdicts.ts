import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Run } from "../../types.ts";

/** How the runs of units went. */
export class RunVerdicts {
  readonly #before: StatementSync;

  constructor(db: DatabaseSync) {
    this.#before = db.prepare(
      `SELECT is_failure FROM runs WHERE unit = ? AND id <> ? AND deleted_at IS NULL
         AND (is_failure = 1 OR end_reason = 'success')
       ORDER BY created_at DESC, id DESC LIMIT 1`,
    );
  }

  /** Whether the newest other run of a run's unit that succeeded or failed has failed. */
  hadFailed({ unit, id }: Pick<Run, "unit" | "id">): boolean {
    return this.#before.get(unit, id)?.is_failure === 1;
  }
}
