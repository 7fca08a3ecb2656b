import { instanceOf } from "../../core/kept_words.ts";
import { mustRecycle } from "../../core/reload_plan.ts";
import type { InstanceEvent } from "../../core/service_machine.ts";
import { elapsed, type MonotonicMs } from "../../core/time.ts";
import type { Run, Service } from "../../types.ts";
import type { LeftRun, Runner } from "../runs/runner.ts";
import type { World } from "../world.ts";
import { begunLife, goneEntry, type Instance, instanceAt, type ServiceEntry } from "./service_entry.ts";
import type { ServiceHealth } from "./service_health.ts";
import type { LifeOptions, ServiceLives } from "./service_lives.ts";

/** What taking over lives needs of the services. */
export interface FormerNeeds {
  entries: Map<string, ServiceEntry>;
  runner: Runner;
  lives: ServiceLives;
  health: ServiceHealth;
  owner: (entry: ServiceEntry, instance: Instance) => LifeOptions["owner"];
  send: (entry: ServiceEntry, instance: Instance, event: InstanceEvent) => void;
}

interface Former {
  entry: ServiceEntry;
  instance: Instance;
  left: LeftRun & { unit: Service };
  /** When it was taken over. */
  since: MonotonicMs;
}

/** The lives of instances that an earlier daemon began, and with which this one goes on. */
export class FormerLives {
  readonly #world: Pick<World, "clock">;
  readonly #needs: FormerNeeds;
  readonly #all = new Map<Instance, Former>();

  constructor(world: Pick<World, "clock">, needs: FormerNeeds) {
    this.#world = world;
    this.#needs = needs;
  }

  /** Whether an instance goes on from an earlier daemon: it is not for the boot to start it. */
  has(instance: Instance): boolean {
    return this.#all.has(instance);
  }

  /**
   * Takes a life over: its instance stands as it stood. Throws where the machine does not give it, or another life has
   * its place.
   */
  takeOver(run: Run, left: Former["left"]): void {
    const { entries, lives, owner } = this.#needs;
    const entry = entries.get(run.unit) ?? goneEntry(left.unit);
    const instance = instanceAt(entry, run.instance, this.#world.clock);
    if (instance.life !== undefined) {
      throw new RangeError(`run ${instance.life.id} has the place of ${run.id}`);
    }
    lives.takeOver(instance, run, { left, owner: owner(entry, instance) });
    entries.set(run.unit, entry);
    const isKnown = [...entry.instances, ...entry.leaving].includes(instance);
    if (!isKnown) entry.leaving.push(instance);
    instance.state = instanceOf(left.words.instance);
    if (left.words.run.want !== undefined) instance.state = { ...instance.state, phase: "stopping" };
    if (isToGo(entry, instance)) instance.state = { ...instance.state, want: "down", again: false };
    else if (left.words.run.want === "daemon_stopped" && entry.service.autostart) {
      instance.state = { ...instance.state, want: "up", again: true };
    }
    this.#all.set(instance, { entry, instance, left, since: this.#world.clock.monotonic() });
  }

  /** Takes up what goes on around each: checks, timers, stops that are due. To be called before their ends are told. */
  goOn(): void {
    for (const former of this.#all.values()) {
      if (begunLife(former.instance) !== undefined && former.left.found.ended === undefined) {
        this.#takeUp(former);
      }
    }
  }

  /** Names of services of which instances are up under another definition; from now on they are as all others. */
  settle(): string[] {
    const names = [...this.#all.values()].filter(({ entry, instance }) =>
      !entry.isRemoved && instance.definition !== undefined && mustRecycle(instance.definition, entry.service)
    ).map(({ entry }) => entry.service.name);
    this.#all.clear();
    return [...new Set(names)];
  }

  #takeUp({ entry, instance, left, since }: Former): void {
    const { runner, health, send } = this.#needs;
    const { phase } = instance.state;
    if (phase === "stopping") {
      // The daemon may have died between the two.
      const reason = instance.state.unhealthy ? "unhealthy" : "stopped";
      if (!runner.isStopping(left.found.runId)) runner.stop(left.found.runId, reason);
      return;
    }
    if (isToGo(entry, instance)) return send(entry, instance, { type: "stop" });
    if (phase === "starting" && left.unit.healthCheck === undefined) {
      const waited = elapsed(since, this.#world.clock.monotonic());
      const ms = Math.max(0, left.unit.healthyAfter - left.ranFor - waited);
      instance.timers.set("healthy", ms, () => send(entry, instance, { type: "timer", timer: "healthy" }));
    }
    health.watch(entry, instance);
    health.recheck(entry, instance);
  }
}

function isToGo(entry: ServiceEntry, instance: Instance): boolean {
  return entry.isRemoved || !entry.instances.includes(instance);
}
