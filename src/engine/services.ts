import { type InstanceEffect, type InstanceEvent, step } from "../core/service_machine.ts";
import { bootOrder, shutdownWaves } from "../core/boot_order.ts";
import { isFailure, type Outcome } from "../core/outcome.ts";
import type { Run, Service } from "../types.ts";
import type { Bus } from "./bus.ts";
import type { Runner } from "./runner.ts";
import {
  hasProcesses,
  type Instance,
  newEntry,
  newInstance,
  outdated,
  policyOf,
  type ServiceEntry,
  type ServiceStatus,
  statusOf,
} from "./service_entry.ts";
import type { World } from "./world.ts";

export type { ServiceStatus } from "./service_entry.ts";

/** A service that does not come up. */
export interface ServiceTrouble {
  kind: "service.failing" | "service.fatal";
  unit: string;
  instance: number;
  /** Failed starts in a row. */
  tries: number;
  /** The last of them; empty where it is not known. */
  runId: string;
}

/** All services: each instance is a machine that keeps its process as it is wanted (contract 3.9). */
export class Services {
  readonly #world: World;
  readonly #bus: Bus;
  readonly #runner: Runner;
  readonly #report: (trouble: ServiceTrouble) => void;
  readonly #entries = new Map<string, ServiceEntry>();
  #draining = false;
  #idle: (() => void)[] = [];

  constructor(
    world: World,
    bus: Bus,
    { runner, report }: { runner: Runner; report: (trouble: ServiceTrouble) => void },
  ) {
    this.#world = world;
    this.#bus = bus;
    this.#runner = runner;
    this.#report = report;
  }

  /** Takes a new service in. Where a former one of its name is still ending, only after that. */
  add(service: Service, options: { boot: boolean }): void {
    const former = this.#entries.get(service.name);
    if (former !== undefined) {
      former.isRemoved = false;
      former.returns = options.boot;
      this.redefine(service);
      return;
    }
    this.#entries.set(service.name, newEntry(service));
    if (options.boot) this.boot([service.name]);
  }

  /** Starts services at boot or after a reload, by priority, then name; each waits for what it depends on. */
  boot(names: readonly string[]): void {
    const order = names.map((name) => this.#entries.get(name)!).sort((a, b) =>
      bootOrder(a.service, b.service)
    );
    for (const entry of order) {
      const ready = this.#isReady(entry);
      for (const instance of entry.instances) {
        this.#send(entry, instance, { type: "start", byHand: false, ready });
      }
    }
  }

  status(name: string): ServiceStatus {
    return statusOf(this.#entries.get(name)!);
  }

  /** Starts what is not up; by hand nothing is waited for. */
  start(name: string): void {
    this.#sendAll(name, { type: "start", byHand: true, ready: true });
  }

  /** Ends every instance; they stay down until a start, a restart or the daemon's next life. */
  stop(name: string): void {
    this.#sendAll(name, { type: "stop" });
  }

  /** Bounces every instance, starting it if it is down. */
  restart(name: string): void {
    this.#sendAll(name, { type: "restart" });
  }

  /** Ends the life of one instance, which then stays down. Answers whether the run was one of ours. */
  stopRun(runId: string): boolean {
    for (const entry of this.#entries.values()) {
      const instance = entry.instances.find(({ run }) => run?.id === runId);
      if (instance === undefined) continue;
      this.#send(entry, instance, { type: "stop" });
      return true;
    }
    return false;
  }

  /** Resolves once no instance of the service has a process. */
  async stopped(name: string): Promise<void> {
    const entry = this.#entries.get(name);
    if (entry !== undefined) await this.#ended(entry);
  }

  /** Stops a service and forgets it once its processes have ended. */
  remove(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    this.stop(name);
    entry.isRemoved = true;
    this.#whenEmpty(entry);
  }

  /** Takes a service's new definition; what runs is not touched. Instances that are too many are stopped, missing ones started. */
  redefine(service: Service): void {
    const entry = this.#entries.get(service.name)!;
    const isUp = entry.instances.some(({ state }) => state.want === "up");
    entry.service = service;
    for (const extra of entry.instances.slice(service.instances)) this.#send(entry, extra, { type: "stop" });
    const extras = entry.instances.splice(service.instances);
    entry.leaving.push(...extras.filter(({ run }) => run !== undefined));
    while (entry.instances.length < service.instances) {
      const instance = newInstance(entry.instances.length);
      entry.instances.push(instance);
      if (isUp) this.#send(entry, instance, { type: "start", byHand: true, ready: true });
    }
    this.#startWaiting(); // what it waits for may have changed
  }

  /**
   * Bounces the instances that are up under an older definition, one at a time: the next when the new one is
   * healthy, or after `limit` ms. Answers whether there were any; a reload meanwhile goes into the same round.
   */
  async recycle(name: string, options: { limit: number }): Promise<boolean> {
    const entry = this.#entries.get(name);
    if (entry === undefined || entry.isRecycling) return false;
    entry.isRecycling = true;
    const tried = new Map<Instance, Service>();
    for (let next = outdated(entry, tried); next !== undefined; next = outdated(entry, tried)) {
      tried.set(next, entry.service);
      await this.#bounce(entry, next, options.limit);
    }
    entry.isRecycling = false;
    return tried.size > 0;
  }

  /** From now on nothing is started again. */
  drain(): void {
    this.#draining = true;
    for (const { instances } of this.#entries.values()) {
      for (const { timers } of instances) for (const cancel of timers.values()) cancel();
    }
    this.#wake();
  }

  /** Ends all services for the daemon's shutdown, in reverse order of boot; resolves when all have ended. */
  async shutdown(): Promise<void> {
    for (const wave of shutdownWaves([...this.#entries.values()].map(({ service }) => service))) {
      for (const { name } of wave) {
        const { instances, leaving } = this.#entries.get(name)!;
        for (const { run } of [...instances, ...leaving]) {
          if (run !== undefined) this.#runner.stop(run.id, "daemon_stopped");
        }
      }
      await Promise.all(wave.map(({ name }) => this.stopped(name)));
    }
  }

  /** Restarts one instance; resolves when it is healthy, when it can't become so, or after `limit` ms. */
  async #bounce(entry: ServiceEntry, instance: Instance, limit: number): Promise<void> {
    let late = false;
    const cancel = this.#world.clock.after(limit, () => {
      late = true;
      this.#wake();
    });
    this.#send(entry, instance, { type: "restart" });
    while (
      !late && !this.#draining && ["starting", "stopping", "backing_off"].includes(instance.state.phase)
    ) {
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
    cancel();
  }

  async #ended(entry: ServiceEntry): Promise<void> {
    while (hasProcesses(entry)) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #whenEmpty(entry: ServiceEntry): void {
    if (hasProcesses(entry)) return;
    const { name } = entry.service;
    if (entry.isRemoved) this.#entries.delete(name);
    else if (entry.returns) {
      entry.returns = false;
      this.boot([name]);
    }
  }

