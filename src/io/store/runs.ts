import type { DatabaseSync, StatementSync } from "node:sqlite";
import { filterToSql, type RunFilter, type SortField, sortToSql } from "../../core/selector.ts";
import type { EndReason, ProcessIdentity, Run, RunStatus, Trigger } from "../../types.ts";

/** A page of runs, and how many match in all. */
export interface RunList {
  runs: Run[];
  total: number;
}

export interface ListOptions {
  filter: RunFilter;
  sort: SortField;
  descending: boolean;
  limit: number;
  offset: number;
  now: number;
}

const columns =
  "id, unit, status, exit_code, trigger, created_at, started_at, ended_at, end_reason, is_failure, retry_attempt, retry_of, instance, params, error, peak_memory_bytes, cpu_time_ms";

/** The runs of the history, one row each. Every method is one statement (or a few in the caller's transaction). */
export class RunStore {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #update: StatementSync;
  readonly #get: StatementSync;
  readonly #identity: StatementSync;
  readonly #newest: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#insert = db.prepare(
      `INSERT INTO runs (${columns}) VALUES (${columns.split(",").map(() => "?").join(", ")})`,
    );
    this.#update = db.prepare(
      `UPDATE runs SET status = ?, exit_code = ?, started_at = ?, ended_at = ?, end_reason = ?, is_failure = ?, error = ?,
       peak_memory_bytes = ?, cpu_time_ms = ? WHERE id = ?`,
    );
    this.#get = db.prepare(`SELECT ${columns} FROM runs WHERE id = ? AND deleted_at IS NULL`);
    this.#newest = db.prepare(
      `SELECT ${columns} FROM runs WHERE unit = ? AND deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 1`,
    );
    this.#identity = db.prepare("UPDATE runs SET pid = ?, start_ticks = ?, boot_id = ? WHERE id = ?");
  }

  insert(run: Run): void {
    this.#insert.run(
      run.id,
      run.unit,
      run.status,
      run.exitCode,
      run.trigger,
      run.createdAt,
      run.startedAt ?? null,
      run.endedAt ?? null,
      run.endReason ?? null,
      run.isFailure ? 1 : 0,
      run.retryAttempt,
      run.retryOf ?? null,
      run.instance,
      run.params === undefined ? null : JSON.stringify(run.params),
      run.error ?? null,
      run.peakMemoryBytes ?? null,
      run.cpuTimeMs ?? null,
    );
  }

  /** Stores what changes in a run's life. */
  update(run: Run): void {
    this.#update.run(
      run.status,
      run.exitCode,
      run.startedAt ?? null,
      run.endedAt ?? null,
      run.endReason ?? null,
      run.isFailure ? 1 : 0,
      run.error ?? null,
      run.peakMemoryBytes ?? null,
      run.cpuTimeMs ?? null,
      run.id,
    );
  }

  /** Stores which process carries a run, so that a later daemon knows it again. */
  setIdentity(id: string, process: ProcessIdentity): void {
    this.#identity.run(process.pid, process.startTicks ?? null, process.bootId, id);
  }

  get(id: string): Run | undefined {
    const row = this.#get.get(id);
    return row === undefined ? undefined : toRun(row);
  }

  list(options: ListOptions): RunList {
    const where = filterToSql(options.filter);
    const order = sortToSql(options.sort, options);
    const runs = this.#db.prepare(
      `SELECT ${columns} FROM runs WHERE ${where.text} ORDER BY ${order.text} LIMIT ? OFFSET ?`,
    ).all(...where.values, ...order.values, options.limit, options.offset).map(toRun);
    return { runs, total: this.count(options.filter) };
  }

  count(filter: RunFilter): number {
    const where = filterToSql(filter);
    return Number(
      this.#db.prepare(`SELECT count(*) AS n FROM runs WHERE ${where.text}`).get(...where.values)?.n ?? 0,
    );
  }

  /** The newest run of each unit, by creation. */
  newestPerUnit(): Run[] {
    return this.units().flatMap((unit) => this.newest(unit) ?? []);
  }

  newest(unit: string): Run | undefined {
    const row = this.#newest.get(unit);
    return row === undefined ? undefined : toRun(row);
  }

  /** Runs that are pending or running, oldest first, with the process that carried each. */
  active(): { run: Run; process?: ProcessIdentity }[] {
    return this.#db.prepare(
      `SELECT ${columns}, pid, start_ticks, boot_id FROM runs WHERE status <> 'ended' ORDER BY created_at, id`,
    ).all().map((row) => {
      const run = toRun(row);
      if (row.pid === null || row.boot_id === null) return { run };
      const process: ProcessIdentity = { pid: Number(row.pid), bootId: String(row.boot_id) };
      if (row.start_ticks !== null) process.startTicks = String(row.start_ticks);
      return { run, process };
    });
  }

  /** Removes a row for good. */
  remove(id: string): void {
    this.#db.prepare("DELETE FROM runs WHERE id = ?").run(id);
  }

  /** Hides ended runs; they can be restored until they are purged. Answers how many were hidden. */
  markDeleted(ids: readonly string[], at: number): number {
    const mark = this.#db.prepare(
      "UPDATE runs SET deleted_at = ? WHERE id = ? AND status = 'ended' AND deleted_at IS NULL",
    );
    let affected = 0;
    for (const id of ids) affected += Number(mark.run(at, id).changes);
    return affected;
  }

  /** Runs that were hidden at or before a time. */
  deletedBefore(at: number): { id: string; unit: string }[] {
    return this.#db.prepare("SELECT id, unit FROM runs WHERE deleted_at IS NOT NULL AND deleted_at <= ?").all(
      at,
    )
      .map((row) => ({ id: String(row.id), unit: String(row.unit) }));
  }

  /** Ended runs of a unit beyond the newest `keep`, or created before `before` (Unix ms), oldest first. */
  expired(unit: string, options: { keep?: number; before?: number; limit: number }): string[] {
    const ids = new Set<string>();
    if (options.before !== undefined) {
      const rows = this.#db.prepare(
        `SELECT id FROM runs WHERE unit = ? AND created_at < ? AND status = 'ended' AND deleted_at IS NULL
         ORDER BY created_at, id LIMIT ?`,
      ).all(unit, options.before, options.limit);
      for (const row of rows) ids.add(String(row.id));
    }
    if (options.keep !== undefined) {
      const rows = this.#db.prepare(
        `WITH ended AS (SELECT id, created_at FROM runs WHERE unit = ? AND status = 'ended' AND deleted_at IS NULL)
         SELECT id FROM ended ORDER BY created_at, id LIMIT max(0, min(?, (SELECT count(*) FROM ended) - ?))`,
      ).all(unit, options.limit, options.keep);
      for (const row of rows) ids.add(String(row.id));
    }
    return [...ids];
  }

  /** Names of all units that have rows. */
  units(): string[] {
    return this.#db.prepare("SELECT DISTINCT unit FROM runs").all().map((row) => String(row.unit));
  }
}

function toRun(row: Record<string, unknown>): Run {
  const run: Run = {
    id: String(row.id),
    unit: String(row.unit),
    status: row.status as RunStatus,
    exitCode: Number(row.exit_code),
    trigger: row.trigger as Trigger,
    createdAt: Number(row.created_at),
    isFailure: row.is_failure === 1,
    retryAttempt: Number(row.retry_attempt),
    instance: Number(row.instance),
  };
  if (row.started_at !== null) run.startedAt = Number(row.started_at);
  if (row.ended_at !== null) run.endedAt = Number(row.ended_at);
  if (row.end_reason !== null) run.endReason = row.end_reason as EndReason;
  if (row.retry_of !== null) run.retryOf = String(row.retry_of);
  if (row.params !== null) run.params = JSON.parse(String(row.params));
  if (row.error !== null) run.error = String(row.error);
  if (row.peak_memory_bytes !== null) run.peakMemoryBytes = Number(row.peak_memory_bytes);
  if (row.cpu_time_ms !== null) run.cpuTimeMs = Number(row.cpu_time_ms);
  return run;
}
