import type { RunFilter, Selector } from "../../app/actions.ts";

/** Which runs are selected: some by id, or all that match less some. */
export type Selection =
  | { kind: "some"; ids: ReadonlySet<string> }
  | { kind: "all"; except: ReadonlySet<string>; total: number; filter: RunFilter };

/** Nothing is selected. */
export const nothing: Selection = { kind: "some", ids: new Set() };

export function isSelected(selection: Selection, id: string): boolean {
  return selection.kind === "some" ? selection.ids.has(id) : !selection.except.has(id);
}

/** Selects a run, or no longer. */
export function toggle(selection: Selection, id: string): Selection {
  if (selection.kind === "some") return { kind: "some", ids: flipped(selection.ids, id) };
  return { ...selection, except: flipped(selection.except, id) };
}

/** Selects all of a range. */
export function addAll(selection: Selection, ids: readonly string[]): Selection {
  if (selection.kind === "some") return { kind: "some", ids: new Set([...selection.ids, ...ids]) };
  const except = new Set(selection.except);
  for (const id of ids) except.delete(id);
  return { ...selection, except };
}

/** A run is no longer there. */
export function without(selection: Selection, gone: ReadonlySet<string>): Selection {
  if (selection.kind === "all" || ![...gone].some((id) => selection.ids.has(id))) return selection;
  return { kind: "some", ids: new Set([...selection.ids].filter((id) => !gone.has(id))) };
}

export function countOf(selection: Selection): number {
  return selection.kind === "some"
    ? selection.ids.size
    : Math.max(0, selection.total - selection.except.size);
}

/** The selection as the API takes it. */
export function selectorOf(selection: Selection): Selector {
  if (selection.kind === "some") return { ids: [...selection.ids] };
  return { match_all: true, filter: selection.filter, except_ids: [...selection.except] };
}

function flipped(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}
