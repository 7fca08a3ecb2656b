import type { DatabaseSync } from "node:sqlite";
import { filterToSql, type RunFilter } from "../../core/selector.ts";
import type { Run } from "../../types.ts";
import { runColumns, toRun } from "./runs.ts";

/** A slice of what a filter finds: in order of ids, after one and up to another (both may be any text). */
export interface Slice {
  filter: RunFilter;
  /** Look among deleted runs instead of the others. */
  deleted: boolean;
  after: string;
  upTo: string;
  limit: number;
}

/** Many runs at a time, in slices that are short enough to stand between events. */
export class RunPicks {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** Ids that a filter finds, ascending. */
  find(slice: Slice): string[] {
    const where = filterToSql(slice.filter, { deleted: slice.deleted });
    return this.#db.prepare(
      `SELECT id FROM runs WHERE ${where.text} AND id > ? AND id <= ? ORDER BY id LIMIT ?`,
    ).all(...where.values, slice.after, slice.upTo, slice.limit).map((row) => String(row.id));
  }

  /** The runs of some ids, in order of ids; unknown and deleted ones are left out. */
  get(ids: readonly string[]): Run[] {
    return this.#db.prepare(
      `SELECT ${runColumns} FROM runs WHERE id IN (SELECT value FROM json_each(?)) AND deleted_at IS NULL ORDER BY id`,
    ).all(JSON.stringify(ids)).map(toRun);
  }

  /** Hides ended runs; answers those that were hidden. */
  hide(ids: readonly string[], at: number): { id: string; unit: string }[] {
    return this.#db.prepare(
      `UPDATE runs SET deleted_at = ? WHERE id IN (SELECT value FROM json_each(?)) AND status = 'ended'
       AND deleted_at IS NULL RETURNING id, unit`,
    ).all(at, JSON.stringify(ids)).map((row) => ({ id: String(row.id), unit: String(row.unit) }));
  }

  /** Brings back runs that were hidden after a time (Unix ms); answers them. */
  restore(ids: readonly string[], hiddenAfter: number): Run[] {
    return this.#db.prepare(
      `UPDATE runs SET deleted_at = NULL WHERE id IN (SELECT value FROM json_each(?)) AND deleted_at > ?
       RETURNING ${runColumns}`,
    ).all(JSON.stringify(ids), hiddenAfter).map(toRun);
  }
}
