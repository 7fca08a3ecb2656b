import { workerClient } from "../workers/client.ts";
import { pause } from "./raw_log.ts";
import { type SearchJob, searchLogs, type SearchOutcome } from "./search.ts";

/** Searches the logs of one folder. */
export interface LogSearcher {
  /** Fails when the search itself breaks down. */
  search(job: SearchJob): Promise<SearchOutcome>;
  close(): void;
}

/** A search in the logs of one folder. */
export interface SearchOrder {
  root: string;
  job: SearchJob;
}
export type { SearchOutcome } from "./search.ts";

/** Searches in a worker. `entry` is the address of the program. */
export function workerSearcher({ entry, root }: { entry: string; root: string }): LogSearcher {
  const worker = workerClient<SearchOrder, SearchOutcome>({ entry, name: "log-search", read: [root] });
  return { search: (job) => worker.ask({ root, job }), close: () => worker.close() };
}

/** Searches in the thread that asks, with pauses. */
export function localSearcher(root: string): LogSearcher {
  return { search: (job) => searchInTurns({ root, job }), close: () => {} };
}

/** Does one order; after each step whatever else there is goes first, so that many searches share a thread. */
export async function searchInTurns({ root, job }: SearchOrder): Promise<SearchOutcome> {
  const search = searchLogs(job, { root, now: () => performance.now() });
  let rested = performance.now();
  for (let step = search.next();; step = search.next()) {
    if (step.done) return step.value;
    if (performance.now() - rested < longestTurn) continue;
    await pause();
    rested = performance.now();
  }
}

/** Between two pauses, ms. */
const longestTurn = 5;
