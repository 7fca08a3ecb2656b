import { messageOf } from "../../fault.ts";
import type { World } from "../world.ts";

/** The first look comes this long after the start, when the daemon has other things behind it, ms. */
const firstLook = 60_000;
const day = 86_400_000;
/** Logs that are looked at between two turns of everything else. */
const atATime = 100;

/**
 * Removes logs that no run in the history speaks for: of a database that was put back to an older state, or that lost
 * its last moments in a power cut. Without this nobody would ever remove them.
 */
export class LogReaper {
  readonly #world: World;
  #isOver = false;
  #cancel: () => void = () => {};

  constructor(world: World) {
    this.#world = world;
  }

  start(): void {
    this.#wait(firstLook);
  }

  stop(): void {
    this.#isOver = true;
    this.#cancel();
  }

  #wait(ms: number): void {
    this.#cancel = this.#world.clock.after(ms, () => void this.#look().catch(reportError));
  }

  async #look(): Promise<void> {
    const { logs, store, log } = this.#world;
    let removed = 0;
    let looked = 0;
    try {
      for await (const { unit, runId } of logs.folders()) {
        if (this.#isOver) return;
        if (++looked % atATime === 0) await this.#turn();
        // A row comes before its log, or in the same turn: what has none now never will.
        if (store.runs.exists(runId)) continue;
        logs.remove(unit, runId);
        removed++;
      }
    } catch (error) {
      log.warn("cannot look for logs without a run", { error: messageOf(error) });
    }
    if (removed > 0) log.warn("removed logs that belong to no run", { logs: removed });
    if (!this.#isOver) this.#wait(day);
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => this.#world.clock.after(0, resolve));
  }
}
