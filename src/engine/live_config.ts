import { unheldLimits } from "../core/limits.ts";
import { nearest } from "../core/nearest.ts";
import type { ReloadPlan } from "../core/reload_plan.ts";
import { Fault } from "../fault.ts";
import type { Config, Problem, Unit } from "../types.ts";
import { maskEverywhere } from "./runs/masking.ts";
import { prepareReload, type Rooms, storeReload } from "./reload.ts";
import type { World } from "./world.ts";

/** What a reload needs of the engine. */
export interface ReloadOptions {
  rooms: Rooms;
  /** Throws `Fault` when nothing may change any more. */
  mayChange: () => void;
  /** A new configuration is in force. */
  changed: () => void;
}

/** The configuration in force, and the way to the next. */
export class LiveConfig {
  /** Units by name. */
  readonly units = new Map<string, Unit>();
  readonly #world: World;
  #current: Config;
  #loadedAt: number;
  #timezone: string;
  #reloading: Promise<unknown> = Promise.resolve();

  constructor(world: World, config: Config) {
    this.#world = world;
    this.#current = config;
    this.#loadedAt = world.clock.now();
    this.#timezone = zoneOfDaemon(world, config);
    this.#adopt(config);
  }

  get current(): Config {
    return this.#current;
  }

  /** Unix ms. */
  get loadedAt(): number {
    return this.#loadedAt;
  }

  /** The zone of schedules that name none; the machine's own is looked up with each reload. */
  get timezone(): string {
    return this.#timezone;
  }

  /** Throws `Fault` not_found with the nearest known name. */
  unit(name: string): Unit {
    const unit = this.units.get(name);
    if (unit !== undefined) return unit;
    const close = nearest(name, this.units.keys());
    throw new Fault(
      "not_found",
      `no unit "${name}"${close === undefined ? "" : `: did you mean "${close}"?`}`,
    );
  }

  /** Reads the configuration anew; with `dryRun` it is only compared. All or nothing, one reload after the other. */
  reload(dryRun: boolean, options: ReloadOptions): Promise<ReloadPlan> {
    const plan = this.#reloading.then(() => this.#reload(dryRun, options));
    this.#reloading = plan.catch(() => {});
    return plan;
  }

  /** Says which limits this machine can't hold: only the daemon can know, so that it is no finding of the loader. */
  warnOfLimits(): void {
    for (const sentence of unheldLimits(this.#current.units, this.#world.processes.groups)) {
      this.#world.log.warn(sentence);
    }
  }

  async #reload(dryRun: boolean, { rooms, mayChange, changed }: ReloadOptions): Promise<ReloadPlan> {
    mayChange();
    const before = this.#current;
    const { config, plan, warnings } = await prepareReload(this.#world, before);
    mayChange();
    if (dryRun) return plan;
    const zones = { before: this.#timezone, after: zoneOfDaemon(this.#world, config) };
    const apply = storeReload(this.#world, rooms, { before, after: config, plan, zones });
    this.#timezone = zones.after;
    this.#current = config;
    this.#loadedAt = this.#world.clock.now();
    this.#adopt(config);
    apply();
    for (const warning of warnings) this.#warn(warning);
    if (zones.before !== zones.after) {
      this.#world.log.info("schedules that name no time zone go by another one", zones);
    }
    this.warnOfLimits();
    this.#world.log.info("configuration reloaded", {
      added: plan.added.length,
      removed: plan.removed.length,
      changed: plan.changed.length,
    });
    changed();
    return plan;
  }

  #adopt({ units, secretVariables }: Config): void {
    // Before anything starts that could inherit or print them.
    maskEverywhere(this.#world.processes.hide(secretVariables));
    this.units.clear();
    for (const unit of units) this.units.set(unit.name, unit);
  }

  #warn({ file, line, column, key, message }: Problem): void {
    this.#world.log.warn(message, {
      key: key || undefined,
      at: line > 0 ? `${file}:${line}:${column}` : file,
    });
  }
}

function zoneOfDaemon(world: World, { daemon }: Config): string {
  return daemon.timezone ?? world.hostTimezone();
}
