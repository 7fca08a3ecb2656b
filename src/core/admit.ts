import type { OnOverlap } from "../types.ts";

/** A run that holds one of its task's slots: it executes, waits for its turn at a gate, or is on its way out. */
export interface Occupant {
  id: string;
  stopping: boolean;
}

/** What becomes of a fresh trigger. `replace` names the run that has to give way. */
export type Admission =
  | { verdict: "start" }
  | { verdict: "queue" }
  | { verdict: "replace"; victim: string }
  | { verdict: "skip"; reason: "skipped" | "queue_full" };

/**
 * Decides over a fresh trigger of a task (docs/behaviour.md#overlap). `occupants` and `waiting` (queued run ids) are
 * in order of their creation. A fresh trigger never overtakes a waiting one.
 */
export function admit(
  policy: { onOverlap: OnOverlap; maxConcurrent: number; queueMax: number },
  now: { occupants: readonly Occupant[]; waiting: readonly string[] },
): Admission {
  if (now.occupants.length < policy.maxConcurrent && now.waiting.length === 0) return { verdict: "start" };
  switch (policy.onOverlap) {
    case "skip":
      return { verdict: "skip", reason: "skipped" };
    case "queue":
      return now.waiting.length < policy.queueMax
        ? { verdict: "queue" }
        : { verdict: "skip", reason: "queue_full" };
    case "terminate": {
      // Runs on their way out make room already; those that wait for that room hold it, and may have to go too.
      const staying = [...now.occupants.filter((one) => !one.stopping).map((one) => one.id), ...now.waiting];
      const victim = staying.length < policy.maxConcurrent ? undefined : staying[0];
      return victim === undefined ? { verdict: "queue" } : { verdict: "replace", victim };
    }
  }
}
