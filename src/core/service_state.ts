import type { InstancePhase, InstanceState } from "./service_machine.ts";

/** What is shown of an instance: as long as its end is not stored it counts as stopping. */
export type ShownPhase = Exclude<InstancePhase, "ending">;

export function shownPhase({ phase }: InstanceState): ShownPhase {
  return phase === "ending" ? "stopping" : phase;
}

/** The state of a service as a whole (docs/behaviour.md#services). */
export type ServiceState =
  | "stopped"
  | "waiting"
  | "starting"
  | "running"
  | "degraded"
  | "backing_off"
  | "unhealthy"
  | "fatal";

/**
 * Folds the states of all instances. All healthy: `running`; some: `degraded`; none: the first that applies
 * of `fatal` (all instances), `unhealthy`, `backing_off`, `starting`, `waiting`; else `stopped`.
 */
export function serviceState(instances: readonly InstanceState[]): ServiceState {
  const healthy = instances.filter((one) => one.phase === "healthy").length;
  if (healthy > 0) return healthy === instances.length ? "running" : "degraded";
  const any = (test: (one: InstanceState) => boolean): boolean => instances.some(test);
  if (instances.length > 0 && instances.every((one) => one.phase === "fatal")) return "fatal";
  if (any((one) => one.unhealthy && one.want === "up")) return "unhealthy";
  if (any((one) => one.phase === "backing_off")) return "backing_off";
  if (any((one) => one.phase === "starting" || (shownPhase(one) === "stopping" && one.want === "up"))) {
    return "starting";
  }
  if (any((one) => one.phase === "waiting")) return "waiting";
  return any((one) => one.phase === "fatal") ? "fatal" : "stopped";
}
