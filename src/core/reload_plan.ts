import type { Config, HealthCheck, Service, Unit } from "../types.ts";

/** What a reload would change; names in alphabetical order. */
export interface ReloadPlan {
  added: string[];
  removed: string[];
  changed: ReloadChange[];
}

/** A unit whose definition changed, and the keys that did, as they stand in the file. */
export interface ReloadChange {
  name: string;
  reasons: string[];
}

/** Fields of a service that its processes depend on: a change of any other leaves them running. */
const untouching = new Set<string>([
  "description",
  "group",
  "apiTrigger",
  "notify",
  "hookTokens",
  "keepRuns",
  "keepFor",
  "instances",
  "autostart",
  "priority",
  "dependsOn",
  "failures",
  "exitCodes",
  "restart",
  "restartDelay",
  "restartBackoff",
  "startRetries",
  "healthCheck",
  "survive",
]);

/** Compares two checked configurations, unit by unit. Where a unit stands in its file does not matter. */
export function planReload(before: readonly Unit[], after: readonly Unit[]): ReloadPlan {
  const old = new Map(before.map((unit) => [unit.name, unit]));
  const fresh = new Map(after.map((unit) => [unit.name, unit]));
  const changed = after.flatMap((unit) => {
    const known = old.get(unit.name);
    const reasons = known === undefined ? [] : changesOf(known, unit).map(keyName);
    return reasons.length === 0 ? [] : [{ name: unit.name, reasons }];
  });
  return {
    added: after.filter(({ name }) => !old.has(name)).map(({ name }) => name).sort(),
    removed: before.filter(({ name }) => !fresh.has(name)).map(({ name }) => name).sort(),
    changed: changed.sort((a, b) => a.name < b.name ? -1 : 1),
  };
}

/** Whether a service's processes must be recycled to take its new definition. */
export function mustRecycle(before: Service, after: Service): boolean {
  return changesOf(before, after).some((field) => !untouching.has(field));
}

/** Keys of `[daemon]` that differ and take effect only with a restart, as they stand in the file. */
export function restartOnlyChanges(before: Config, after: Config): string[] {
  const keys = ["tls", "tlsCert", "tlsKey", "trustedProxies", "metrics", "metricsListen"] as const;
  return keys.filter((key) => !same(before.daemon[key], after.daemon[key])).map((key) =>
    `daemon.${keyName(key)}`
  );
}

/** Whether two health checks are the same. */
export function isSameCheck(before: HealthCheck | undefined, after: HealthCheck | undefined): boolean {
  return same(before, after);
}

function changesOf(before: Unit, after: Unit): string[] {
  if (before === after) return [];
  const fields = [
    ...Object.keys(after),
    ...Object.keys(before).filter((field) => !Object.hasOwn(after, field)),
  ];
  const isChanged = (field: string): boolean =>
    field !== "place" && !same(before[field as keyof Unit], after[field as keyof Unit]);
  return fields.filter(isChanged).sort();
}

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && same(a[key as keyof typeof a], b[key as keyof typeof b]));
}

/** `maxConcurrent` → `max_concurrent`. */
function keyName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
