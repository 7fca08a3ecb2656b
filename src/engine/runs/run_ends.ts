import { hasCome, later, type MonotonicMs } from "../../core/time.ts";
import { messageOf } from "../../fault.ts";
import type { Run } from "../../types.ts";
import type { RunWorld } from "../world.ts";

/** At shutdown a database that refuses is waited for at most this long, ms. */
const longestWait = 5_000;

/** A run that has ended, and what is stored with its end. */
export interface EndedRun {
  run: Run;
  /** Of its log. */
  bytes: number;
  /** Stores what goes with the end, in one transaction with it. */
  record: ((run: Run) => void) | undefined;
}

/** Stores the ends of runs: one that the database refuses is kept, and tried again until it is stored. */
export class RunEnds {
  readonly #world: RunWorld;
  /** On the monotonic clock: until then ends are tried again that can't be stored. */
  #until: MonotonicMs | undefined;

  constructor(world: RunWorld) {
    this.#world = world;
  }

  /** The daemon is about to stop: an end that can't be stored holds it up for a while only. */
  beginStop(): void {
    this.#until = later(this.#world.clock.monotonic(), longestWait);
  }

  /** `over` hears once whether the end is stored; if not, that is never tried again. */
  store(ended: EndedRun, over: (isStored: boolean) => void): void {
    const { run, bytes, record } = ended;
    const { store, clock, log, refusals } = this.#world;
    try {
      store.transaction(() => {
        store.runs.update(run);
        if (bytes > 0) store.logSizes.set(run.id, bytes);
        record?.(run);
      });
    } catch (error) {
      const isLast = this.#until !== undefined && hasCome(this.#until, clock.monotonic());
      if (!isLast) {
        const refused = { error, facts: { run: run.id } };
        return refusals.tryAgain("cannot store the end of a run", refused, () => this.store(ended, over));
      }
      log.error("cannot store the end of a run: it is left to the next daemon", {
        run: run.id,
        error: messageOf(error),
      });
      return over(false);
    }
    over(true);
  }
}
