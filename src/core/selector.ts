import { statusWord } from "./run_words.ts";
import type { EndReason, Run, RunStatus, Trigger } from "../types.ts";

/** Which runs: all conditions must hold; an absent one holds always. Times are Unix ms, inclusive. */
export interface RunFilter {
  createdAfter?: number;
  createdBefore?: number;
  exitCodeMin?: number;
  exitCodeMax?: number;
  retriesOnly?: boolean;
  /** Case-insensitive substring of unit name or id. */
  search?: string;
  /** A run matches when any listed phase or reason does. */
  states?: StateFilter;
  /** With `states`: failures match too. Without: only failures do. */
  isFailure?: boolean;
  unit?: string;
  triggers?: Trigger[];
}

export interface StateFilter {
  statuses: RunStatus[];
  reasons: EndReason[];
}

/** Runs picked for a bulk operation: by id, or by filter less some ids. */
export type RunSelector = { ids: string[] } | { filter: RunFilter; exceptIds: string[] };

export const sortFields = ["task_name", "status", "start_at", "exit_code", "duration", "created_at"] as const;
export type SortField = (typeof sortFields)[number];

/** A piece of SQL with its positional values. */
export interface Sql {
  text: string;
  values: (string | number)[];
}

/** Reads a comma-separated status filter; answers the first unknown word instead when there is one. */
export function parseStates(text: string): StateFilter | { unknown: string } {
  const states: StateFilter = { statuses: [], reasons: [] };
  for (const word of text.split(",").map((part) => part.trim()).filter((part) => part !== "")) {
    const meaning = statusWord(word);
    if (meaning === undefined) return { unknown: word };
    if ("status" in meaning) states.statuses.push(meaning.status);
    else states.reasons.push(...meaning.reasons);
  }
  return states;
}

/** How a filter is asked of table `runs`. */
export interface FilterOptions {
  /** Look among deleted rows instead of the others. */
  deleted?: boolean;
  /** Many rows match: walk in the order that is asked for instead of gathering them by an index of the filter. */
  dense?: boolean;
  /** What the filter's search text was found in, if that was looked up already: unit names, and ids. */
  found?: { units: readonly string[]; ids: readonly string[] };
}

/** The condition of a filter over table `runs`. */
export function filterToSql(filter: RunFilter, options: FilterOptions = {}): Sql {
  // A plus sign keeps SQLite from using the column's index.
  const plus = options.dense ? "+" : "";
  const sql = new Conditions();
  sql.add(options.deleted ? "deleted_at IS NOT NULL" : "deleted_at IS NULL");
  if (filter.createdAfter !== undefined) sql.add("created_at >= ?", filter.createdAfter);
  if (filter.createdBefore !== undefined) sql.add("created_at <= ?", filter.createdBefore);
  if (filter.retriesOnly) sql.add("retry_attempt > 0");
  if (filter.search) addSearch(sql, filter.search, options.found);
  addShared(sql, filter, plus);
  return sql.done();
}

/**
 * The condition of a filter over table `run_counts`; undefined where a filter asks for what is not counted there:
 * times, and ids.
 */
export function filterToCounts(
  filter: RunFilter,
  { found }: Pick<FilterOptions, "found"> = {},
): Sql | undefined {
  if (filter.createdAfter !== undefined || filter.createdBefore !== undefined) return undefined;
  if (filter.search && searchesIds(filter.search) && found?.ids.length !== 0) return undefined;
  const sql = new Conditions();
  if (filter.retriesOnly) sql.add("retried = 1");
  if (filter.search) sql.add("instr(lower(unit), ?) > 0", filter.search.toLowerCase());
  addShared(sql, filter, "");
  return sql.done();
}

/** Whether a search text can be a part of an id, which is a ULID. */
export function searchesIds(text: string): boolean {
  return text.length <= 26 && /^[0-9A-HJKMNP-TV-Z]*$/i.test(text);
}

