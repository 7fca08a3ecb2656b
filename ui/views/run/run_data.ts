/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { onRuns, type Run } from "../../data/runs.ts";
import { ApiError, get, wordsOf } from "../../net/api.ts";
import type { QueryOf } from "../../net/routes.ts";

/** A run as it stands, or why there is none. `error` says why one never executed, where that was told. */
export type RunState = { run: Run; error?: string } | { isGone: true } | { why: string } | undefined;

/** Reads a run, and keeps it true while events come. */
export function useRun(id: string): { state: RunState; retry: () => void } {
  const [state, setState] = useState<RunState>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const asked = new AbortController();
    const read = (): void => {
      get("/api/runs/:runId", { runId: id }, asked.signal).then(
        (run) => setState({ run }),
        (error) => {
          if (asked.signal.aborted) return;
          const isGone = error instanceof ApiError && [400, 404, 422].includes(error.status);
          setState(isGone ? { isGone } : { why: wordsOf(error) });
        },
      );
    };
    read();
    const stop = onRuns((changes) => {
      if (changes === undefined) return read();
      for (const change of changes) {
        if ("deleted" in change) {
          if (change.deleted === id) setState({ isGone: true });
        } else if (change.run.id === id) setState(change);
      }
    });
    return () => {
      asked.abort();
      stop();
    };
  }, [id, attempt]);
  return { state, retry: () => setAttempt(attempt + 1) };
}

/** Runs of the same task around one. */
export interface Neighbours {
  before?: Run;
  after?: Run;
  /** Its retries, oldest first. */
  retries: readonly Run[];
}

/** Reads the runs around one, and again when others of its task come or go. */
export function useNeighbours(run: Run | undefined): Neighbours {
  const [around, setAround] = useState<Neighbours>({ retries: [] });
  const [count, setCount] = useState(0);
  const unit = run?.task_name;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onRuns((changes) => {
      const isOurs = changes === undefined ||
        changes.some((change) => "deleted" in change ? change.unit === unit : change.run.task_name === unit);
      // A busy task must not make the page ask all the time.
      if (isOurs) {
        timer ??= setTimeout(() => {
          timer = undefined;
          setCount((count) => count + 1);
        }, 1000);
      }
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [unit]);
  useEffect(() => {
    if (run === undefined) return;
    const asked = new AbortController();
    readNeighbours(run, asked.signal).then(setAround, () => {});
    return () => asked.abort();
  }, [run?.id, count]);
  return around;
}

async function readNeighbours(run: Run, signal: AbortSignal): Promise<Neighbours> {
  const of = { task_name: run.task_name, sort_field: "created_at" } as const;
  const list = async (query: QueryOf<"/api/runs">): Promise<readonly Run[]> =>
    (await get("/api/runs", { ...of, ...query }, signal)).runs ?? [];
  const [older, newer, retries] = await Promise.all([
    list({ created_before: run.created_at, sort_direction: "desc", limit: 10 }),
    list({ created_after: run.created_at, sort_direction: "asc", limit: 10 }),
    list({ created_after: run.created_at, sort_direction: "asc", retries_only: true, limit: 50 }),
  ]);
  return around(run, { older, newer, retries });
}

/** Picks the neighbours of a run out of lists of runs, which may hold itself and those of the same moment. */
export function around(
  run: Run,
  { older, newer, retries }: Record<"older" | "newer" | "retries", readonly Run[]>,
): Neighbours {
  const first = run.retry_of_run_id ?? run.id;
  const before = older.find(({ id }) => id < run.id);
  const after = newer.find(({ id }) => id > run.id);
  return {
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    retries: retries.filter(({ id, retry_of_run_id }) => retry_of_run_id === first && id > run.id),
  };
}
