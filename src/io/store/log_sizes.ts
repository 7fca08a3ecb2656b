import type { DatabaseSync, StatementSync } from "node:sqlite";

/** How much the logs of ended runs take on the disk. Sizes are bytes. */
export class LogSizes {
  readonly #set: StatementSync;
  readonly #total: StatementSync;
  readonly #oldest: StatementSync;

  constructor(db: DatabaseSync) {
    this.#set = db.prepare("UPDATE runs SET log_bytes = ? WHERE id = ?");
    this.#total = db.prepare("SELECT bytes FROM log_total");
    this.#oldest = db.prepare(
      `SELECT id, unit, log_bytes FROM runs WHERE log_bytes > 0 AND deleted_at IS NULL AND status = 'ended'
       ORDER BY created_at, id LIMIT ?`,
    );
  }

  set(runId: string, bytes: number): void {
    this.#set.run(bytes, runId);
  }

  /** Of all runs, deleted ones included until they are purged. */
  total(): number {
    return Number(this.#total.get()?.bytes ?? 0);
  }

  /** Ended runs that have a log, oldest first. */
  oldest(limit: number): { id: string; unit: string; bytes: number }[] {
    return this.#oldest.all(limit).map((row) => ({
      id: String(row.id),
      unit: String(row.unit),
      bytes: Number(row.log_bytes),
    }));
  }
}