  #sendAll(name: string, event: InstanceEvent): void {
    const entry = this.#entries.get(name)!;
    entry.returns = false;
    for (const instance of [...entry.instances]) this.#send(entry, instance, event);
  }

  #send(entry: ServiceEntry, instance: Instance, event: InstanceEvent): void {
    if (this.#draining) return;
    const before = instance.state.phase;
    const [state, effects] = step(policyOf(entry.service), instance.state, event);
    instance.state = state;
    for (const effect of effects) this.#do(entry, instance, effect);
    if (instance.state.phase !== before) this.#changed();
  }

  #do(entry: ServiceEntry, instance: Instance, effect: InstanceEffect): void {
    const { name } = entry.service;
    switch (effect.do) {
      case "launch":
        return this.#launch(entry, instance);
      case "stop_run":
        if (instance.run !== undefined) this.#runner.stop(instance.run.id, effect.reason);
        return;
      case "set_timer":
        instance.timers.get(effect.timer)?.();
        instance.timers.set(
          effect.timer,
          this.#world.clock.after(
            effect.ms,
            () => this.#send(entry, instance, { type: "timer", timer: effect.timer }),
          ),
        );
        return;
      case "clear_timer":
        instance.timers.get(effect.timer)?.();
        instance.timers.delete(effect.timer);
        return;
      case "give_up":
        this.#world.log.error(
          `service "${name}" is fatal: it failed to start ${effect.tries} times in a row`,
          {
            instance: instance.index,
          },
        );
        return this.#report(troubleOf("service.fatal", { name, instance, tries: effect.tries }));
      case "report_failing":
        this.#world.log.warn(`service "${name}" fails to start: ${effect.tries} times in a row`, {
          instance: instance.index,
        });
        return this.#report(troubleOf("service.failing", { name, instance, tries: effect.tries }));
      case "became_healthy":
        return this.#startWaiting();
    }
  }

  #launch(entry: ServiceEntry, instance: Instance): void {
    const { service } = entry;
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
    this.#bus.publish({ type: "run.created", run: { ...run } });
    instance.run = run;
    instance.lastRunId = run.id;
    instance.definition = service;
    this.#runner.start(run, service, {
      settle: (ended, outcome) => this.#settle(entry, instance, { run: ended, outcome }),
      ended: () => this.#afterLife(entry, instance),
    });
  }

  /** The machine decides over the next life before this one's end is stored: the last of too many tries is a `start_failed`. */
  #settle(entry: ServiceEntry, instance: Instance, end: { run: Run; outcome: Outcome }): Outcome {
    const { outcome, run } = end;
    const ranFor = run.startedAt === undefined ? 0 : this.#world.clock.now() - run.startedAt;
    const life = { reason: outcome.reason, isFailure: isFailure(outcome, entry.service.failures), ranFor };
    const [state, effects] = step(policyOf(entry.service), instance.state, { type: "ended", life });
    instance.state = state;
    instance.afterEnd = effects;
    return effects.some((effect) => effect.do === "give_up")
      ? { ...outcome, reason: "start_failed" }
      : outcome;
  }

  #afterLife(entry: ServiceEntry, instance: Instance): void {
    delete instance.run;
    if (entry.leaving.includes(instance)) entry.leaving.splice(entry.leaving.indexOf(instance), 1);
    const effects = instance.afterEnd;
    instance.afterEnd = [];
    if (!this.#draining) { for (const effect of effects) this.#do(entry, instance, effect); }
    this.#whenEmpty(entry);
    this.#changed();
  }

  #isReady(entry: ServiceEntry): boolean {
    return entry.service.dependsOn.every((name) =>
      this.#entries.get(name)?.instances.some(({ state }) => state.phase === "healthy") ?? false
    );
  }

  #startWaiting(): void {
    for (const entry of this.#entries.values()) {
      if (!entry.instances.some(({ state }) => state.phase === "waiting") || !this.#isReady(entry)) continue;
      for (const instance of entry.instances) this.#send(entry, instance, { type: "ready" });
    }
  }

  #changed(): void {
    this.#wake();
    this.#bus.publish({ type: "tasks.changed" });
  }

  #wake(): void {
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

function troubleOf(
  kind: ServiceTrouble["kind"],
  { name, instance, tries }: { name: string; instance: Instance; tries: number },
): ServiceTrouble {
  return { kind, unit: name, instance: instance.index, tries, runId: instance.lastRunId ?? "" };
}
