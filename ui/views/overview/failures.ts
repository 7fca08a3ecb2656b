import { type Signal, signal } from "@preact/signals";
import { activeRuns, onRuns, type Run, type RunChange } from "../../data/runs.ts";
import { type Unit, units } from "../../data/units.ts";
import { get } from "../../net/api.ts";
import { type Failures, firstFailures, takeChanges, wrongEnds } from "./attention.ts";

/** More wrong runs than these aren't looked at: they lie far back. */
const most = 500;
/** So many units are asked one by one whether a success has followed. */
const mostAsked = 40;
/** Where they could not be read it is tried again after so many ms. */
const again = 3000;

/** Failures that no success has followed; undefined until they were read. */
export const failures: Signal<Failures | undefined> = signal(undefined);

/** Reads them, and keeps them true while events come, until the result is called. */
export function watchFailures(): () => void {
  /** What happened while they are being read. */
  let late: RunChange[] | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const load = (): void => {
    const all = units.value;
    if (all === undefined || late !== undefined) return;
    late = [];
    clearTimeout(timer);
    read(all).then((next) => {
      if (!isOver) failures.value = takeChanges(next, late ?? []);
    }, () => {
      if (!isOver) timer = setTimeout(load, again);
    }).finally(() => late = undefined);
  };
  const stopEvents = onRuns((changes) => {
    if (changes === undefined) return load();
    late?.push(...changes.slice(-most));
    if (failures.value !== undefined) failures.value = takeChanges(failures.value, changes);
  });
  // The units are there before or after the view.
  const stopUnits = units.subscribe((all) => {
    if (all !== undefined && failures.value === undefined) load();
  });
  return () => {
    isOver = true;
    clearTimeout(timer);
    stopEvents();
    stopUnits();
    failures.value = undefined;
  };
}

async function read(all: ReadonlyMap<string, Unit>): Promise<Failures> {
  const { runs } = await get("/api/runs", { status: wrongEnds, limit: most });
  const { failures: first, open } = firstFailures(runs ?? [], all);
  const next = new Map(first);
  await Promise.all(
    open.slice(0, mostAsked).map(async (name) => {
      const { runs } = await get("/api/runs", { task_name: name, status: "success", limit: 1 });
      const success = runs?.[0];
      if (success !== undefined && success.id > (next.get(name)?.id ?? "")) next.delete(name);
    }),
  );
  return next;
}

/** Active runs as a list; empty before they were read. */
export function activeList(): Run[] {
  return [...activeRuns.value?.values() ?? []];
}
