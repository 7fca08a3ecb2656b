/// <reference lib="dom" />
import { signal } from "@preact/signals";
import type { RunJson } from "../../src/http/schemas/run.ts";
import { get } from "../net/api.ts";
import { onEvents } from "../net/events.ts";

export type Run = RunJson;

/** What happened to runs, in order. `error` says why one never executed. */
export type RunChange = { run: Run; error?: string } | { deleted: string; unit: string };

/** The runs that wait or execute, by id; undefined before they were read. */
export const activeRuns = signal<ReadonlyMap<string, Run> | undefined>(undefined);

/** Calls `listener` with what happened to runs, and with `undefined` when all has to be read again. */
export function onRuns(listener: (changes: readonly RunChange[] | undefined) => void): () => void {
  return onEvents((events) => {
    if (events.some(({ name }) => name === "resync")) return listener(undefined);
    const changes = events.filter(({ name }) => name.startsWith("run.")).map(({ data }): RunChange => {
      const event = JSON.parse(data);
      return event.run === undefined ? { deleted: event.run_id, unit: event.task_name } : event;
    });
    if (changes.length > 0) listener(changes);
  });
}

export async function loadActiveRuns(): Promise<void> {
  const { runs } = await get("/api/runs", { status: "pending,running", limit: 1000 });
  activeRuns.value = new Map((runs ?? []).map((run) => [run.id, run]));
}

/** Keeps the active runs true while events come. */
export function watchActiveRuns(): void {
  onRuns((changes) => {
    if (changes === undefined) return void loadActiveRuns().catch(() => {});
    const active = new Map(activeRuns.value);
    for (const change of changes) {
      if ("deleted" in change) active.delete(change.deleted);
      else if (change.run.status === "ended") active.delete(change.run.id);
      else active.set(change.run.id, change.run);
    }
    activeRuns.value = active;
  });
}
