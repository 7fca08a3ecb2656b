import { netUses } from "../core/net_uses.ts";
import { planReload, type ReloadPlan, restartOnlyChanges } from "../core/reload_plan.ts";
import { Fault } from "../fault.ts";
import type { Config, Problem, Service, Unit } from "../types.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Services } from "./services.ts";
import type { Tasks } from "./tasks.ts";
import type { World } from "./world.ts";

/** How long a recycled instance may take to become healthy before the next one is recycled, in ms (contract 3.10). */
const recycleLimit = 30_000;

/** What a reload acts on. */
export interface Rooms {
  tasks: Tasks;
  services: Services;
  scheduler: Scheduler;
}

/**
 * Reads the configuration anew and compares it with the one in force; nothing is changed yet. Throws `Fault`
 * with every problem of an invalid file, or with the keys that only a restart can change.
 */
export function prepareReload(world: World, current: Config): { config: Config; plan: ReloadPlan } {
  const { config, errors } = world.loadConfig();
  if (config === undefined || errors.length > 0) {
    throw new Fault(
      "invalid",
      `cannot reload "${current.path}": ${errors.length} ${
        errors.length === 1 ? "error" : "errors"
      } in the configuration, nothing was changed`,
      errors.map((problem) => ({ location: placeOf(problem), message: problem.message })),
    );
  }
  const firstUses = world.net === undefined ? netUses(config).map(({ key }) => key) : [];
  const fixed = [...restartOnlyChanges(current, config), ...firstUses];
  if (fixed.length > 0) {
    throw new Fault(
      "invalid",
      `cannot reload "${current.path}": ${
        fixed.join(", ")
      } can only change with a restart of the daemon, nothing was changed`,
      fixed.map((key) => ({ location: key, message: "takes effect only with a restart" })),
    );
  }
  return { config, plan: planReload(current.units, config.units) };
}

/** Puts a checked configuration into force. Services that change are recycled one instance at a time, in the background. */
export function applyReload(
  world: World,
  rooms: Rooms,
  change: { before: Config; after: Config; plan: ReloadPlan },
): void {
  const { before, after, plan } = change;
  const old = new Map(before.units.map((unit) => [unit.name, unit]));
  const changed = new Set(plan.changed.map(({ name }) => name));
  const zoneChanged = before.daemon.timezone !== after.daemon.timezone;
  rooms.scheduler.setDaemonZone(after.daemon.timezone ?? world.hostTimezone);
  rooms.tasks.setMaxParallel(after.daemon.maxParallelRuns);
  // Instances that are still to be recycled go by their old checks.
  world.net?.allow([...netUses(before), ...netUses(after)].map(({ address }) => address));
  for (const name of plan.removed) removeUnit(rooms, old.get(name)!);
  for (const unit of after.units) {
    const known = old.get(unit.name);
    if (known === undefined || known.kind !== unit.kind) {
      if (known !== undefined) removeUnit(rooms, known);
      addUnit(rooms, unit);
    } else if (unit.kind === "service") {
      if (changed.has(unit.name)) changeService(world, rooms.services, unit);
    } else if (changed.has(unit.name) || zoneChanged) {
      addUnit(rooms, unit);
    }
  }
}

function addUnit({ tasks, services, scheduler }: Rooms, unit: Unit): void {
  if (unit.kind === "task") {
    tasks.put(unit);
    scheduler.put(unit);
    return;
  }
  services.add(unit, { boot: unit.autostart });
}

function removeUnit({ tasks, services, scheduler }: Rooms, unit: Unit): void {
  if (unit.kind === "service") return services.remove(unit.name);
  scheduler.remove(unit.name);
  tasks.remove(unit.name);
}

function changeService(world: World, services: Services, service: Service): void {
  const { name } = service;
  const isFatal = services.status(name).state === "fatal";
  services.redefine(service);
  if (isFatal) services.restart(name);
  else void recycle(world, services, name);
}

async function recycle(world: World, services: Services, name: string): Promise<void> {
  if (await services.recycle(name, { limit: recycleLimit })) {
    world.log.info(`service "${name}" runs its new definition`);
  }
}

function placeOf({ file, line, column }: Problem): string {
  return line > 0 ? `${file}:${line}:${column}` : file;
}
