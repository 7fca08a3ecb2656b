import { endUnexecuted } from "../../core/unexecuted.ts";
import type { Run, Service } from "../../types.ts";
import type { Bus } from "../bus.ts";
import type { Runner, RunOwner } from "../runs/runner.ts";
import type { Instance } from "./service_entry.ts";
import { storeUnexecutedEnd } from "../runs/late_end.ts";
import type { World } from "../world.ts";

/** What a new life needs. */
export interface LifeOptions {
  service: Service;
  /** The restart policy wants it. */
  isRestart: boolean;
  /** Who hears of its end. */
  owner: RunOwner & { settle: NonNullable<RunOwner["settle"]> };
}

/** Begins the lives of instances, a run each: row first, then process. Whatever the database refuses is tried again. */
export class ServiceLives {
  readonly #world: World;
  readonly #bus: Bus;
  readonly #runner: Runner;
  #isClosed = false;

  constructor(world: World, bus: Bus, runner: Runner) {
    this.#world = world;
    this.#bus = bus;
    this.#runner = runner;
  }

  /** Begins a life. Answers false when the database refuses: nothing runs then, and the next try takes the row that is there. */
  begin(instance: Instance, options: LifeOptions): boolean {
    const { service } = options;
    try {
      const run = instance.unstarted ?? this.#insert(instance, options);
      instance.unstarted = run;
      this.#start(run, instance, options);
      if (instance.unstarted === run) delete instance.unstarted;
      return true;
    } catch (error) {
      const facts = { service: service.name, instance: instance.index };
      this.#world.refusals.note("cannot store that a service starts", { error, facts });
      // What executes all the same goes on: never two copies.
      if (instance.run !== undefined && this.#runner.isActive(instance.run.id)) {
        delete instance.unstarted;
        return true;
      }
      delete instance.run;
      return false;
    }
  }

  /** Ends the row of a life that could not begin and that nobody wants any more. */
  drop(instance: Instance, service: Service): void {
    const run = instance.unstarted;
    if (run === undefined) return;
    delete instance.unstarted;
    delete run.startedAt;
    endUnexecuted(service, run, { reason: "stopped", at: this.#world.clock.now() });
    storeUnexecutedEnd(this.#world, this.#bus, { run, isOver: () => this.#isClosed });
  }

  /** From now on nothing is tried again: the next daemon ends rows that wait. */
  close(): void {
    this.#isClosed = true;
  }

  #insert(instance: Instance, { service, isRestart }: LifeOptions): Run {
    const run: Run = {
      id: this.#world.newId(),
      unit: service.name,
      status: "pending",
      exitCode: 0,
      trigger: "service",
      createdAt: this.#world.clock.now(),
      isFailure: false,
      retryAttempt: 0,
      instance: instance.index,
    };
    this.#world.store.runs.insert(run);
    this.#bus.publish({ type: "run.created", run: { ...run }, isRestart });
    return run;
  }

  #start(run: Run, instance: Instance, { service, owner }: LifeOptions): void {
    instance.run = run;
    instance.lastRunId = run.id;
    instance.definition = service;
    const begin = (): void => void (instance.since = this.#world.clock.monotonic());
    begin();
    this.#runner.start(run, service, {
      // A database that takes its time over the row is no part of the life.
      started: begin,
      settle(ended, outcome) {
        delete instance.unstarted;
        return owner.settle(ended, outcome);
      },
      ended(ended) {
        delete instance.run;
        owner.ended(ended);
      },
    });
  }
}
