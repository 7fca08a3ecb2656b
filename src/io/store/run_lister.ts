import { workerClient } from "../workers/client.ts";
import { Connection } from "./connection.ts";
import { type ListOptions, type RunList, RunStore } from "./runs.ts";

/** Lists runs without holding up the thread that asks. */
export interface RunLister {
  list(options: ListOptions): Promise<RunList>;
  close(): void;
}

/** A list that is wanted, of the database at `path`. */
export interface ListJob {
  path: string;
  options: ListOptions;
}

/** Histories up to this many runs are listed at once, where they are: a worker costs memory. */
const smallHistory = 20_000;

/** Lists in a worker on a connection of its own, but for small histories. `entry` is the address of the program. */
export function workerLister(runs: RunStore, { entry, path }: { entry: string; path: string }): RunLister {
  const worker = workerClient<ListJob, RunList>({
    entry,
    name: "run-list",
    read: [path, `${path}-wal`, `${path}-shm`],
    // A reader of a WAL writes its marks into the shared memory file.
    write: [path, `${path}-wal`, `${path}-shm`],
  });
  return {
    list: (options) =>
      runs.count({}) <= smallHistory ? Promise.resolve(runs.list(options)) : worker.ask({ path, options }),
    close: () => worker.close(),
  };
}

/** Lists where it is asked. */
export function localLister(runs: RunStore): RunLister {
  return { list: (options) => Promise.resolve(runs.list(options)), close: () => {} };
}

let opened: { path: string; runs: RunStore } | undefined;

/** Does one job; the connection stays open for the next. */
export function listIn({ path, options }: ListJob): RunList {
  if (opened?.path !== path) {
    opened = { path, runs: new RunStore(new Connection(path, { readOnly: true, timeout: 5000 })) };
  }
  return opened.runs.list(options);
}
