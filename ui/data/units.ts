/// <reference lib="dom" />
import { computed, signal } from "@preact/signals";
import type { RunJson } from "../../src/http/schemas/run.ts";
import type { TaskResponseJson } from "../../src/http/schemas/unit.ts";
import { ApiError, get } from "../net/api.ts";
import { onEvents } from "../net/events.ts";

export type Unit = TaskResponseJson;

/** All units by name; undefined before they were read. */
export const units = signal<ReadonlyMap<string, Unit> | undefined>(undefined);
/** Why they could not be read. */
export const unitsError = signal<string | undefined>(undefined);
/** The same as a list, sorted by name. */
export const unitList = computed(() => [...units.value?.values() ?? []]);

/** Units that something has happened to are read again together, this many ms later. */
const together = 300;
/** More of them than this are read as one list. */
const fewUnits = 6;
let changed = new Set<string>();
let isAllChanged = false;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Reads all units. */
export async function loadUnits(): Promise<void> {
  try {
    const { tasks } = await get("/api/tasks");
    units.value = new Map(tasks.map((unit) => [unit.name, unit]));
    unitsError.value = undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    unitsError.value = error.message;
  }
}

/** Reads a unit again soon, after something was done to it. */
export function refreshUnit(name: string): void {
  changed.add(name);
  timer ??= setTimeout(refresh, together);
}

/** Keeps the units true while events come. */
export function watchUnits(): void {
  onEvents((events) => {
    for (const { name, data } of events) {
      if (name === "resync" || name === "tasks.changed") isAllChanged = true;
      else if (name.startsWith("run.")) {
        // Runs outlive their unit, which can't be read any more then.
        const unit = unitOfEvent(data);
        if (units.value?.has(unit) !== false) changed.add(unit);
      }
    }
    if (isAllChanged || changed.size > 0) timer ??= setTimeout(refresh, together);
  });
}

function unitOfEvent(data: string): string {
  const event: { run?: RunJson; task_name?: string } = JSON.parse(data);
  return event.run?.task_name ?? event.task_name ?? "";
}

async function refresh(): Promise<void> {
  const names = [...changed];
  const isMuch = isAllChanged || names.length > fewUnits;
  changed = new Set();
  isAllChanged = false;
  try {
    if (isMuch) await loadUnits();
    else await Promise.all(names.map(refreshOne));
  } finally {
    timer = changed.size > 0 || isAllChanged ? setTimeout(refresh, together) : undefined;
  }
}

async function refreshOne(name: string): Promise<void> {
  try {
    const unit = await get("/api/tasks/:taskName", { taskName: name });
    const all = new Map(units.value);
    all.set(name, unit);
    units.value = all;
  } catch {
    // It has gone, or the daemon is away: the next list tells.
  }
}
