/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import type { LogHitJson, LogSearchJson } from "../../../src/http/schemas/log.ts";
import type { Run } from "../../data/runs.ts";
import { ApiError, get } from "../../net/api.ts";
import { reasonOf } from "../../log/log_search.ts";
import type { Query } from "../../log/hits.ts";

/** What is searched for, and in which unit; all of them where it is "". */
export interface Asked extends Query {
  task: string;
}

/** What came of a search so far. */
export interface Found {
  hits: readonly LogHitJson[];
  runs: number;
  isSearching: boolean;
  /** Where it goes on; undefined when all has been searched. */
  cursor: string | undefined;
  error: string;
}

/** So many more hits are looked for at a time, and so many are shown in all. */
const atOnce = 100;
export const mostHits = 1000;
/** Until the daemon has a search to spare, ms. */
const busy = 1000;
/** What is known of so many runs is kept. */
const mostRuns = 300;

const nothing: Found = { hits: [], runs: 0, isSearching: false, cursor: undefined, error: "" };

/** Searches, newest run first, until there is a page of hits; `goOn` looks for more, `stop` ends it where it is. */
export function useSearch({ text, isRegex, isCaseSensitive, task }: Asked): {
  found: Found;
  goOn: () => void;
  stop: () => void;
} {
  const [found, setFound] = useState(nothing);
  const [turn, setTurn] = useState<{ from: Found }>({ from: nothing });
  const [asked, setAsked] = useState<AbortController>();
  const key = [text, isRegex, isCaseSensitive, task].join("\n");
  useEffect(() => {
    setTurn({ from: nothing });
  }, [key]);
  useEffect(() => {
    if (text === "") return setFound(nothing);
    const stop = new AbortController();
    setAsked(stop);
    const query = {
      q: text,
      regex: isRegex || undefined,
      case: isCaseSensitive || undefined,
      limit: atOnce,
    };
    const ask = (cursor: string | undefined): Promise<LogSearchJson> =>
      task === ""
        ? get("/api/log/search", { ...query, cursor }, stop.signal)
        : get("/api/tasks/:taskName/log/search", { ...query, cursor, taskName: task }, stop.signal);
    searchOn(turn.from, { ask, show: setFound, signal: stop.signal });
    return () => stop.abort();
  }, [turn]);
  return {
    found,
    goOn: () => setTurn({ from: found }),
    stop: () => {
      asked?.abort();
      setFound({ ...found, isSearching: false });
    },
  };
}

async function searchOn(from: Found, { ask, show, signal }: {
  ask: (cursor: string | undefined) => Promise<LogSearchJson>;
  show: (found: Found) => void;
  signal: AbortSignal;
}): Promise<void> {
  let found: Found = { ...from, isSearching: true, error: "" };
  show(found);
  const wanted = from.hits.length + atOnce;
  while (found.isSearching) {
    try {
      found = after(found, await ask(found.cursor), wanted);
    } catch (error) {
      if (signal.aborted) return;
      const isBusy = error instanceof ApiError && error.status === 503;
      if (!isBusy) return show({ ...found, isSearching: false, error: reasonOf(error) });
      await new Promise((resolve) => setTimeout(resolve, busy));
    }
    if (signal.aborted) return;
    show(found);
  }
}

/** What is found after an answer; it is enough when there are as many hits as wanted. */
export function after(before: Found, answer: LogSearchJson, wanted: number): Found {
  const hits = [...before.hits, ...answer.hits ?? []].slice(0, mostHits);
  return {
    hits,
    runs: before.runs + answer.scanned_runs,
    cursor: answer.exhausted ? undefined : answer.next_cursor,
    isSearching: !answer.exhausted && hits.length < Math.min(wanted, mostHits),
    error: "",
  };
}

/** Hits of one run. */
export interface Group {
  runId: string;
  /** When the run was made, Unix ms. */
  at: number;
  hits: readonly LogHitJson[];
}

/** Hits by their runs, in the order in which they came. */
export function groupHits(hits: readonly LogHitJson[]): Group[] {
  const groups = new Map<string, { runId: string; at: number; hits: LogHitJson[] }>();
  for (const hit of hits) {
    const group = groups.get(hit.run_id);
    if (group === undefined) groups.set(hit.run_id, { runId: hit.run_id, at: hit.ts, hits: [hit] });
    else group.hits.push(hit);
  }
  return [...groups.values()];
}

const known = new Map<string, Run>();

/** The runs of these ids, as far as they have been read; one that has ended is read once. */
export function useRuns(ids: readonly string[]): ReadonlyMap<string, Run> {
  const [, draw] = useState(0);
  const key = ids.join();
  useEffect(() => {
    const asked = new AbortController();
    const missing = ids.filter((id) => known.get(id)?.status !== "ended");
    const readNext = async (): Promise<void> => {
      for (let id = missing.shift(); id !== undefined && !asked.signal.aborted; id = missing.shift()) {
        const run = await get("/api/runs/:runId", { runId: id }, asked.signal).catch(() => undefined);
        if (run !== undefined) keep(run);
        draw((count) => count + 1);
      }
    };
    for (let i = 0; i < 3; i++) void readNext();
    return () => asked.abort();
  }, [key]);
  return known;
}

function keep(run: Run): void {
  known.delete(run.id);
  known.set(run.id, run);
  for (const id of known.keys()) {
    if (known.size <= mostRuns) break;
    known.delete(id);
  }
}
