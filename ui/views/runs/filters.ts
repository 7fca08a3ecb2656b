import { triggersOf } from "../../../src/core/run_words.ts";
import { matches, parseStates, type RunFilter } from "../../../src/core/selector.ts";
import type { EndReason, Trigger } from "../../../src/types.ts";
import type { Run } from "../../data/runs.ts";
import type { RunFilter as SelectorFilter } from "../../app/actions.ts";
import type { QueryOf } from "../../net/routes.ts";

type Query = QueryOf<"/api/runs">;

/** The filters of the list, by their names in the address: the API's own, and `range`, which moves with the clock. */
export const filterNames = [
  "status",
  "task_name",
  "triggered_by",
  "range",
  "created_after",
  "created_before",
  "exit_code_min",
  "exit_code_max",
  "retries_only",
  "search",
] as const;

/** Stretches of time up to now, ms. */
export const ranges: Readonly<Record<string, number>> = {
  "1h": 3_600_000,
  "24h": 86_400_000,
  "7d": 7 * 86_400_000,
};

/** What a chip finds: states that people name together. */
export interface Chip {
  label: string;
  mark: "queued" | "running" | "ok" | "failed" | "stopped" | "skipped" | "missed";
  role: string;
  words: readonly string[];
}

export const chips: readonly Chip[] = [
  { label: "queued", mark: "queued", role: "neutral", words: ["pending"] },
  { label: "running", mark: "running", role: "accent", words: ["running"] },
  { label: "ok", mark: "ok", role: "good", words: ["success"] },
  {
    label: "failed",
    mark: "failed",
    role: "bad",
    words: ["failed", "timeout", "crashed", "start_failed", "log_overflow"],
  },
  { label: "stopped", mark: "stopped", role: "muted", words: ["stopped", "daemon_stopped"] },
  { label: "skipped", mark: "skipped", role: "muted", words: ["skipped", "queue_full", "dst_skipped"] },
  { label: "missed", mark: "missed", role: "warn", words: ["missed"] },
];

/** Whether a chip is on; `mixed` where only some of its states are asked for. */
export function chipState(chip: Chip, status: string | null): boolean | "mixed" {
  const words = wordsOfStatus(status);
  const on = chip.words.filter((word) => words.includes(word)).length;
  return on === 0 ? false : on === chip.words.length ? true : "mixed";
}

/** The status filter after a chip was pressed. */
export function toggleChip(chip: Chip, status: string | null): string {
  const others = wordsOfStatus(status).filter((word) => !chip.words.includes(word));
  return (chipState(chip, status) === true ? others : [...others, ...chip.words]).join(",");
}

function wordsOfStatus(status: string | null): string[] {
  return (status ?? "").split(",").map((word) => word.trim()).filter((word) => word !== "")
    .map((word) => word === "succeeded" ? "success" : word);
}

/** How the list is sorted, as the API reads it: newest first unless a field is asked for. */
export function sortOf(query: URLSearchParams): { field: string; isDescending: boolean } {
  const field = query.get("sort_field") ?? "";
  const direction = query.get("sort_direction") ?? "";
  return {
    field: field === "" ? "created_at" : field,
    isDescending: direction === "" ? field === "" : direction === "desc",
  };
}

/** Columns that are more telling from the top down. */
const descendingFirst = new Set(["duration", "exit_code", "created_at"]);

/** The sort after the header of a column was pressed: one way, the other, and back to newest first. */
export function nextSort(query: URLSearchParams, field: string): Record<string, string | undefined> {
  const now = sortOf(query);
  const first = descendingFirst.has(field);
  const none = { sort_field: undefined, sort_direction: undefined };
  if (now.field !== field) return { sort_field: field, sort_direction: first ? "desc" : "asc" };
  if (now.isDescending !== first) return none;
  return { sort_field: field, sort_direction: first ? "asc" : "desc" };
}

/** What `GET /api/runs` is asked; pages come on top. `now`: Unix ms. */
export function askOf(query: URLSearchParams, now: number): Query {
  const ask: Record<string, string> = {};
  for (const name of [...filterNames, "sort_field", "sort_direction"]) {
    const value = query.get(name);
    if (value !== null && value !== "" && name !== "range") ask[name] = value;
  }
  const name = query.get("range") ?? "";
  const range = Object.hasOwn(ranges, name) ? ranges[name] : undefined;
  if (range !== undefined) ask.created_after = new Date(now - range).toISOString();
  // An address may hold any words: the daemon refuses what it doesn't know.
  return ask as Query;
}

/**
 * The filter of a selector that takes all that match; what comes later than `before` (Unix ms) was not there to be
 * chosen.
 */
export function selectorFilter(ask: Query, before: number): SelectorFilter {
  const { sort_field: _field, sort_direction: _direction, ...filter } = ask;
  const body: Record<string, unknown> = { ...filter };
  for (const name of ["exit_code_min", "exit_code_max"]) {
    if (body[name] !== undefined) body[name] = Number(body[name]);
  }
  if (body.retries_only !== undefined) body.retries_only = ["true", "1"].includes(String(body.retries_only));
  body.created_before ??= new Date(before).toISOString();
  return body as SelectorFilter;
}

/** How many filters are set. */
export function countFilters(query: URLSearchParams): number {
  return filterNames.filter((name) => (query.get(name) ?? "") !== "").length;
}

/** Takes all filters away, and leaves the sort. */
export const noFilters: Readonly<Record<string, undefined>> = Object.fromEntries(
  filterNames.map((name) => [name, undefined]),
);

/** Whether a run that an event tells of belongs in the list; a filter that makes no sense finds nothing. */
export function matcherOf(ask: Query): (run: Run) => boolean {
  const filter: RunFilter = {};
  const text = (name: keyof Query): string => String(ask[name] ?? "");
  if (text("status") !== "") {
    const states = parseStates(text("status"));
    if ("unknown" in states) return () => false;
    filter.states = states;
  }
  if (text("task_name") !== "") filter.unit = text("task_name");
  if (text("triggered_by") !== "") filter.triggers = triggersOf(text("triggered_by"), "snake") ?? [];
  if (text("created_after") !== "") filter.createdAfter = Date.parse(text("created_after"));
  if (text("created_before") !== "") filter.createdBefore = Date.parse(text("created_before"));
  if (text("exit_code_min") !== "") filter.exitCodeMin = Number(text("exit_code_min"));
  if (text("exit_code_max") !== "") filter.exitCodeMax = Number(text("exit_code_max"));
  if (["true", "1"].includes(text("retries_only"))) filter.retriesOnly = true;
  if (text("search") !== "") filter.search = text("search");
  return (run) =>
    matches(filter, {
      id: run.id,
      unit: run.task_name,
      status: run.status,
      exitCode: run.exit_code,
      trigger: (run.triggered_by === "cloud" ? "station" : run.triggered_by) as Trigger,
      createdAt: Date.parse(run.created_at),
      retryAttempt: run.retry_attempt,
      instance: run.instance_index,
      isFailure: false,
      ...(run.end_reason === undefined ? {} : { endReason: run.end_reason as EndReason }),
    });
}
