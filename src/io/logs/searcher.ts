import { messageOf } from "../../fault.ts";
import { pause } from "./raw_log.ts";
import { type SearchJob, searchLogs, type SearchOutcome } from "./search.ts";

/** Searches the logs of one folder. */
export interface LogSearcher {
  /** Fails when the search itself breaks down. */
  search(job: SearchJob): Promise<SearchOutcome>;
  close(): void;
}

/** What goes to the worker, and what comes back. */
export interface SearchOrder {
  order: number;
  root: string;
  job: SearchJob;
}
export type { SearchOutcome } from "./search.ts";
export type SearchReport = "ready" | { order: number; outcome: SearchOutcome } | {
  order: number;
  error: string;
};

/** A worker that has nothing to do for this long is ended, ms. */
const idleTime = 30_000;

/**
 * Searches in a worker, which is started for the first search. `entry` is the address of the program: it must
 * serve searches when it finds itself in a worker of the name "log-search".
 */
export function workerSearcher({ entry, root }: { entry: string; root: string }): LogSearcher {
  let worker: Worker | undefined;
  /** Resolves once the worker listens: what is said to it before is lost. */
  let listening: Promise<void> = Promise.resolve();
  let idle: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  const waiting = new Map<
    number,
    { resolve: (outcome: SearchOutcome) => void; reject: (e: Error) => void }
  >();

  function close(): void {
    clearTimeout(idle);
    worker?.terminate();
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new Error("the search was given up"));
    waiting.clear();
  }

  function rest(): void {
    if (waiting.size > 0) return;
    idle = setTimeout(close, idleTime);
  }

  function start(): Worker {
    const started = new Worker(entry, {
      type: "module",
      name: "log-search",
      deno: {
        permissions: {
          read: [root],
          write: false,
          net: false,
          env: false,
          run: false,
          sys: false,
          ffi: false,
        },
      },
    });
    const { promise, resolve: listens } = Promise.withResolvers<void>();
    listening = promise;
    started.onmessage = ({ data }: MessageEvent<SearchReport>) => {
      if (data === "ready") return listens();
      const asked = waiting.get(data.order);
      waiting.delete(data.order);
      if ("outcome" in data) asked?.resolve(data.outcome);
      else asked?.reject(new Error(data.error));
      rest();
    };
    started.onerror = (event) => {
      event.preventDefault();
      for (const { reject } of waiting.values()) reject(new Error(`the search broke down: ${event.message}`));
      waiting.clear();
      close();
    };
    return started;
  }

  return {
    search(job) {
      clearTimeout(idle);
      const asked = worker ??= start();
      const order = ++last;
      const { promise, resolve, reject } = Promise.withResolvers<SearchOutcome>();
      waiting.set(order, { resolve, reject });
      void listening.then(() => asked.postMessage({ order, root, job } satisfies SearchOrder));
      return promise;
    },
    close,
  };
}

/** Searches in the thread that asks, with pauses. */
export function localSearcher(root: string): LogSearcher {
  return { search: (job) => searchInTurns({ order: 0, root, job }), close: () => {} };
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

/** Serves searches in a worker, for as long as that lives. */
export function serveSearches(): void {
  const scope = globalThis as unknown as {
    onmessage: (event: MessageEvent<SearchOrder>) => void;
    postMessage(report: SearchReport): void;
  };
  scope.onmessage = async ({ data }) => {
    const { order } = data;
    try {
      scope.postMessage({ order, outcome: await searchInTurns(data) });
    } catch (error) {
      scope.postMessage({ order, error: messageOf(error) });
    }
  };
  scope.postMessage("ready");
}
