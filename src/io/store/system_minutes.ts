import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SystemSample } from "../../core/system_sample.ts";

/** The machine's load, minute by minute. */
export class SystemMinuteStore {
  readonly #put: StatementSync;
  readonly #between: StatementSync;
  readonly #removeBefore: StatementSync;
  readonly #newest: StatementSync;

  constructor(db: DatabaseSync) {
    this.#put = db.prepare(
      "INSERT OR REPLACE INTO system_minutes (at, cpu, mem, mem_total, mem_used) VALUES (?, ?, ?, ?, ?)",
    );
    this.#between = db.prepare(
      "SELECT at, cpu, mem, mem_total, mem_used FROM system_minutes WHERE at >= ? AND at < ? ORDER BY at",
    );
    this.#newest = db.prepare("SELECT max(at) AS at FROM system_minutes");
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

  /** When the latest minute began, Unix seconds; undefined where there is none. */
  newest(): number | undefined {
    const at = this.#newest.get()?.at;
    return at === null || at === undefined ? undefined : Number(at);
  }

  /** Unix seconds. */
  removeBefore(at: number): void {
    this.#removeBefore.run(at);
  }
}
