import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SystemSample } from "../../core/system_sample.ts";

/** The machine's load, minute by minute. */
export class SystemMinuteStore {
  readonly #put: StatementSync;
  readonly #between: StatementSync;
  readonly #removeBefore: StatementSync;

  constructor(db: DatabaseSync) {
    this.#put = db.prepare(
      "INSERT OR REPLACE INTO system_minutes (at, cpu, mem, mem_total, mem_used) VALUES (?, ?, ?, ?, ?)",
    );
    this.#between = db.prepare(
      "SELECT at, cpu, mem, mem_total, mem_used FROM system_minutes WHERE at >= ? AND at < ? ORDER BY at",
    );
    this.#removeBefore = db.prepare("DELETE FROM system_minutes WHERE at < ?");
  }

  /** A minute that is there already, after the clock was set back, is replaced. */
  put({ at, cpu, mem, memTotal, memUsed }: SystemSample): void {
    this.#put.run(at, cpu, mem, memTotal, memUsed);
  }

  /** Minutes that begin at or after `from` and before `to` (Unix seconds), in order. */
  between(from: number, to: number): SystemSample[] {
    return this.#between.all(from, to).map((row) => ({
      at: Number(row.at),
      cpu: Number(row.cpu),
      mem: Number(row.mem),
      memTotal: Number(row.mem_total),
      memUsed: Number(row.mem_used),
    }));
  }

  /** Unix seconds. */
  removeBefore(at: number): void {
    this.#removeBefore.run(at);
  }
}
