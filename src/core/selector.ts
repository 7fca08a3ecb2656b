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

/** The condition of a filter over table `runs`, without deleted rows. */
export function filterToSql(filter: RunFilter): Sql {
  const parts: string[] = ["deleted_at IS NULL"];
  const values: (string | number)[] = [];
  const add = (text: string, ...more: (string | number)[]): void => {
    parts.push(text);
    values.push(...more);
  };
  if (filter.createdAfter !== undefined) add("created_at >= ?", filter.createdAfter);
  if (filter.createdBefore !== undefined) add("created_at <= ?", filter.createdBefore);
  if (filter.exitCodeMin !== undefined) add("exit_code >= ?", filter.exitCodeMin);
  if (filter.exitCodeMax !== undefined) add("exit_code <= ?", filter.exitCodeMax);
  if (filter.retriesOnly) add("retry_attempt > 0");
  if (filter.unit !== undefined) add("unit = ?", filter.unit);
  if (filter.triggers !== undefined) add(`trigger IN (${marks(filter.triggers)})`, ...filter.triggers);
  if (filter.search !== undefined && filter.search !== "") {
    // Not LIKE: it has wildcards, ends a text at its first NUL, and refuses a long one.
    const wanted = filter.search.toLowerCase();
    add("(instr(lower(unit), ?) > 0 OR instr(lower(id), ?) > 0)", wanted, wanted);
  }
  const state = stateToSql(filter);
  if (state !== undefined) add(state.text, ...state.values);
  return { text: parts.join(" AND "), values };
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
    const wanted = filter.search.toLowerCase();
    if (!run.unit.toLowerCase().includes(wanted) && !run.id.toLowerCase().includes(wanted)) return false;
  }
  if (filter.states === undefined) return !filter.isFailure || run.isFailure;
  return filter.states.statuses.includes(run.status) ||
    (run.endReason !== undefined && filter.states.reasons.includes(run.endReason)) ||
    (filter.isFailure === true && run.isFailure);
}

/** The ORDER BY of a sort; ties and absent values have a fixed place (absent last). `now` (Unix ms) ends what still runs. */
export function sortToSql(field: SortField, options: { descending: boolean; now: number }): Sql {
  const direction = options.descending ? "DESC" : "ASC";
  const tail = `created_at ${direction}, id ${direction}`;
  switch (field) {
    case "created_at":
      return { text: tail, values: [] };
    case "task_name":
      return { text: `unit ${direction}, ${tail}`, values: [] };
    case "status":
      return { text: `status ${direction}, end_reason ${direction}, ${tail}`, values: [] };
    case "exit_code":
      return { text: `exit_code ${direction}, ${tail}`, values: [] };
    case "start_at":
      return { text: `started_at ${direction} NULLS LAST, ${tail}`, values: [] };
    case "duration":
      return {
        text: `coalesce(ended_at, ?) - started_at ${direction} NULLS LAST, ${tail}`,
        values: [options.now],
      };
  }
}

function stateToSql(filter: RunFilter): Sql | undefined {
  if (filter.states === undefined) {
    return filter.isFailure ? { text: "is_failure = 1", values: [] } : undefined;
  }
  const { statuses, reasons } = filter.states;
  const any: string[] = [];
  if (statuses.length > 0) any.push(`status IN (${marks(statuses)})`);
  if (reasons.length > 0) any.push(`end_reason IN (${marks(reasons)})`);
  if (filter.isFailure) any.push("is_failure = 1");
  return { text: any.length === 0 ? "0" : `(${any.join(" OR ")})`, values: [...statuses, ...reasons] };
}

function marks(list: readonly unknown[]): string {
  return list.map(() => "?").join(", ");
}
