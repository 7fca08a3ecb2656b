import { GivenUp, workerClient } from "../workers/client.ts";
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

/** A search that has not answered so long after its time was over will not: its worker is ended, ms. */
const overdue = 1000;

/**
 * Searches in a worker. `entry` is the address of the program. A search that does not end takes the worker with it,
 * which is started again for the others.
 */
export function workerSearcher({ entry, root }: { entry: string; root: string }): LogSearcher {
  const worker = workerClient<SearchOrder, SearchOutcome>({ entry, name: "log-search", read: [root] });
  let isClosed = false;

  async function search(job: SearchJob, { isAgain = false } = {}): Promise<SearchOutcome> {
    let isOverdue = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A timer of more than 24 days would be over at once.
    const most = Math.min(2 ** 31 - 1, Math.max(0, job.budget) + overdue);
    const watch = (): void => {
      timer = setTimeout(() => {
        isOverdue = true;
        worker.close();
      }, most);
    };
    const began = performance.now();
    try {
      return await worker.ask({ root, job }, watch);
    } catch (error) {
      if (isOverdue) {
        return { hits: [], scanned: 0, problem: "it takes too long on these lines: make it simpler" };
      }
      if (isAgain || isClosed || !(error instanceof GivenUp)) throw error;
      const budget = Math.max(0, job.budget - (performance.now() - began));
      return await search({ ...job, budget }, { isAgain: true });
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    search: (job) => search(job),
    close() {
      isClosed = true;
      worker.close();
    },
  };
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
