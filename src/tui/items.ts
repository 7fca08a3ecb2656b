import type { NoticeJson } from "../http/schemas/notice.ts";
import type { RunJson } from "../http/schemas/run.ts";
import type { TaskResponseJson } from "../http/schemas/unit.ts";
import { newLogWindow } from "./log_window.ts";
import type { RunsView, State, View } from "./state.ts";
import { troubleOf } from "../cli/unit_words.ts";
import { unitNamed } from "./units.ts";

/** A row of a view that can be opened. */
export type Item =
  | { kind: "attention" | "next"; unit: TaskResponseJson }
  | { kind: "run"; run: RunJson }
  | { kind: "notice"; notice: NoticeJson };

/** So many ticks the first view shows. */
const mostNext = 10;

/** The rows of the view that can be opened, in their order. */
export function itemsOf(state: State, view: View): readonly Item[] {
  switch (view.kind) {
    case "home":
      return [...attention(state), ...running(state), ...upcoming(state)];
    case "unit":
    case "history":
      return (view.runs ?? []).map((run) => ({ kind: "run", run }));
    case "notices":
      return (view.items ?? []).map((notice) => ({ kind: "notice", notice }));
    default:
      return [];
  }
}

function attention({ units }: State): Item[] {
  return units.filter((unit) => troubleOf(unit) !== undefined).map((unit) => ({ kind: "attention", unit }));
}

function running(state: State): Item[] {
  // The lives of services are no news.
  return state.running.filter(({ task_name }) => unitNamed(state, task_name)?.kind !== "service")
    .map((run) => ({ kind: "run", run }));
}

function upcoming({ units }: State): Item[] {
  return units.filter(({ next_run_at }) => next_run_at !== undefined)
    .toSorted((a, b) => a.next_run_at! < b.next_run_at! ? -1 : 1)
    .slice(0, mostNext)
    .map((unit) => ({ kind: "next", unit }));
}

/** The view that an item opens. */
export function openItem(item: Item): View | undefined {
  switch (item.kind) {
    case "next":
      return unitView(item.unit.name);
    case "attention":
      return item.unit.last_run === undefined ? unitView(item.unit.name) : runView(item.unit.last_run.id);
    case "run":
      return runView(item.run.id, item.run);
    case "notice": {
      const { run_id, task_name } = item.notice;
      if (run_id !== "") return runView(run_id);
      return task_name === "" ? undefined : unitView(task_name);
    }
  }
}

/** A unit, its runs not known yet. */
export function unitView(name: string): View {
  return { kind: "unit", name, cursor: 0, marked: [] };
}

/** A run with its output from the end. */
export function runView(id: string, run?: RunJson): View {
  return { kind: "run", id, ...(run === undefined ? {} : { run }), log: newLogWindow() };
}

/** All runs, their list not known yet. */
export function historyView(filter = ""): View {
  return { kind: "history", cursor: 0, filter, total: 0, marked: [], isPaging: false };
}

/** The runs that an action means: those that are selected, else the one under the cursor. */
export function targetRuns({ runs = [], marked, cursor }: RunsView): RunJson[] {
  const chosen = runs.filter(({ id }) => marked.includes(id));
  const here = runs[cursor];
  return chosen.length > 0 ? chosen : here === undefined ? [] : [here];
}
