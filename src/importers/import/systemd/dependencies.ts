import type { Entry, ImportedUnit } from "../imported.ts";
import type { Ledger } from "./ledger.ts";
import { allOf, type UnitFile } from "./unit_file.ts";

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
        const names = one.value.split(/\s+/).filter((name) => name !== service.name);
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