/** Whether a run (not deleted) matches a filter: the very meaning of `filterToSql`. */
export function matches(filter: RunFilter, run: Run): boolean {
  if (filter.createdAfter !== undefined && run.createdAt < filter.createdAfter) return false;
  if (filter.createdBefore !== undefined && run.createdAt > filter.createdBefore) return false;
  if (filter.exitCodeMin !== undefined && run.exitCode < filter.exitCodeMin) return false;
  if (filter.exitCodeMax !== undefined && run.exitCode > filter.exitCodeMax) return false;
  if (filter.retriesOnly && run.retryAttempt === 0) return false;
  if (filter.unit !== undefined && run.unit !== filter.unit) return false;
  if (filter.triggers !== undefined && !filter.triggers.includes(run.trigger)) return false;
  if (filter.search !== undefined && filter.search !== "") {
    const inId = searchesIds(filter.search) && run.id.includes(filter.search.toUpperCase());
    if (!inId && !run.unit.toLowerCase().includes(filter.search.toLowerCase())) return false;
  }
  if (filter.states === undefined) return !filter.isFailure || run.isFailure;
  return filter.states.statuses.includes(run.status) ||
    (run.endReason !== undefined && filter.states.reasons.includes(run.endReason)) ||
    (filter.isFailure === true && run.isFailure);
}

/** The ORDER BY of a sort. Ties have a fixed place; runs that never started, or have no duration yet, come last. */
export function sortToSql(field: SortField, descending: boolean): string {
  const direction = descending ? "DESC" : "ASC";
  const tail = `created_at ${direction}, id ${direction}`;
  // Downwards NULL comes last by itself; upwards it is put there, by an index of its own.
  const nullable = (value: string): string =>
    descending ? `${value} DESC, ${tail}` : `${value} IS NULL, ${value}, ${tail}`;
  switch (field) {
    case "created_at":
      return tail;
    case "task_name":
      return `unit ${direction}, ${tail}`;
    case "status":
      return `status ${direction}, end_reason ${direction}, ${tail}`;
    case "exit_code":
      return `exit_code ${direction}, ${tail}`;
    case "start_at":
      return nullable("started_at");
    case "duration":
      return nullable("ended_at - started_at");
  }
}

/** Not LIKE: it has wildcards, ends a text at its first NUL, and refuses a long one. Ids are upper case. */
function addSearch(sql: Conditions, search: string, found: FilterOptions["found"]): void {
  if (found !== undefined) {
    const names = found.units.length > 0 ? ["unit IN (SELECT value FROM json_each(?))"] : [];
    const ids = found.ids.length > 0 ? ["id IN (SELECT value FROM json_each(?))"] : [];
    const values = [...names.map(() => found.units), ...ids.map(() => found.ids)].map((list) =>
      JSON.stringify(list)
    );
    sql.add(`(${[...names, ...ids].join(" OR ") || "0"})`, ...values);
  } else if (searchesIds(search)) {
    sql.add("(instr(lower(unit), ?) > 0 OR instr(id, ?) > 0)", search.toLowerCase(), search.toUpperCase());
  } else {
    sql.add("instr(lower(unit), ?) > 0", search.toLowerCase());
  }
}

/** Conditions that a row of either table must meet. */
function addShared(sql: Conditions, filter: RunFilter, plus: string): void {
  if (filter.exitCodeMin !== undefined) sql.add(`${plus}exit_code >= ?`, filter.exitCodeMin);
  if (filter.exitCodeMax !== undefined) sql.add(`${plus}exit_code <= ?`, filter.exitCodeMax);
  if (filter.unit !== undefined) sql.add(`${plus}unit = ?`, filter.unit);
  if (filter.triggers !== undefined) {
    sql.add(`${plus}trigger IN (${marks(filter.triggers)})`, ...filter.triggers);
  }
  addStates(sql, filter, plus);
}

function addStates(sql: Conditions, filter: RunFilter, plus: string): void {
  if (filter.states === undefined) {
    if (filter.isFailure) sql.add("is_failure = 1");
    return;
  }
  const { statuses, reasons } = filter.states;
  const any: string[] = [];
  if (statuses.length > 0) any.push(`${plus}status IN (${marks(statuses)})`);
  // Only an ended run has a reason; saying so lets the index of both serve.
  if (reasons.length > 0) any.push(`(${plus}status = 'ended' AND ${plus}end_reason IN (${marks(reasons)}))`);
  if (filter.isFailure) any.push("is_failure = 1");
  sql.add(any.length === 0 ? "0" : `(${any.join(" OR ")})`, ...statuses, ...reasons);
}

/** Conditions that must all hold, with their values. */
class Conditions {
  readonly #parts: string[] = [];
  readonly #values: (string | number)[] = [];

  add(text: string, ...values: (string | number)[]): void {
    this.#parts.push(text);
    this.#values.push(...values);
  }

  done(): Sql {
    return { text: this.#parts.length === 0 ? "1" : this.#parts.join(" AND "), values: this.#values };
  }
}

function marks(list: readonly unknown[]): string {
  return list.map(() => "?").join(", ");
}
