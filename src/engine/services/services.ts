import { elapsed } from "../../core/time.ts";
import { stepWords } from "../../core/step_words.ts";
import { type InstanceEffect, type InstanceEvent, step } from "../../core/service_machine.ts";
import { bootOrder, shutdownWaves } from "../../core/boot_order.ts";
import { isFailure, type Outcome } from "../../core/outcome.ts";
import type { Run, Service } from "../../types.ts";
import type { Bus, HappeningEvent } from "../bus.ts";
import { Dependencies } from "./dependencies.ts";
import { FormerLives } from "./former_lives.ts";
import { instanceWords } from "../../core/kept_words.ts";
import { recycle } from "./recycle.ts";
import type { Ledger } from "../runs/ledger.ts";
import type { LeftRun, Runner } from "../runs/runner.ts";
import {
  addInstance,
  begunLife,
  hasProcesses,
  type Instance,
  type InstanceMachineView,
  machinesOf,
  newEntry,
  policyOf,
  type ServiceEntry,
  type ServiceStatus,
  silence,
  statusOf,
} from "./service_entry.ts";
import { ServiceHealth } from "./service_health.ts";
import { type LifeOptions, ServiceLives } from "./service_lives.ts";
import { TroubleTeller } from "./trouble.ts";
import type { World } from "../world.ts";

export type { ServiceStatus } from "./service_entry.ts";

/** All services: each instance is a machine that keeps its process as it is wanted (docs/behaviour.md#services). */
export class Services {
  readonly #world: World;
  readonly #bus: Bus;
  readonly #runner: Runner;
  readonly #lives: ServiceLives;
  readonly #tell: TroubleTeller;
  readonly #health: ServiceHealth;
  readonly #dependencies: Dependencies;
  readonly #former: FormerLives;
  readonly #entries = new Map<string, ServiceEntry>();
  #draining = false;
  #idle: (() => void)[] = [];

