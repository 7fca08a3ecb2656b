import { FairQueue } from "../../core/fair_queue.ts";
import { Fault } from "../../fault.ts";

/** Who wants something derived: what it is counted by, and whether it has failed of late. */
export interface Deriver {
  key: string;
  isSuspect: boolean;
}

/** Derivations at once: they are made so that they cost, and runs need the processors too. */
const atOnce = 2;
/** Derivations that may wait for their turn, in all and for one client. */
const waiting = { most: 16, mostEach: 4 };
/** How long one may wait, ms. */
const patience = 30_000;

interface Turn {
  begin: () => void;
  refuse: () => void;
}

/** Lets a few derivations run at a time; clients take turns, and those that have failed of late come last. */
export class Derivations {
  readonly #queue = new FairQueue<Turn>(waiting);
  #free = atOnce;

  /** Does the work once it is its turn. Throws `Fault` busy when too many others wait, or for too long. */
  async run<T>(deriver: Deriver, work: () => Promise<T>): Promise<T> {
    await this.#enter(deriver);
    try {
      return await work();
    } finally {
      const next = this.#queue.next();
      if (next === undefined) this.#free++;
      else next.begin();
    }
  }

  async #enter({ key, isSuspect }: Deriver): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const turn: Turn = { begin: resolve, refuse: () => reject(tooMany()) };
    const room = this.#queue.add(key, turn, { isSuspect });
    if (room === false) throw tooMany();
    if (room !== true) room.evicted.refuse();
    const timer = setTimeout(() => {
      this.#queue.remove(turn);
      turn.refuse();
    }, patience);
    await promise.finally(() => clearTimeout(timer));
  }
}

function tooMany(): Fault {
  return new Fault("busy", "too many logins at once: ask for a new challenge in a few seconds");
}
