import { mustRecycle } from "../core/reload_plan.ts";
import {
  type InstanceEffect,
  type InstancePolicy,
  type InstanceState,
  stoppedInstance,
} from "../core/service_machine.ts";
import { type ServiceState, serviceState } from "../core/service_state.ts";
import type { Run, Service } from "../types.ts";

/** One instance of a service. */
export interface Instance {
  index: number;
  state: InstanceState;
  run?: Run;
  /** Id of the run of its last life. */
  lastRunId?: string;
  /** What its last life was started from. */
  definition?: Service;
  timers: Map<string, () => void>;
  /** How the machine answered the end of the last life; performed once that end is stored. */
  afterEnd: InstanceEffect[];
}

/** A service with its instances. */
export interface ServiceEntry {
  service: Service;
  instances: Instance[];
  /** Instances that a new definition no longer has and that are still ending. */
  leaving: Instance[];
  /** Gone from the configuration: forgotten once its processes have ended. */
  isRemoved: boolean;
  /** Came back to the configuration while it was ending: starts once its former processes have ended. */
  returns: boolean;
  isRecycling: boolean;
}

/** What is known of a service at this moment. */
export interface ServiceStatus {
  state: ServiceState;
  healthyInstances: number;
  instances: { index: number; phase: InstanceState["phase"]; failedStarts: number; runId?: string }[];
}

/** A service that is down. */
export function newEntry(service: Service): ServiceEntry {
  return {
    service,
    instances: Array.from({ length: service.instances }, (_, index) => newInstance(index)),
    leaving: [],
    isRemoved: false,
    returns: false,
    isRecycling: false,
  };
}

/** What is known of a service. */
export function statusOf({ instances }: ServiceEntry): ServiceStatus {
  return {
    state: serviceState(instances.map(({ state }) => state)),
    healthyInstances: instances.filter(({ state }) => state.phase === "healthy").length,
    instances: instances.map(({ index, state, run }) => ({
      index,
      phase: state.phase,
      failedStarts: state.failedStarts,
      ...(run === undefined ? {} : { runId: run.id }),
    })),
  };
}

/** An instance that is down. */
export function newInstance(index: number): Instance {
  return { index, state: { ...stoppedInstance }, timers: new Map(), afterEnd: [] };
}

/** Whether any process of the service has not ended. */
export function hasProcesses({ instances, leaving }: ServiceEntry): boolean {
  return [...instances, ...leaving].some(({ run }) => run !== undefined);
}

/** The first instance that should be up under the newest definition, is not, and was not tried for it yet. */
export function outdated(
  { service, instances }: ServiceEntry,
  tried: ReadonlyMap<Instance, Service>,
): Instance | undefined {
  return instances.find((instance) => {
    const { state, definition } = instance;
    // One that waits, or that somebody stopped, takes the new definition when it starts.
    if (definition === undefined || state.want === "down" || state.phase === "done") return false;
    return tried.get(instance) !== service && state.phase !== "waiting" && mustRecycle(definition, service);
  });
}

/** The part of the definition that an instance's machine asks for. */
export function policyOf(service: Service): InstancePolicy {
  return { ...service, hasHealthCheck: false };
}
