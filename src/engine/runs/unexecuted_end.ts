import type { Run } from "../../types.ts";
import { type Bus, publishEnd } from "../bus.ts";
import type { World } from "../world.ts";

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
    const refused = { error, facts: { run: run.id }, isOver };
    return world.refusals.tryAgain(
      "cannot store the end of a run",
      refused,
      () => storeUnexecutedEnd(world, bus, { run, isOver }),
    );
  }
  publishEnd(bus, run);
}
