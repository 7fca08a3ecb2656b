import type { ServiceTrouble } from "../../core/notices.ts";
import type { InstanceEffect } from "../../core/service_machine.ts";
import type { DaemonLog } from "../../io/daemon_log.ts";
import type { Run } from "../../types.ts";
import type { Bus, HappeningEvent } from "../bus.ts";
import type { Instance, ServiceEntry } from "./service_entry.ts";

/** Tells of services in trouble: the daemon's log, and who gives notice of it. */
export class TroubleTeller {
  readonly #log: DaemonLog;
  readonly #happenings: Bus<HappeningEvent>;

  constructor(log: DaemonLog, happenings: Bus<HappeningEvent>) {
    this.#log = log;
    this.#happenings = happenings;
  }

  /** Failed starts in a row: a few of them, or one too many. */
  failedStarts(
    { service: { name } }: ServiceEntry,
    { index, lastRunId = "" }: Instance,
    { do: what, tries }: Extract<InstanceEffect, { tries: number }>,
  ): void {
    const isFatal = what === "give_up";
    if (isFatal) {
      this.#log.error(`service "${name}" is fatal: it failed to start ${tries} times in a row`, {
        instance: index,
      });
    } else this.#log.warn(`service "${name}" fails to start: ${tries} times in a row`, { instance: index });
    const kind = isFatal ? "service.fatal" : "service.failing";
    this.#tell({ kind, unit: name, instance: index, tries, runId: lastRunId });
  }

  /** An instance is stopped since its health check failed. */
  unhealthy(
    { service: { name } }: ServiceEntry,
    { index }: Instance,
    { run, why }: { run: Run; why: string },
  ): void {
    this.#log.warn(`service "${name}" is unhealthy: the instance is stopped`, { instance: index, why });
    this.#tell({ kind: "service.unhealthy", unit: name, instance: index, why, runId: run.id });
  }

  /** A service has waited long for what it depends on. */
  blocked({ service: { name } }: ServiceEntry, waitsFor: readonly string[]): void {
    this.#log.warn(`service "${name}" is blocked: it waits for ${waitsFor.join(", ")}`);
    this.#tell({ kind: "service.blocked", unit: name, waitsFor, runId: "" });
  }

  #tell(trouble: ServiceTrouble): void {
    this.#happenings.publish({ type: "service.trouble", trouble });
  }
}
