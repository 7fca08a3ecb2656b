import { isSameCheck, mustRecycle } from "../../core/reload_plan.ts";
import type { InstanceEvent } from "../../core/service_machine.ts";
import { HealthWatch } from "./health.ts";
import type { Runner } from "../runs/runner.ts";
import { begunLife, type Instance, type ServiceEntry } from "./service_entry.ts";
import type { TroubleTeller } from "./trouble.ts";
import type { World } from "../world.ts";

/** What looking after health needs. */
export interface HealthNeeds {
  runner: Runner;
  tell: TroubleTeller;
  send: (entry: ServiceEntry, instance: Instance, event: InstanceEvent) => void;
}

/** Looks after the health of all instances whose services have a check. */
export class ServiceHealth {
  readonly #world: World;
  readonly #needs: HealthNeeds;

  constructor(world: World, needs: HealthNeeds) {
    this.#world = world;
    this.#needs = needs;
  }

  /** Begins with a life that has just begun; nothing happens when it is over already. */
  watch(entry: ServiceEntry, instance: Instance): void {
    this.unwatch(instance);
    const { definition, since, state: { phase } } = instance;
    const run = begunLife(instance)?.run;
    const check = definition?.healthCheck;
    if (run === undefined || check === undefined) return;
    if (phase !== "starting" && phase !== "healthy") return;
    const { runner, tell, send } = this.#needs;
    const life = { service: definition!, run, check, since, isHealthy: phase === "healthy" };
    instance.watch = new HealthWatch(this.#world, life, {
      passed: () => send(entry, instance, { type: "passed" }),
      failed: (why) => {
        if (runner.isStopping(run.id)) return; // it goes for another reason
        runner.failedCheck(run.id, why);
        tell.unhealthy(entry, instance, { run, why });
        send(entry, instance, { type: "failed_check" });
      },
    });
  }

  /** Ends with a life that is being ended, or has. */
  unwatch(instance: Instance): void {
    instance.watch?.end();
    delete instance.watch;
  }

  /** Lets a live instance go on under a new check; one that is to be recycled keeps the check that it was started with. */
  recheck(entry: ServiceEntry, instance: Instance): void {
    const { definition } = instance;
    if (
      definition === undefined || begunLife(instance) === undefined || mustRecycle(definition, entry.service)
    ) return;
    const isSame = isSameCheck(definition.healthCheck, entry.service.healthCheck);
    instance.definition = entry.service;
    if (isSame) return;
    this.watch(entry, instance);
    this.#needs.send(entry, instance, { type: "check_changed" });
  }
}
