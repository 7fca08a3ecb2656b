import type { DatabaseSync } from "node:sqlite";

/** A container that there may be, by the run that it is of. */
export interface StoredContainer {
  runId: string;
  unit: string;
  instance: number;
}

/** Containers that runs have asked for, until each is known to be gone: they outlive their daemon. */
export class ContainerStore {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  add({ runId, unit, instance }: StoredContainer): void {
    this.#db.prepare(
      "INSERT INTO containers (run_id, unit, instance) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    )
      .run(runId, unit, instance);
  }

  remove(runIds: readonly string[]): void {
    this.#db.prepare("DELETE FROM containers WHERE run_id IN (SELECT value FROM json_each(?))")
      .run(JSON.stringify(runIds));
  }

  /** All of them, the oldest first. */
  all(): StoredContainer[] {
    return this.#db.prepare("SELECT run_id, unit, instance FROM containers ORDER BY run_id").all().map((
      row,
    ) => ({
      runId: String(row.run_id),
      unit: String(row.unit),
      instance: Number(row.instance),
    }));
  }
}
