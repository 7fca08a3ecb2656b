/** V8's own word for a collection, which a program has that was started with `--expose-gc`. */
const { gc } = globalThis as { gc?: (options: object) => unknown };

/** How long a worker goes on between two collections, ms. */
const collectEvery = 60_000;

/** Gives back what a start has left in the heap; takes some 30 ms. */
export function collectStart(): void {
  gc?.({ type: "major", flavor: "last-resort", execution: "async" });
}

/**
 * Collects the heap of a worker that has just done a job, once a minute at most. The heap of a thread with little to
 * do would grow by some MB before V8 first looked at it, and nobody waits for a worker that has nothing to do.
 */
export function workerCollector(
  { now = () => performance.now(), collect = () => gc?.({ type: "major" }) }: {
    now?: () => number;
    collect?: () => unknown;
  } = {},
): () => void {
  let last = now();
  return () => {
    if (now() - last < collectEvery) return;
    last = now();
    collect();
  };
}
