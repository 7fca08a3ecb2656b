/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { onRuns, type Run } from "../../data/runs.ts";
import { get, wordsOf } from "../../net/api.ts";
import { merge } from "../units/recent_runs.ts";

/** So many runs come at a time. */
const page = 200;
/** So many are kept while the page stays open. */
const most = 2000;

/** Runs of one unit, newest first. */
export interface UnitRuns {
  runs: readonly Run[] | undefined;
  total: number;
  error: string | undefined;
  isLoading: boolean;
  more: () => void;
  retry: () => void;
}

/** Reads the newest runs of a unit, and keeps them true while events come. */
export function useUnitRuns(name: string): UnitRuns {
  const [state, setState] = useState<{ runs?: Run[]; total: number; error?: string; isLoading: boolean }>({
    total: 0,
    isLoading: true,
  });
  const read = async (offset: number): Promise<void> => {
    setState((before) => ({ ...before, isLoading: true }));
    try {
      const answer = await get("/api/runs", { task_name: name, limit: page, offset });
      setState((before) => ({
        runs: merge(offset === 0 ? [] : before.runs ?? [], answer.runs ?? [], most),
        total: answer.total,
        isLoading: false,
      }));
    } catch (error) {
      setState((before) => ({ ...before, error: wordsOf(error), isLoading: false }));
    }
  };
  useEffect(() => {
    void read(0);
    return onRuns((changes) => {
      if (changes === undefined) return void read(0);
      const own = changes.filter((change) =>
        "deleted" in change ? change.unit === name : change.run.task_name === name
      );
      if (own.length === 0) return;
      setState((before) => {
        if (before.runs === undefined) return before;
        let { runs, total } = before;
        for (const change of own) {
          const isKnown = runs.some(({ id }) =>
            id === ("deleted" in change ? change.deleted : change.run.id)
          );
          if ("deleted" in change) {
            runs = runs.filter(({ id }) => id !== change.deleted);
            total -= 1;
          } else {
            // What is older than all that was read comes with its page.
            const oldest = runs.at(-1);
            if (!isKnown && oldest !== undefined && change.run.id < oldest.id) continue;
            runs = merge(runs, [change.run], most);
            if (!isKnown) total += 1;
          }
        }
        return { ...before, runs, total: Math.max(runs.length, total) };
      });
    });
  }, [name]);
  const { runs, total, error, isLoading } = state;
  return {
    runs,
    total,
    error,
    isLoading,
    more: () => void read(runs?.length ?? 0),
    retry: () => void read(0),
  };
}
