import { nearest } from "../nearest.ts";
import type { Site } from "./section.ts";
import { quoted } from "./values.ts";

/** A service as this check sees it. */
export interface Dependent {
  name: string;
  dependsOn: readonly string[];
  /** Starts with the daemon. */
  autostart: boolean;
  site: Site;
}

/**
 * Reports what `depends_on` may not say: an unknown name, a task, the service itself, a circle; and warns of one that
 * starts by itself, but waits for one that doesn't. `tasks` are names.
 */
export function checkDependencies(services: readonly Dependent[], tasks: ReadonlySet<string>): void {
  const byName = new Map(services.map((service) => [service.name, service]));
  for (const { name, dependsOn, autostart, site } of services) {
    for (const [index, wanted] of dependsOn.entries()) {
      const where = { file: site.file, path: [...site.path, "depends_on", index] };
      if (autostart && wanted !== name && byName.get(wanted)?.autostart === false) {
        site.report.warning(
          where,
          `${
            quoted(wanted)
          } does not start by itself (autostart = false), and this waits until somebody starts it`,
        );
      }
      const fault = wanted === name
        ? `${quoted(name)} can't wait for itself: remove it from depends_on`
        : byName.has(wanted)
        ? undefined
        : tasks.has(wanted)
        ? `${quoted(wanted)} is a task, and only services can be waited for`
        : () => unknown(wanted, byName.keys());
      if (fault !== undefined) {
        site.report.error(where, fault);
      }
    }
  }
  for (const circle of circles(byName)) {
    const [first = ""] = circle;
    const site = byName.get(first)?.site;
    site?.report.error(
      { file: site.file, path: [...site.path, "depends_on"] },
      `depends_on goes round in a circle: ${shortened([...circle, first]).join(" → ")}`,
    );
  }
}

/** A long list without its middle. */
function shortened(names: string[]): string[] {
  const left = names.length - 20;
  return left <= 0 ? names : [...names.slice(0, 10), `(${left} more)`, ...names.slice(-10)];
}

function unknown(name: string, services: Iterable<string>): string {
  const near = nearest(name, services);
  const hint = near === undefined ? ": define it, or remove it from depends_on" : `: did you mean "${near}"?`;
  return `no service is named ${quoted(name)}${hint}`;
}

/** One circle of names for each group of services that wait for one another, its first name the smallest. */
function circles(services: ReadonlyMap<string, Dependent>): string[][] {
  const found: string[][] = [];
  const told = new Set<string>();
  const done = new Set<string>();
  for (const start of [...services.keys()].sort()) {
    // An explicit stack: a chain may be longer than calls can nest.
    const trail: { name: string; next: number }[] = done.has(start) ? [] : [{ name: start, next: 0 }];
    const onTrail = new Map<string, number>([[start, 0]]);
    for (let top = trail.at(-1); top !== undefined; top = trail.at(-1)) {
      const wanted = services.get(top.name)?.dependsOn[top.next++];
      if (wanted === undefined) {
        done.add(top.name);
        onTrail.delete(top.name);
        trail.pop();
        continue;
      }
      const back = onTrail.get(wanted);
      if (back !== undefined) {
        const circle = trail.slice(back).map(({ name }) => name);
        if (circle.length === 1) continue;
        if (!circle.some((name) => told.has(name))) found.push(rotate(circle));
        for (const name of circle) told.add(name);
      } else if (services.has(wanted) && !done.has(wanted)) {
        onTrail.set(wanted, trail.length);
        trail.push({ name: wanted, next: 0 });
      }
    }
  }
  return found;
}

function rotate(circle: string[]): string[] {
  const first = circle.indexOf([...circle].sort()[0] ?? "");
  return [...circle.slice(first), ...circle.slice(0, first)];
}
