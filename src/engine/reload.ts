import { netUses } from "../core/net_uses.ts";
import { planReload, type ReloadPlan, restartOnlyChanges } from "../core/reload_plan.ts";
import { Fault, messageOf } from "../fault.ts";
import type { Config, Problem, Service, Unit } from "../types.ts";
import type { Scheduler } from "./tasks/scheduler.ts";
import type { Services } from "./services/services.ts";
import type { Tasks } from "./tasks/tasks.ts";
import type { World } from "./world.ts";

/** How long a recycled instance may take to become healthy before the next one is recycled, in ms (docs/behaviour.md#reload). */
const recycleLimit = 30_000;

/** What a reload acts on. */
export interface Rooms {
  tasks: Tasks;
  services: Services;
  scheduler: Scheduler;
}

/**
 * Reads the configuration anew and compares it with the one in force; nothing is changed yet. Fails with a `Fault`
 * that holds every problem of an invalid file, or the keys that only a restart can change.
 */
export async function prepareReload(
  world: World,
  current: Config,
): Promise<{ config: Config; plan: ReloadPlan; warnings: Problem[] }> {
  const { config, errors, warnings } = await world.loader.load(current);
  if (config === undefined || errors.length > 0) {
    throw new Fault(
      "invalid",
      `cannot reload "${current.path}": ${errors.length} ${
        errors.length === 1 ? "error" : "errors"
      } in the configuration, nothing was changed`,
      errors.map((problem) => ({ location: placeOf(problem), message: wordsOf(problem) })),
    );
  }
  const cut = blankSource(current, config);
  if (cut !== undefined) {
    throw new Fault(
      "invalid",
      `cannot reload "${current.path}": "${cut.path}" is blank, and ${cut.units} of the units that run come from ` +
        `it; it looks cut off (a full disk, or it is being written), nothing was changed. To remove them all, leave ` +
        `a comment in it`,
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
  return { config, plan: planReload(current.units, config.units), warnings };
}

/** A file that is blank now, and that units in force were read from: their number is told beside it. */
function blankSource(current: Config, next: Config): { path: string; units: number } | undefined {
  for (const { path, isBlank } of next.sources) {
    const units = isBlank ? current.units.filter(({ place }) => place.file === path).length : 0;
    if (units > 0) return { path, units };
  }
  return undefined;
}

/** From one configuration to another. */
export interface ConfigChange {
  before: Config;
  after: Config;
  plan: ReloadPlan;
  /** Of schedules that name none (IANA). */
  zones: { before: string; after: string };
}

/**
 * Stores what a checked configuration changes, all or nothing; the result puts it into force. Services that change
 * are recycled one instance at a time, in the background. Throws `Fault` where the database refuses.
 */
export function storeReload(world: World, rooms: Rooms, change: ConfigChange): () => void {
  const { before, after, plan, zones } = change;
  const old = new Map(before.units.map((unit) => [unit.name, unit]));
  const fresh = new Map(after.units.map((unit) => [unit.name, unit]));
  const changed = new Set(plan.changed.map(({ name }) => name));
  const zoneChanged = zones.before !== zones.after;
  const isNew = (unit: Unit): boolean => old.get(unit.name)?.kind !== unit.kind;
  const gone = before.units.filter((unit) => fresh.get(unit.name)?.kind !== unit.kind);
  const tasks = after.units.filter((unit) => unit.kind === "task").filter((task) =>
    isNew(task) || changed.has(task.name) || zoneChanged
  );
  const goneTasks = gone.filter(({ kind }) => kind === "task").map(({ name }) => name);
  const reschedule = stored(world, before, () => {
    for (const name of goneTasks) world.store.retries.removeOf(name);
    return rooms.scheduler.change({
      put: tasks,
      remove: goneTasks,
      daemonZone: zones.after,
    });
  });
  return () => {
    // Instances that are still to be recycled go by their old checks.
    world.net?.allow([...netUses(before), ...netUses(after)].map(({ address }) => address));
    for (const { kind, name } of gone) rooms[kind === "task" ? "tasks" : "services"].remove(name);
    for (const task of tasks) rooms.tasks.define(task);
    reschedule();
    for (const unit of after.units) {
      if (unit.kind !== "service") continue;
      if (isNew(unit)) rooms.services.add(unit, { boot: unit.autostart });
      else if (changed.has(unit.name)) changeService(world, rooms.services, unit);
    }
    // Last, so that nothing starts that is gone, or by what it was.
    rooms.tasks.setMaxParallel(after.daemon.maxParallelRuns);
  };
}

function stored<T>(world: World, { path }: Config, body: () => T): T {
  try {
    return world.store.transaction(body);
  } catch (error) {
    throw new Fault(
      "database_refuses",
      `cannot reload "${path}": the change can't be stored (${messageOf(error)}), nothing was changed`,
    );
  }
}

function changeService(world: World, services: Services, service: Service): void {
  services.redefine(service);
  services.startFatal(service.name);
  void recycleService(world, services, service.name).catch(reportError);
}

/** Bounces the instances of a service that are up under an older definition, one at a time. */
export async function recycleService(world: World, services: Services, name: string): Promise<void> {
  if (await services.recycle(name, { limit: recycleLimit })) {
    world.log.info(`service "${name}" runs its new definition`);
  }
}

function wordsOf({ key, message }: Problem): string {
  return key === "" ? message : `${key}: ${message}`;
}

function placeOf({ file, line, column }: Problem): string {
  return line > 0 ? `${file}:${line}:${column}` : file;
}
