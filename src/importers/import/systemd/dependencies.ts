import { type Entry, type ImportedUnit, takenWith } from "../imported.ts";
import { isBootTarget, isNoStart } from "./boot_targets.ts";
import type { Ledger } from "./ledger.ts";
import { allOf, startersOf, type UnitFile } from "./unit_file.ts";

/** What a service file became, with the timers that start it. */
export interface Made {
  service: UnitFile;
  units: ImportedUnit[];
  /** The account of the service as a whole. */
  own: Entry[];
  /** Those of its schedules, and of lines that can't be read. */
  entries: Entry[];
  ledgers: Ledger[];
}

/** Tells what a timer waits for. */
export function tellTimerOrder(timer: UnitFile, ledger: Ledger): void {
  for (const key of ["After", "Wants", "Requires", "BindsTo", "Requisite"]) {
    for (const one of allOf(timer, "Unit", key)) {
      const own = timer.name.replace(/\.timer$/, ".service");
      const names = one.value.split(/\s+/).filter((name) => name !== own && !isBootTarget(name));
      if (names.length > 0) {
        ledger.refuse(one, "a schedule of svc waits for nothing, and starts nothing else");
      }
    }
  }
}

/**
 * Leaves to a start by hand what nothing starts at boot: what is not enabled by [Install], and is not started along
 * with something that is.
 */
export function leaveToHand(made: readonly Made[]): void {
  const services = new Map(
    made.filter(({ units: [unit] }) => unit?.kind === "service").map((one) =>
      [one.service.name, one] as const
    ),
  );
  const open = [...services.values()].filter(({ service }) =>
    startersOf(service).some((name) => !isNoStart(name))
  );
  const started = new Set<string>();
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (started.has(one.service.name)) continue;
    started.add(one.service.name);
    const names = ["Wants", "Requires", "BindsTo", "Upholds"].flatMap((key) =>
      allOf(one.service, "Unit", key)
    )
      .flatMap(({ value }) => value.split(/\s+/));
    for (const name of names) open.push(...[services.get(name)].filter((next) => next !== undefined));
  }
  const byHand = new Set(
    [...services.values()].filter(({ service }) => !started.has(service.name)).map(({ units: [unit] }) =>
      unit?.name
    ),
  );
  for (const { service, units: [unit], own: [entry] } of services.values()) {
    if (unit === undefined || entry === undefined) continue;
    dropIdle(unit, { service, services, byHand });
    if (started.has(service.name)) continue;
    unit.settings["autostart"] = false;
    const starters = startersOf(service);
    const why = starters.length === 0
      ? "it has no WantedBy in [Install], so systemd does not start it at boot unless something else does"
      : `${starters.join(" ")} has no counterpart here`;
    entry.fate = takenWith([
      ...(entry.fate.is === "noted" ? entry.fate.notes : []),
      `${why}: it starts by request alone (autostart = false)`,
    ]);
  }
}

/** Leaves out what is waited for only if it starts as well (After=), and does not. */
function dropIdle(
  unit: ImportedUnit,
  { service, services, byHand }: {
    service: UnitFile;
    services: ReadonlyMap<string, Made>;
    byHand: ReadonlySet<string | undefined>;
  },
): void {
  const needs = unit.settings["depends_on"];
  if (!Array.isArray(needs)) return;
  const wanted = new Set(
    ["Requires", "BindsTo", "Requisite", "Wants"].flatMap((key) => allOf(service, "Unit", key))
      .flatMap(({ value }) => value.split(/\s+/)).map((name) => services.get(name)?.units[0]?.name),
  );
  const kept = needs.filter((name: string) => wanted.has(name) || !byHand.has(name));
  if (kept.length > 0) unit.settings["depends_on"] = kept;
  else delete unit.settings["depends_on"];
}

/** Ties services to those that they need, where both were taken; the rest is told. `known` are all unit files. */
export function tieServices(made: readonly Made[], known: ReadonlySet<string>): void {
  const services = new Map(
    made.flatMap(({ service, units: [unit] }) =>
      unit?.kind === "service" ? [[service.name, unit.name] as const] : []
    ),
  );
  for (const { service, units, ledgers: [ledger] } of made) {
    const [unit] = units;
    if (unit === undefined || ledger === undefined) continue;
    const needs = new Set<string>();
    const wanted = new Set(
      ["Requires", "BindsTo", "Requisite", "Wants"].flatMap((key) => allOf(service, "Unit", key))
        .flatMap(({ value }) => value.split(/\s+/)),
    );
    for (const key of ["After", "Requires", "BindsTo", "Requisite", "Wants"]) {
      for (const one of allOf(service, "Unit", key)) {
        const names = one.value.split(/\s+/).filter((name) => name !== service.name && !isBootTarget(name));
        const strange = names.filter((name) => !known.has(name));
        const taken = names.flatMap((name) => services.get(name) ?? []);
        if (strange.length > 0) {
          ledger.refuse(one, `not imported, so nothing waits for it: ${strange.join(", ")}`);
        }
        if (unit.kind === "task") {
          if (taken.length > 0) ledger.refuse(one, "a task of svc waits for no service");
          continue;
        }
        if (key === "Wants") continue;
        for (const name of taken) needs.add(name);
        if (key === "After" && names.some((name) => services.has(name) && !wanted.has(name))) {
          ledger.note(one, "depends_on is more than an order: it starts once these are healthy");
        }
      }
    }
    if (needs.size > 0) unit.settings["depends_on"] = [...needs];
  }
}
