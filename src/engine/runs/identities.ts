import { messageOf } from "../../fault.ts";
import type { RunWorld } from "../world.ts";

/** A run that sits in a group is identified by its process after this many ms. */
const identifyAfter = 250;

/** The process that carries a run. */
interface Carrier {
  pid: () => number;
  /** Its end was not told; what is answered after that may be about somebody else. */
  isAlive: () => boolean;
  /** Once this resolves its pid is final; absent where it is from the start. */
  after?: Promise<void> | undefined;
}

/** Stores which process carries a run, so that a later daemon knows it again (docs/behaviour.md#processes). */
export class Identities {
  readonly #world: RunWorld;
  readonly #bootId: string;

  constructor(world: RunWorld, bootId: string) {
    this.#world = world;
    this.#bootId = bootId;
  }

  /**
   * The start time makes a pid unmistakable; it is asked for on the side, and only matters while the run lives. Where
   * the run's control group speaks for it as well, one that ends soon is spared that. The result cancels.
   */
  store(runId: string, carrier: Carrier): () => void {
    const { processes, clock } = this.#world;
    if (processes.groups.available) return clock.after(identifyAfter, () => this.#storeOnce(runId, carrier));
    this.#storeOnce(runId, carrier);
    return () => {};
  }

  #storeOnce(runId: string, carrier: Carrier): void {
    if (carrier.after === undefined) return this.#store(runId, carrier);
    carrier.after.then(() => {
      if (carrier.isAlive()) this.#store(runId, carrier);
    }, reportError);
  }

  #store(runId: string, { pid: pidNow, isAlive }: Carrier): void {
    const pid = pidNow();
    this.#write(runId, { pid });
    const put = (startTicks: string | undefined): void => {
      if (startTicks !== undefined && isAlive()) this.#write(runId, { pid, startTicks });
    };
    this.#world.processes.startTicks(pid).then(put, (error) => {
      this.#world.log.warn("cannot tell when a process was started", { pid, error: messageOf(error) });
    });
  }

  #write(runId: string, process: { pid: number; startTicks?: string }): void {
    try {
      this.#world.store.runs.setIdentity(runId, { ...process, bootId: this.#bootId });
    } catch (error) {
      // The process runs; its run id alone still tells it from others.
      this.#world.log.warn("cannot store which process carries a run", {
        pid: process.pid,
        error: messageOf(error),
      });
    }
  }
}
