import type { InstancePhase } from "../../core/service_machine.ts";
import type { Clock } from "../../io/clock.ts";
import type { Service } from "../../types.ts";
import { type Instance, outdated, type ServiceEntry } from "./service_entry.ts";

/** What a recycling needs of the services. */
export interface RecycleOptions {
  clock: Clock;
  /** How long an instance may take to become healthy before the next one is bounced, ms. */
  limit: number;
  restart: (instance: Instance) => void;
  /** Resolves when the state of any instance has changed. */
  changed: () => Promise<void>;
  /** Nothing is started any more. */
  isOver: () => boolean;
}

const underWay: ReadonlySet<InstancePhase> = new Set(["starting", "stopping", "ending", "backing_off"]);

/**
 * Bounces the instances that are up under an older definition, one at a time: the next when the new one is healthy,
 * can't become so, or has taken too long. Answers whether there were any; a reload meanwhile goes into the same round.
 */
export async function recycle(entry: ServiceEntry, options: RecycleOptions): Promise<boolean> {
  if (entry.isRecycling) return false;
  entry.isRecycling = true;
  const tried = new Map<Instance, Service>();
  for (let next = outdated(entry, tried); next !== undefined; next = outdated(entry, tried)) {
    tried.set(next, entry.service);
    await bounce(next, options);
  }
  entry.isRecycling = false;
  return tried.size > 0;
}

async function bounce(
  instance: Instance,
  { clock, limit, restart, changed, isOver }: RecycleOptions,
): Promise<void> {
  let isLate = false;
  let cancel = (): void => {};
  const late = new Promise<void>((resolve) => {
    cancel = clock.after(limit, () => {
      isLate = true;
      resolve();
    });
  });
  restart(instance);
  while (!isLate && !isOver() && underWay.has(instance.state.phase)) await Promise.race([changed(), late]);
  cancel();
}
