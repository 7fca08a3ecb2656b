import { type MonotonicMs, monotonicMs } from "../../core/time.ts";
import { mustRecycle } from "../../core/reload_plan.ts";
import { type InstancePolicy, type InstanceState, stoppedInstance } from "../../core/service_machine.ts";
import { type ServiceState, serviceState, type ShownPhase, shownPhase } from "../../core/service_state.ts";
import type { Clock } from "../../io/clock.ts";
import type { Service } from "../../types.ts";
import type { LedgerEntry } from "../runs/ledger.ts";
import { type PendingTimer, Timers } from "../timers.ts";
import type { HealthWatch } from "./health.ts";

/** One instance of a service. */
export interface Instance {
  index: number;
  state: InstanceState;
  /** The run of its life, also while that can't be started. */
  life?: LedgerEntry;
  /** Id of the run of its last life that was begun. */
  lastRunId?: string;
  /** What its last life was started from. */
  definition?: Service;
  /** When that was, on the monotonic clock. */
  since: MonotonicMs;
  /** How long its life had lasted, ms, where that ended while no daemon was there. */
  livedFor?: number;
  timers: Timers;
  /** Looks after the health of a life that has a check. */
  watch?: HealthWatch;
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
  /** Set while it waits for what it depends on: calls the alarm off that tells of a long wait. */
  alarm?: () => void;
}

/** What is known of a service at this moment. */
export interface ServiceStatus {
  state: ServiceState;
  healthyInstances: number;
  instances: { index: number; phase: ShownPhase; failedStarts: number; runId?: string }[];
}

/** An instance, as its machine has it. */
export interface InstanceMachineView {
  readonly service: string;
  readonly index: number;
  readonly state: InstanceState;
  readonly timers: readonly PendingTimer[];
  /** Of its life, also while that can't be started. */
  readonly runId?: string;
  /** A new definition no longer has it. */
  readonly isLeaving: boolean;
}

/** A service that is down. */
export function newEntry(service: Service, clock: Clock): ServiceEntry {
  return {
    service,
    instances: Array.from({ length: service.instances }, (_, index) => newInstance(index, clock)),
    leaving: [],
    isRemoved: false,
    returns: false,
    isRecycling: false,
  };
}

/** A service that the configuration lacks, with lives that are to end. */
export function goneEntry(service: Service): ServiceEntry {
  return { service, instances: [], leaving: [], isRemoved: true, returns: false, isRecycling: false };
}

/** The instance of a number; where the definition does not have it, one that is yet to be counted among those that leave. */
export function instanceAt(entry: ServiceEntry, index: number, clock: Clock): Instance {
  const known = [...entry.instances, ...entry.leaving].find((one) => one.index === index);
  return known ?? newInstance(index, clock);
}

/** What is known of a service. */
export function statusOf({ instances }: ServiceEntry): ServiceStatus {
  return {
    state: serviceState(instances.map(({ state }) => state)),
    healthyInstances: instances.filter(({ state }) => state.phase === "healthy").length,
    instances: instances.map((instance) => {
      const { index, state } = instance;
      const life = begunLife(instance);
      return {
        index,
        phase: shownPhase(state),
        failedStarts: state.failedStarts,
        ...(life === undefined ? {} : { runId: life.id }),
      };
    }),
  };
}

/** The machines of a service's instances. */
export function machinesOf({ service, instances, leaving }: ServiceEntry): InstanceMachineView[] {
  const view = (isLeaving: boolean) => ({ index, state, timers, life }: Instance): InstanceMachineView => ({
    service: service.name,
    index,
    state,
    timers: timers.pending(),
    isLeaving,
    ...(life === undefined ? {} : { runId: life.id }),
  });
  return [...instances.map(view(false)), ...leaving.map(view(true))];
}

/** Gives a service one more instance: the former one of its number where that is still ending, else one that is down. */
export function addInstance(entry: ServiceEntry, clock: Clock): Instance {
  const { instances, leaving } = entry;
  const index = instances.length;
  const instance = leaving.find((one) => one.index === index) ?? newInstance(index, clock);
  entry.leaving = leaving.filter((one) => one !== instance);
  instances.push(instance);
  return instance;
}

function newInstance(index: number, clock: Clock): Instance {
  return { index, state: { ...stoppedInstance }, since: monotonicMs(0), timers: new Timers(clock) };
}

/** The life of an instance that an executor has got, until its end is stored. */
export function begunLife({ life }: Instance): LedgerEntry | undefined {
  return life === undefined || life.phase === "launching" ? undefined : life;
}

/** Whether any process of the service has not ended. */
export function hasProcesses({ instances, leaving }: ServiceEntry): boolean {
  return [...instances, ...leaving].some((instance) => begunLife(instance) !== undefined);
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
  return { ...service, hasHealthCheck: service.healthCheck !== undefined };
}

/** Whether a service has a healthy instance, so that those that depend on it may start. */
export function isServing({ instances }: ServiceEntry): boolean {
  return instances.some(({ state }) => state.phase === "healthy");
}

/** Whether an instance waits for what its service depends on. */
export function isWaiting({ instances }: ServiceEntry): boolean {
  return instances.some(({ state }) => state.phase === "waiting");
}

/** Calls off all that a service would do by itself some time later. */
export function silence({ instances, alarm }: ServiceEntry): void {
  alarm?.();
  for (const { timers, watch } of instances) {
    watch?.end();
    timers.clearAll();
  }
}
