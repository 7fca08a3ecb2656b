import type { DatabaseSync } from "node:sqlite";

/** What is known of a task that must succeed every so often. Times are Unix ms. */
export interface Expectation {
  /** From when on a success is waited for: since it is watched, has last succeeded, or was resumed. */
  since: number;
  /** The time at which the success was due whose absence was told last. */
  toldFor?: number;
}

/** Tasks that must succeed every so often. */
export class ExpectationStore {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** What is known of a task, which is watched from `now` on if it has not been before. */
  of(unit: string, now: number): Expectation {
    this.#db.prepare("INSERT INTO expectations (unit, since) VALUES (?, ?) ON CONFLICT DO NOTHING").run(
      unit,
      now,
    );
    const row = this.#db.prepare("SELECT since, told_for FROM expectations WHERE unit = ?").get(unit)!;
    return { since: Number(row.since), ...(row.told_for === null ? {} : { toldFor: Number(row.told_for) }) };
  }

  /** From now on a success of a task is waited for from `since` on. */
  waitFrom(unit: string, since: number): void {
    this.#db.prepare("UPDATE expectations SET since = ? WHERE unit = ?").run(since, unit);
  }

  tell(unit: string, toldFor: number): void {
    this.#db.prepare("UPDATE expectations SET told_for = ? WHERE unit = ?").run(toldFor, unit);
  }

  /** Forgets all tasks but these. */
  keep(units: readonly string[]): void {
    this.#db.prepare("DELETE FROM expectations WHERE unit NOT IN (SELECT value FROM json_each(?))")
      .run(JSON.stringify(units));
  }

  /** When the newest run of a task that succeeded has ended. */
  lastSuccess(unit: string): number | undefined {
    const row = this.#db.prepare(
      `SELECT ended_at FROM runs WHERE unit = ? AND deleted_at IS NULL AND end_reason = 'success'
       ORDER BY created_at DESC, id DESC LIMIT 1`,
    ).get(unit);
    return row === undefined ? undefined : Number(row.ended_at);
  }

  /** How long the newest runs of a task took that succeeded, ms, `limit` of them at most. */
  durations(unit: string, limit: number): number[] {
    const rows = this.#db.prepare(
      `SELECT ended_at - started_at AS took FROM runs
       WHERE unit = ? AND deleted_at IS NULL AND end_reason = 'success' AND started_at IS NOT NULL
       ORDER BY created_at DESC, id DESC LIMIT ?`,
    ).all(unit, limit);
    return rows.map(({ took }) => Number(took));
  }
}