  constructor(
    world: World,
    bus: Bus,
    { runner, ledger, happenings }: {
      runner: Runner;
      ledger: Ledger;
      happenings: Bus<HappeningEvent>;
    },
  ) {
    this.#world = world;
    this.#bus = bus;
    this.#runner = runner;
    this.#lives = new ServiceLives(world, bus, { runner, ledger });
    this.#tell = new TroubleTeller(world.log, happenings);
    this.#health = new ServiceHealth(world, {
      runner,
      tell: this.#tell,
      send: (entry, instance, event) => this.#send(entry, instance, event),
    });
    this.#dependencies = new Dependencies(this.#entries, { clock: world.clock, tell: this.#tell });
    this.#former = new FormerLives(world, {
      entries: this.#entries,
      runner,
      lives: this.#lives,
      health: this.#health,
      owner: (entry, instance) => this.#ownerOf(entry, instance),
      send: (entry, instance, event) => this.#send(entry, instance, event),
    });
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
    this.#entries.set(service.name, newEntry(service, this.#world.clock));
    if (options.boot) this.boot([service.name]);
  }

  /** Starts services at boot or after a reload, by priority, then name; each waits for what it depends on. */
  boot(names: readonly string[]): void {
    const order = names.map((name) => this.#entries.get(name)!).sort((a, b) =>
      bootOrder(a.service, b.service)
    );
    for (const entry of order) {
      const ready = this.#dependencies.isReady(entry);
      for (const instance of entry.instances) {
        if (this.#former.has(instance)) continue;
        this.#send(entry, instance, { type: "start", byHand: false, ready });
      }
    }
  }

  /** Goes on with a life that an earlier daemon began. Throws where the machine does not give it. */
  takeOver(run: Run, left: LeftRun & { unit: Service }): void {
    this.#former.takeOver(run, left);
  }

  /** All lives of an earlier daemon are taken over: they go on, and the ends of those that have ended may be told. */
  goOn(): void {
    this.#former.goOn();
  }

  /** What the configuration starts is started; answers the services that are up under another definition than theirs. */
  settle(): string[] {
    return this.#former.settle();
  }

  status(name: string): ServiceStatus {
    return statusOf(this.#entries.get(name)!);
  }

  /** The machines of all instances, by the names of their services. */
  machines(): InstanceMachineView[] {
    const byName = [...this.#entries].sort(([a], [b]) => a < b ? -1 : 1);
    return byName.flatMap(([, entry]) => machinesOf(entry));
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

  /** Starts the instances that nothing restarts any more. */
  startFatal(name: string): void {
    const entry = this.#entries.get(name)!;
    for (const instance of entry.instances.filter(({ state }) => state.phase === "fatal")) {
      this.#send(entry, instance, { type: "restart" });
    }
  }

  /** Ends the life of one instance, which then stays down. Answers whether the run was one of ours. */
  stopRun(runId: string): boolean {
    for (const entry of this.#entries.values()) {
      const instance = entry.instances.find(({ life }) => life?.id === runId);
      if (instance === undefined) continue;
      this.#send(entry, instance, { type: "stop" });
      return true;
    }
    return false;
  }

  /** Resolves once no instance of the service has a process. */
  async stopped(name: string): Promise<void> {
    const entry = this.#entries.get(name);
    while (entry !== undefined && hasProcesses(entry)) await this.#change();
  }

  /** Stops a service and forgets it once its processes have ended. */
  remove(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    this.stop(name);
    entry.isRemoved = true;
    this.#whenEmpty(entry);
  }

  /**
   * Takes a service's new definition; what runs is not touched, but goes on under the new health check where nothing
   * else of it is outdated. Instances that are too many are stopped, missing ones started.
   */
  redefine(service: Service): void {
    const entry = this.#entries.get(service.name)!;
    const isUp = entry.instances.some(({ state }) => state.want === "up");
    entry.service = service;
    for (const instance of entry.instances) this.#health.recheck(entry, instance);
    for (const extra of entry.instances.slice(service.instances)) this.#send(entry, extra, { type: "stop" });
    const extras = entry.instances.splice(service.instances);
    entry.leaving.push(...extras.filter((one) => begunLife(one) !== undefined));
    while (entry.instances.length < service.instances) {
      const instance = addInstance(entry, this.#world.clock);
      if (isUp) this.#send(entry, instance, { type: "start", byHand: true, ready: true });
    }
    this.#startWaiting(); // what it waits for may have changed
  }

  /**
   * Bounces the instances that are up under an older definition, one at a time: the next when the new one is
   * healthy, or after `limit` ms. Answers whether there were any; a reload meanwhile goes into the same round.
   */
  async recycle(name: string, { limit }: { limit: number }): Promise<boolean> {
    const entry = this.#entries.get(name);
    return entry !== undefined && await recycle(entry, {
      clock: this.#world.clock,
      limit,
      restart: (instance) => this.#send(entry, instance, { type: "restart" }),
      changed: () => this.#change(),
      isOver: () => this.#draining,
    });
  }

  /** From now on nothing is started again. */
  drain(): void {
    this.#draining = true;
    this.#lives.close();
    for (const entry of this.#entries.values()) silence(entry);
    this.#wake();
  }

  /**
   * Ends all services for the daemon's shutdown, in reverse order of boot, or those of which something can't outlive it;
   * resolves when they have ended.
   */
  async shutdown(which?: "mortal"): Promise<void> {
    const ending = [...this.#entries.values()].filter(({ service: { name } }) =>
      which === undefined || this.#mortalLives(name).length > 0
    );
    for (const wave of shutdownWaves(ending.map(({ service }) => service))) {
      for (const { name } of wave) {
        const lives = which === undefined ? this.#lifeIds(name) : this.#mortalLives(name);
        for (const id of lives) this.#runner.stop(id, "daemon_stopped");
      }
      await Promise.all(
        wave.map(({ name }) => which === undefined ? this.stopped(name) : this.#outlived(name)),
      );
    }
  }

  /** Resolves once nothing of a service is left that can't outlive the daemon. */
  async #outlived(name: string): Promise<void> {
    while (this.#mortalLives(name).length > 0) await this.#change();
  }

  /** Lives that can't outlive the daemon: a service may have both kinds, where a reload changed that. */
  #mortalLives(name: string): string[] {
    return this.#lifeIds(name).filter((id) => this.#runner.isMortal(id));
  }

  #lifeIds(name: string): string[] {
    const entry = this.#entries.get(name); // absent: a reload took it away, and it has ended meanwhile
    const all = entry === undefined ? [] : [...entry.instances, ...entry.leaving];
    return all.flatMap(({ life }) => life === undefined ? [] : [life.id]);
  }

  /** Resolves when anything has changed. */
  #change(): Promise<void> {
    return new Promise((resolve) => this.#idle.push(resolve));
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

  /** Nothing is thrown: timers and probes call it too. */
  #send(entry: ServiceEntry, instance: Instance, event: InstanceEvent): void {
    if (this.#draining) return;
    if (makesHealthy(event) && !this.#runner.isUp(instance.life?.id ?? "")) return;
    const before = instance.state.phase;
    this.#step(entry, instance, event);
    if (instance.state.phase !== before) this.#changed(entry, instance);
  }

  /** Nothing but this changes what an instance is. Answers what was done. */
  #step(entry: ServiceEntry, instance: Instance, event: InstanceEvent): readonly InstanceEffect[] {
    const [state, effects] = step(policyOf(entry.service), instance.state, event);
    this.#world.log.trace?.("step of an instance", {
      unit: entry.service.name,
      instance: instance.index,
      ...stepWords(event, { before: instance.state, after: state, effects }),
    });
    instance.state = state;
    this.#writeDown(instance);
    if (!this.#draining) { for (const effect of effects) this.#do(entry, instance, effect); }
    return effects;
  }

  /** Before anything is done about it: whoever comes after this daemon goes on from there. */
  #writeDown(instance: Instance): void {
    const words = instanceWords(instance.state);
    const life = begunLife(instance);
    if (words !== undefined && life !== undefined) this.#runner.keep(life.id, words);
  }

  #do(entry: ServiceEntry, instance: Instance, effect: InstanceEffect): void {
    switch (effect.do) {
      case "launch":
        return this.#launch(entry, instance, effect);
      case "stop_run":
        this.#health.unwatch(instance);
        if (instance.life !== undefined) this.#runner.stop(instance.life.id, effect.reason);
        return;
      case "set_timer": {
        const { timer, ms } = effect;
        return instance.timers.set(timer, ms, () => this.#send(entry, instance, { type: "timer", timer }));
      }
      case "clear_timer":
        return instance.timers.clear(effect.timer);
      case "record":
        return; // by who says that it has ended
      case "give_up":
      case "report_failing":
        return this.#tell.failedStarts(entry, instance, effect);
      case "became_healthy":
        return this.#startWaiting();
    }
  }

  #launch(entry: ServiceEntry, instance: Instance, { isRestart }: { isRestart: boolean }): void {
    const hasBegun = this.#lives.begin(instance, {
      service: entry.service,
      isRestart,
      owner: this.#ownerOf(entry, instance),
    });
    if (hasBegun) this.#health.watch(entry, instance);
    else this.#send(entry, instance, { type: "not_launched" });
  }

  #ownerOf(entry: ServiceEntry, instance: Instance): LifeOptions["owner"] {
    return {
      amend: (run, outcome) => this.#ended(entry, instance, { run, outcome }),
      ended: () => this.#stored(entry, instance),
    };
  }

  /** What the machine makes of an end is stored with it: the last of too many tries is a `start_failed`. */
  #ended(entry: ServiceEntry, instance: Instance, { run, outcome }: { run: Run; outcome: Outcome }): Outcome {
    this.#health.unwatch(instance);
    const ranFor = run.startedAt === undefined
      ? 0
      : instance.livedFor ?? elapsed(instance.since, this.#world.clock.monotonic());
    const life = { reason: outcome.reason, isFailure: isFailure(outcome, entry.service.failures), ranFor };
    const effects = this.#step(entry, instance, { type: "ended", life });
    const isLastTry = effects.some((effect) => effect.do === "record" && effect.isLastTry);
    return isLastTry ? { ...outcome, reason: "start_failed" } : outcome;
  }

  #stored(entry: ServiceEntry, instance: Instance): void {
    this.#step(entry, instance, { type: "stored" });
    if (begunLife(instance) === undefined) entry.leaving = entry.leaving.filter((one) => one !== instance);
    this.#whenEmpty(entry);
    this.#changed(entry, instance);
  }

  #startWaiting(): void {
    for (const entry of this.#dependencies.ready()) {
      for (const instance of entry.instances) this.#send(entry, instance, { type: "ready" });
    }
  }

  #changed(entry: ServiceEntry, instance: Instance): void {
    const { phase } = instance.state;
    if (phase !== "starting" && phase !== "backing_off") this.#lives.drop(instance, entry.service);
    this.#dependencies.look(entry);
    this.#wake();
    this.#bus.publish({ type: "tasks.changed" });
  }

  #wake(): void {
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

/** A process that has ended is not healthy, though a stray child may hold its pipes or answer in its place. */
function makesHealthy(event: InstanceEvent): boolean {
  return event.type === "passed" || (event.type === "timer" && event.timer === "healthy");
}
