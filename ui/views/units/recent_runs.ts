import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { onRuns, type Run, type RunChange } from "../../data/runs.ts";
import { get } from "../../net/api.ts";

/** So many runs are kept of each unit. */
const kept = 30;
/** So many units may be asked for at a time. */
const atOnce = 4;
/** So many units that nobody looks at any more are remembered. */
const mostIdle = 200;

interface Entry {
  runs: Signal<readonly Run[] | undefined>;
  wanted: number;
  isAsked: boolean;
}

const entries = new Map<string, Entry>();
const queue: string[] = [];
let asking = 0;
let stop: (() => void) | undefined;

/**
 * The newest runs of a unit that have ended, newest first, true while events come; undefined until they were read.
 * They are asked for only once they are wanted, and stay as they are when they are no longer.
 */
export function useRecentRuns(name: string, isWanted = true): readonly Run[] | undefined {
  const [runs, setRuns] = useState<ReadonlySignal<readonly Run[] | undefined>>();
  useEffect(() => {
    if (!isWanted) return;
    const entry = entryOf(name);
    entry.wanted++;
    stop ??= onRuns(take);
    if (entry.runs.value === undefined) ask(name, entry);
    setRuns(() => entry.runs);
    return () => {
      entry.wanted--;
      forgetIdle();
    };
  }, [name, isWanted]);
  return runs?.value;
}

function entryOf(name: string): Entry {
  let entry = entries.get(name);
  if (entry === undefined) {
    entry = { runs: signal(undefined), wanted: 0, isAsked: false };
    entries.set(name, entry);
  }
  return entry;
}

function ask(name: string, entry: Entry): void {
  if (entry.isAsked) return;
  entry.isAsked = true;
  queue.push(name);
  next();
}

function next(): void {
  while (asking < atOnce) {
    const name = queue.shift();
    if (name === undefined) return;
    const entry = entries.get(name);
    if (entry === undefined) continue;
    if (entry.wanted === 0) {
      // It was scrolled away before its turn.
      entry.isAsked = false;
      continue;
    }
    asking++;
    get("/api/runs", { task_name: name, status: "ended", limit: kept })
      .then(({ runs }) => entry.runs.value = merge(entry.runs.value ?? [], runs ?? []), () => {})
      .finally(() => {
        asking--;
        entry.isAsked = false;
        next();
      });
  }
}

/** Takes what happened into all that is known. */
function take(changes: readonly RunChange[] | undefined): void {
  if (changes === undefined) {
    for (const [name, entry] of entries) {
      if (entry.wanted > 0) ask(name, entry);
      else entries.delete(name);
    }
    return;
  }
  for (const change of changes) {
    const entry = entries.get("deleted" in change ? change.unit : change.run.task_name);
    if (entry?.runs.value === undefined) continue;
    if ("deleted" in change) entry.runs.value = entry.runs.value.filter(({ id }) => id !== change.deleted);
    else if (change.run.status === "ended") entry.runs.value = merge(entry.runs.value, [change.run]);
  }
}

/** Runs of two lists, each once and as the second has it, the newest first; ids of runs sort by time. */
export function merge(known: readonly Run[], more: readonly Run[], most = kept): Run[] {
  const byId = new Map([...known, ...more].map((run) => [run.id, run]));
  return [...byId.values()].sort((a, b) => a.id < b.id ? 1 : -1).slice(0, most);
}

function forgetIdle(): void {
  const idle = [...entries].filter(([, { wanted, isAsked }]) => wanted === 0 && !isAsked);
  for (const [name] of idle.slice(0, Math.max(0, idle.length - mostIdle))) entries.delete(name);
  if (idle.length === entries.size) {
    // Nobody hears of what happens from here on, so nothing of it can stay true.
    for (const [name] of idle) entries.delete(name);
    stop?.();
    stop = undefined;
  }
}
