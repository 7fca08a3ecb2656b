import type { Run } from "../../data/runs.ts";

/** One copy of a service: its life, and how often it was started anew. */
export interface Instance {
  index: number;
  /** The run that is its life now; undefined while it is down. */
  run: Run | undefined;
  /** Lives that ended within the newest runs of the service. */
  restarts: number;
  /** How the life before ended. */
  before: Run | undefined;
}

/** The instances of a service out of its active and its newest ended runs, newest first. */
export function instancesOf(
  count: number,
  { active, ended }: { active: readonly Run[]; ended: readonly Run[] },
): Instance[] {
  const most = Math.max(count, ...active.map(({ instance_index }) => instance_index + 1));
  return Array.from({ length: most }, (_, index) => {
    const own = ended.filter(({ instance_index }) => instance_index === index);
    return {
      index,
      run: active.find(({ instance_index }) => instance_index === index),
      restarts: own.length,
      before: own[0],
    };
  });
}
