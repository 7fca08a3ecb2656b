import { messageOf } from "../fault.ts";
import type { Run } from "../types.ts";
import { type Bus, publishEnd } from "./bus.ts";
import { retryAfter } from "./retry_after.ts";
import type { World } from "./world.ts";

/**
 * Stores the end of a run that never executed. One that can't be stored is kept, and tried again until it is:
 * nothing is told of it before. `isOver` tells that nobody tries any more, and the next daemon finds the row.
 */
export function storeUnexecutedEnd(
  world: World,
  bus: Bus,
  { run, isOver }: { run: Run; isOver: () => boolean },
): void {
  try {
    world.store.runs.update(run);
  } catch (error) {
    world.log.error("cannot store the end of a run, trying again in a second", {
      run: run.id,
      error: messageOf(error),
    });
    world.clock.after(retryAfter, () => {
      if (!isOver()) storeUnexecutedEnd(world, bus, { run, isOver });
    });
    return;
  }
  publishEnd(bus, run);
}
