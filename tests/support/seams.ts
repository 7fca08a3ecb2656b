/**
 * What the machine itself does for a test, as reading a folder: it ends while the clock of the test stands. Counted here,
 * it is waited for by `settle` (`fake_clock.ts`).
 */
const underWay = new Set<Promise<unknown>>();
/** So long it may take, ms of real time. */
const patience = 20_000;

/** Counts a promise until it is settled. What only the test or its clock can end must not be counted. */
export function counted<T>(work: Promise<T>): Promise<T> {
  const ended: Promise<unknown> = work.then(() => {}, () => {}).finally(() => underWay.delete(ended));
  underWay.add(ended);
  return work;
}

/** Counts each step of a walk; what is done between two steps is not counted. */
export async function* countedSteps<T>(steps: AsyncIterable<T>): AsyncGenerator<T> {
  const walk = steps[Symbol.asyncIterator]();
  try {
    for (let step = await counted(walk.next()); !step.done; step = await counted(walk.next())) {
      yield step.value;
    }
  } finally {
    await walk.return?.();
  }
}

/** Whether nothing is under way. */
export function isQuiet(): boolean {
  return underWay.size === 0;
}

/** Resolves when something that is under way has ended. Throws when nothing does within 20 s. */
export async function oneEnds(): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`what a test waits for did not end within ${patience / 1000} s`)),
    patience,
  );
  try {
    await Promise.race([...underWay, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
