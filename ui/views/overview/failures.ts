import { type Signal, signal } from "@preact/signals";
import { activeRuns, onRuns, type Run, type RunChange } from "../../data/runs.ts";
import { units } from "../../data/units.ts";
import { get } from "../../net/api.ts";
import { type Failures, firstFailures, takeChanges, wrongEnds } from "./attention.ts";

/** More wrong runs than these aren't looked at: they lie far back. */
const most = 500;
/** So many units are asked one by one whether a success has followed. */
const mostAsked = 40;

/** Failures that no success has followed; undefined until they were read. */
export const failures: Signal<Failures | undefined> = signal(undefined);

/** Reads them, and keeps them true while events come, until the result is called. */
export function watchFailures(): () => void {
  let late: RunChange[] = [];
  let isOver = false;
  const load = async (): Promise<void> => {
    const all = units.value;
    if (all === undefined) return;
    late = [];
    const { runs } = await get<{ runs: Run[] | null }>("/api/runs", { status: wrongEnds, limit: most });
    const { failures: first, open } = firstFailures(runs ?? [], all);
    const next = new Map(first);
    await Promise.all(
      open.slice(0, mostAsked).map(async (name) => {
        const { runs } = await get<{ runs: Run[] | null }>("/api/runs", {
          task_name: name,
          status: "success",
          limit: 1,
        });
        const success = runs?.[0];
        if (success !== undefined && success.id > (next.get(name)?.id ?? "")) next.delete(name);
      }),
    );
    if (!isOver) failures.value = takeChanges(next, late);
  };
  const stopEvents = onRuns((changes) => {
    if (changes === undefined) return void load().catch(() => {});
    if (failures.value === undefined) late.push(...changes.slice(-most));
    else failures.value = takeChanges(failures.value, changes);
  });
  // The units are there before or after the view.
  const stopUnits = units.subscribe((all) => {
    if (all !== undefined && failures.value === undefined) void load().catch(() => {});
  });
  return () => {
    isOver = true;
    stopEvents();
    stopUnits();
    failures.value = undefined;
  };
}

/** Active runs as a list; empty before they were read. */
export function activeList(): Run[] {
  return [...activeRuns.value?.values() ?? []];
}
