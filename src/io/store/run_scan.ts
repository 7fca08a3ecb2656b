import type { DatabaseSync, StatementSync } from "node:sqlite";

/** A run as a walk over the history knows it. `createdAt` in Unix ms. */
export interface ScannedRun {
  id: string;
  unit: string;
  createdAt: number;
}

/** A place in the history: runs have one each, in order of creation, then id. */
export interface ScanPlace {
  createdAt: number;
  id: string;
}

/** Walks over runs, newest first, in steps that cost the same wherever they are. */
export class RunScan {
  readonly #all: StatementSync;
  readonly #ofUnit: StatementSync;

  constructor(db: DatabaseSync) {
    const step = (unit: string): StatementSync =>
      db.prepare(
        `SELECT id, unit, created_at FROM runs
         WHERE deleted_at IS NULL AND (created_at, id) <= (?, ?) ${unit}
         ORDER BY created_at DESC, id DESC LIMIT ?`,
      );
    this.#all = step("");
    this.#ofUnit = step("AND unit = ?");
  }

  /** At most `limit` runs from a place on back in time, that place included; of one unit or of all. */
  back(options: { from?: ScanPlace; unit?: string; limit: number }): ScannedRun[] {
    const { createdAt, id } = options.from ?? end;
    const rows = options.unit === undefined
      ? this.#all.all(createdAt, id, options.limit)
      : this.#ofUnit.all(createdAt, id, options.unit, options.limit);
    return rows.map((row) => ({
      id: String(row.id),
      unit: String(row.unit),
      createdAt: Number(row.created_at),
    }));
  }
}

const end: ScanPlace = { createdAt: Number.MAX_SAFE_INTEGER, id: "" };
