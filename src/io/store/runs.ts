import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  type FilterOptions,
  filterToCounts,
  filterToSql,
  type RunFilter,
  searchesIds,
  type SortField,
  sortToSql,
} from "../../core/selector.ts";
import type { Changeable, EndReason, ProcessIdentity, Run, RunStatus, Trigger } from "../../types.ts";

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
}

/** A search text that is in more ids than this is looked for while the list is walked. */
const mostFound = 2000;
/** Length of a ULID. */
const idLength = 26;

/** A run that is not over, as an earlier daemon may have left it. */
export interface ActiveRow {
  run: Run;
  /** The process that carries it, or did. */
  process?: ProcessIdentity;
  /** What it is known by where it may outlive its daemon, and how its machines stood. */
  keeping?: { nonce: string; kept: string };
}

/** The columns that `toRun` reads. */
export const runColumns =
  "id, unit, status, exit_code, trigger, created_at, started_at, ended_at, end_reason, is_failure, retry_attempt, retry_of, instance, params, error, peak_memory_bytes, cpu_time_ms, adopted_at";

/** The runs of the history, one row each. Every method is one statement (or a few in the caller's transaction). */
export class RunStore {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #update: StatementSync;
  readonly #get: StatementSync;
  readonly #identity: StatementSync;
  readonly #begin: StatementSync;
  readonly #kept: StatementSync;
  readonly #newest: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#insert = db.prepare(
      `INSERT INTO runs (${runColumns}) VALUES (${runColumns.split(",").map(() => "?").join(", ")})`,
    );
    this.#update = db.prepare(
      `UPDATE runs SET status = ?, exit_code = ?, started_at = ?, ended_at = ?, end_reason = ?, is_failure = ?, error = ?,
       peak_memory_bytes = ?, cpu_time_ms = ?, adopted_at = ?, nonce = iif(?1 = 'ended', NULL, nonce),
       kept = iif(?1 = 'ended', NULL, kept) WHERE id = ?`,
    );
    this.#begin = db.prepare("UPDATE runs SET status = ?, started_at = ?, nonce = ?, kept = ? WHERE id = ?");
    this.#kept = db.prepare("UPDATE runs SET kept = ? WHERE id = ?");
    this.#get = db.prepare(`SELECT ${runColumns} FROM runs WHERE id = ? AND deleted_at IS NULL`);
    this.#newest = db.prepare(
      `SELECT ${runColumns} FROM runs WHERE unit = ? AND deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 1`,
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
      run.adoptedAt ?? null,
    );
  }

  /** Stores that a run starts; `keeping`: it may outlive this daemon, and is known by that then. */
  begin(run: Run, keeping?: { nonce: string; kept: string }): void {
    this.#begin.run(run.status, run.startedAt ?? null, keeping?.nonce ?? null, keeping?.kept ?? null, run.id);
  }

  /** Stores how the machines of a run stand that may outlive this daemon. */
  setKept(id: string, kept: string): void {
    this.#kept.run(kept, id);
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
      run.adoptedAt ?? null,
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
    const { filter, sort, descending, limit, offset } = options;
    const found = this.#find(filter);
    const total = this.#count(filter, found);
    if (offset >= total) return { runs: [], total };
    const where = filterToSql(filter, { dense: this.#isDense(options, total), ...found });
    const runs = this.#db.prepare(
      `SELECT ${runColumns} FROM runs WHERE ${where.text} ORDER BY ${
        sortToSql(sort, descending)
      } LIMIT ? OFFSET ?`,
    ).all(...where.values, limit, offset).map(toRun);
    return { runs, total };
  }

  /** How many runs match: a sum over few rows, but for filters by time or id. */
  count(filter: RunFilter): number {
    return this.#count(filter, this.#find(filter));
  }

  #count(filter: RunFilter, found: Pick<FilterOptions, "found">): number {
    const sums = filterToCounts(filter, found);
    if (sums !== undefined) {
      return this.#number(`SELECT coalesce(sum(n), 0) AS n FROM run_counts WHERE ${sums.text}`, sums.values);
    }
    if (found.found === undefined && Object.keys(filter).join() === "search") {
      return this.#countSearched(filter.search!);
    }
    const where = filterToSql(filter, found);
    return this.#number(`SELECT count(*) AS n FROM runs WHERE ${where.text}`, where.values);
  }

  /** Counts a text that is in many ids, by two indices that hold all that is asked. */
  #countSearched(search: string): number {
    const wanted = search.toUpperCase();
    const byId = this.#number(
      "SELECT count(*) AS n FROM runs WHERE deleted_at IS NULL AND instr(id, ?) > 0",
      [wanted],
    );
    const units = JSON.stringify(this.#unitsWith(search));
    return byId + this.#number(
      `SELECT count(*) AS n FROM runs WHERE deleted_at IS NULL AND unit IN (SELECT value FROM json_each(?))
       AND instr(id, ?) = 0`,
      [units, wanted],
    );
  }

  #unitsWith(search: string): string[] {
    return this.#db.prepare("SELECT DISTINCT unit FROM run_counts WHERE instr(lower(unit), ?) > 0").all(
      search.toLowerCase(),
    ).map(({ unit }) => String(unit));
  }

  /** Looks a search text up in names and ids, so that the list need not look at every run; not where it is in too many. */
  #find({ search }: RunFilter): Pick<FilterOptions, "found"> {
    if (!search || !searchesIds(search)) return {};
    const wanted = search.toUpperCase();
    // A whole id is found at once; a part of one costs a look at each.
    const ids = wanted.length === idLength
      ? this.#db.prepare("SELECT id FROM runs WHERE id = ?").all(wanted)
      : this.#db.prepare("SELECT id FROM runs WHERE instr(id, ?) > 0 LIMIT ?").all(wanted, mostFound + 1);
    if (ids.length > mostFound) return {};
    return { found: { units: this.#unitsWith(search), ids: ids.map(({ id }) => String(id)) } };
  }

  /**
   * Whether so many runs match that walking in the order that is asked for meets a page of them soon. By creation,
   * an index of a single value is in that order already.
   */
  #isDense({ filter, sort }: ListOptions, total: number): boolean {
    const single = filter.unit !== undefined || filter.triggers?.length === 1 ||
      (filter.states?.reasons.length === 1 && filter.states.statuses.length === 0);
    if (sort === "created_at" && single) return false;
    return total > this.count({}) / 50;
  }

  #number(sql: string, values: (string | number)[]): number {
    return Number(this.#db.prepare(sql).get(...values)?.n ?? 0);
  }

  /** The newest run of each unit, by creation. */
  newestPerUnit(): Run[] {
    return this.units().flatMap((unit) => this.newest(unit) ?? []);
  }

  newest(unit: string): Run | undefined {
    const row = this.#newest.get(unit);
    return row === undefined ? undefined : toRun(row);
  }

  /** Whether there is a row, hidden or not. */
  exists(id: string): boolean {
    return this.#db.prepare("SELECT 1 FROM runs WHERE id = ?").get(id) !== undefined;
  }

  /** Whether a unit has a run, hidden or not, that the schedule made for a tick (Unix ms). */
  hasTick(unit: string, tick: number): boolean {
    return this.#db.prepare(
      "SELECT 1 FROM runs WHERE unit = ? AND created_at = ? AND trigger = 'cron' AND retry_attempt = 0 LIMIT 1",
    ).get(unit, tick) !== undefined;
  }

  /** The greatest id there is. */
  newestId(): string | undefined {
    const row = this.#db.prepare("SELECT max(id) AS id FROM runs").get();
    return row === undefined || row.id === null ? undefined : String(row.id);
  }

  /** Runs that are pending or running, in the order in which they came, with what is known of each beside its row. */
  active(): ActiveRow[] {
    return this.#db.prepare(
      `SELECT ${runColumns}, pid, start_ticks, boot_id, nonce, kept FROM runs WHERE status <> 'ended' ORDER BY rowid`,
    ).all().map((row) => {
      const active: ActiveRow = { run: toRun(row) };
      if (row.nonce !== null) active.keeping = { nonce: String(row.nonce), kept: String(row.kept ?? "") };
      if (row.pid === null || row.boot_id === null) return active;
      active.process = { pid: Number(row.pid), bootId: String(row.boot_id) };
      if (row.start_ticks !== null) active.process.startTicks = String(row.start_ticks);
      return active;
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

  /** The latest moment at which a run was made, Unix ms; undefined where there is none. */
  newestTime(): number | undefined {
    const at = this.#db.prepare("SELECT max(created_at) AS at FROM runs").get()?.at;
    return at === null || at === undefined ? undefined : Number(at);
  }

  /** Names of all units that have rows. */
  units(): string[] {
    // Not "DISTINCT unit FROM runs", which reads a long history from end to end.
    return this.#db.prepare(
      `SELECT unit FROM run_counts WHERE n > 0 UNION SELECT unit FROM runs WHERE deleted_at IS NOT NULL`,
    ).all().map((row) => String(row.unit));
  }
}

/** A row of `runs` with all of `runColumns`. */
export function toRun(row: Record<string, unknown>): Run {
  const run: Changeable<Run> = {
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
  if (row.adopted_at !== null) run.adoptedAt = Number(row.adopted_at);
  return run;
}
