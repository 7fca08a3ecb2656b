import type { Service } from "../../../types.ts";
import { formatDuration } from "../../../core/duration.ts";
import { probeWords } from "../probe_words.ts";
import type { Account, ExportFile, ExportOrder } from "../exported.ts";
import { oneLine } from "../unit_facts.ts";
import { processLines, secretsFile, unitFile } from "./sections.ts";
import { commandWord, restOfLine } from "./words.ts";

/** A service as a unit of systemd; one of several instances is a template. */
export function serviceUnits(
  service: Service,
  { order, account }: { order: ExportOrder; account: Account },
): ExportFile[] {
  const instance = service.instances > 1;
  const waits = service.dependsOn.flatMap((name) => unitNames(order.all, name)).join(" ");
  const name = instance ? `${service.name}@.service` : `${service.name}.service`;
  noteService(service, { order, account });
  const unit = unitFile(service, {
    name,
    sections: [
      ["Unit", [
        ["Description", restOfLine(oneLine(service.description) || service.name) + (instance ? " %i" : "")],
        ...(waits === "" ? [] : [["Wants", waits], ["After", waits]] as const),
        ...startLimit(service),
      ]],
      ["Service", [
        ["Type", "exec"],
        ...processLines(service, { account, instance }),
        ...(service.timeout === 0 ? [] : [["RuntimeMaxSec", formatDuration(service.timeout)]] as const),
        ["Restart", policies[service.restart]],
        ...(service.restart === "never"
          ? []
          : [["RestartSec", formatDuration(service.restartDelay)]] as const),
        ...(service.compose === undefined ? [] : [["ExecStopPost", removal(instance)]] as const),
      ]],
      ["Install", service.autostart ? [["WantedBy", "multi-user.target"]] : []],
    ],
  });
  return [unit, ...secretsFile(service, { account, withSecrets: order.withSecrets })];
}

/** The names of a service's units, one for each instance. */
export function unitNames(all: ExportOrder["all"], name: string): string[] {
  const unit = all.find((one) => one.name === name);
  if (unit?.kind !== "service" || unit.instances === 1) return [`${name}.service`];
  return Array.from({ length: unit.instances }, (_, index) => `${name}@${index}.service`);
}

const policies = { always: "always", on_failure: "on-failure", never: "no" } as const;

/** As many starts as svc makes before it gives up, in the longest time that they can take. */
function startLimit({ startRetries, healthyAfter, restartDelay }: Service): [string, string][] {
  if (startRetries < 0) return [["StartLimitIntervalSec", "0"]];
  const starts = startRetries + 1;
  return [
    ["StartLimitIntervalSec", formatDuration(starts * (healthyAfter + restartDelay) + 1000)],
    ["StartLimitBurst", String(starts)],
  ];
}

/** The container outlives the client that is killed. */
function removal(instance: boolean): string {
  const words = ["-/usr/bin/env", "docker", "rm", "--force"].map(commandWord).join(" ");
  return `${words} svc-${instance ? "%p-%i" : "%N"}`;
}

function noteService(
  service: Service,
  { order, account }: { order: ExportOrder; account: Account },
): void {
  const note = (message: string) => account.note(service, message);
  if (service.instances > 1) {
    note(`enable its ${service.instances} instances: ${unitNames(order.all, service.name).join(" ")}`);
  }
  if (!service.autostart) note("it can't be enabled, only started (autostart = false)");
  if (service.restart !== "never" && service.restartBackoff !== "constant") {
    note(
      `each restart waits ${
        formatDuration(service.restartDelay)
      } (restart_backoff = "${service.restartBackoff}")`,
    );
  }
  if (service.dependsOn.length > 0) {
    note("it waits until what it depends on has started, not until that is healthy (depends_on)");
    const missing = service.dependsOn.filter((name) => !order.units.some((unit) => unit.name === name));
    if (missing.length > 0) note(`it depends on ${missing.join(", ")}, which this export leaves out`);
  }
  if (service.healthCheck !== undefined) {
    note(`nothing asks whether it is healthy (${probeWords(service.healthCheck)}): only its end restarts it`);
  }
  if (service.compose !== undefined) {
    note(`its container is run by docker compose as before, from ${service.compose.file}`);
  }
}
