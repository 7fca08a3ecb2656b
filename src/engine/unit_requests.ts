import { resolveParams } from "../core/params.ts";
import { Fault } from "../fault.ts";
import type { Run, Task, Trigger, Unit } from "../types.ts";
import type { Bus } from "./bus.ts";
import type { Rooms } from "./reload.ts";
import type { Ledger } from "./runs/ledger.ts";
import { maskedText, unmasked } from "./runs/masking.ts";
import { listenForEnds } from "./waits.ts";

/** Parameter values as a client gives them; `null` omits one. */
export type GivenParams = Record<string, string | null>;

/** What the requests about units need. */
export interface RequestOptions {
  bus: Bus;
  ledger: Ledger;
  rooms: Rooms;
  /** Throws `Fault` not_found. */
  unit: (name: string) => Unit;
  /** Throws `Fault` when nothing new may be started. */
  mayStart: () => void;
}

/** What people and programs ask of a unit by its name. `byHook`: a token allows what `api_trigger = false` forbids. */
export class UnitRequests {
  readonly #bus: Bus;
  readonly #ledger: Ledger;
  readonly #rooms: Rooms;
  readonly #unit: (name: string) => Unit;
  readonly #mayStart: () => void;

  constructor({ bus, ledger, rooms, unit, mayStart }: RequestOptions) {
    this.#bus = bus;
    this.#ledger = ledger;
    this.#rooms = rooms;
    this.#unit = unit;
    this.#mayStart = mayStart;
  }

  /** Makes a run of a task. */
  run(name: string, options: { trigger: Trigger; params?: GivenParams; byHook?: boolean }): Run {
    const unit = this.#unit(name);
    if (unit.kind === "service") {
      throw new Fault("conflict", `cannot run "${name}": it is a service; start or restart it`);
    }
    if (!options.byHook) mustAllow(unit, "run");
    return this.trigger(unit, options);
  }

  /** Makes a run of a task, whoever wants it. */
  trigger(task: Task, options: { trigger: Trigger; params?: GivenParams }): Run {
    this.#mayStart();
    return this.#rooms.tasks.trigger(task.name, {
      trigger: options.trigger,
      params: paramsFor(task, options.params ?? {}),
    });
  }

  /** With the parameters of the earlier run where the task still takes them, else with its defaults. */
  rerun(task: Task, like: Run): Run {
    const settled = resolveParams(task.params, like.params ?? {});
    return this.trigger(task, {
      trigger: "api",
      ...("values" in settled ? { params: settled.values } : {}),
    });
  }

  /** Starts a service, or an idle task; answers the task's run that is active then. */
  start(name: string, options: { trigger: Trigger; byHook?: boolean }): Run | undefined {
    const unit = this.#unit(name);
    if (!options.byHook) mustAllow(unit, "start");
    this.#mayStart();
    if (unit.kind === "service") {
      this.#rooms.services.start(name);
      return undefined;
    }
    const { admitted, queued } = this.#ledger.of(name);
    const [first] = [...admitted, ...queued];
    return first?.run ?? this.trigger(unit, options);
  }

  /** Stops a service for the daemon's life, or what a task has active or waiting. Resolves once all of it has ended. */
  stop(name: string, options: { byHook?: boolean }): Promise<void> {
    const unit = this.#unit(name);
    const { services, tasks } = this.#rooms;
    if (unit.kind === "service") {
      if (!options.byHook) mustAllow(unit, "stop");
      services.stop(name);
      return services.stopped(name);
    }
    // Fresh runs are not waited for.
    const { admitted, queued } = this.#ledger.of(name);
    const { ended } = listenForEnds(this.#bus, [...admitted, ...queued].map(({ id }) => id));
    tasks.stop(name);
    return ended;
  }

  /** Bounces a service; for a task, stops what is active, drops what waits, and answers the one fresh run. */
  restart(name: string, options: { trigger: Trigger; byHook?: boolean }): Run | undefined {
    const unit = this.#unit(name);
    if (!options.byHook) mustAllow(unit, "restart");
    this.#mayStart();
    if (unit.kind === "task") {
      return this.#rooms.tasks.restart(name, { trigger: options.trigger, params: paramsFor(unit, {}) });
    }
    this.#rooms.services.restart(name);
    return undefined;
  }

  /** Holds the schedule of a task. */
  pause(name: string): void {
    this.#mustBeScheduled(name, "pause");
    this.#rooms.scheduler.pause(name);
    this.#bus.publish({ type: "tasks.changed" });
  }

  resume(name: string): void {
    this.#mustBeScheduled(name, "resume");
    this.#rooms.scheduler.resume(name);
    this.#bus.publish({ type: "tasks.changed" });
  }

  #mustBeScheduled(name: string, action: string): void {
    const unit = this.#unit(name);
    if (unit.kind === "task" && unit.cron !== undefined) return;
    const why = unit.kind === "service" ? "it is a service" : "it has no cron schedule";
    throw new Fault("conflict", `cannot ${action} "${name}": ${why}`);
  }
}

/** Throws `Fault` for a unit that is closed to sessions, socket and command line. */
export function mustAllow({ name, apiTrigger }: Unit, action: string): void {
  if (apiTrigger) return;
  throw new Fault("forbidden", `cannot ${action} "${name}": its definition says api_trigger = false`);
}

/** The values that a run of a task gets for what was given. Throws `Fault` invalid with every reason why they can't be. */
export function paramsFor(task: Task, given: GivenParams): Record<string, string> {
  const values = Object.entries(given).map(([key, value]) => [key, value && unmasked(task, key, value)]);
  const settled = resolveParams(task.params, Object.fromEntries(values));
  if ("values" in settled) return settled.values;
  const problems = settled.problems.map((one) => ({ ...one, message: maskedText(task, one.message) }));
  throw new Fault("invalid", `cannot run "${task.name}": ${problems[0]!.message}`, problems);
}
