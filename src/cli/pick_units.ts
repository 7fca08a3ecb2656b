import { faultOfGlob, hasWildcard } from "../core/config/glob.ts";
import { segmentPattern } from "../core/config/glob_segment.ts";
import { nearest } from "../core/nearest.ts";
import { Fault } from "../fault.ts";

/**
 * The units that names and globs mean, each once, in order of the patterns. Throws `Fault` not_found for the
 * first name that no unit has, with the nearest known one, and for a glob that matches nothing.
 */
export function pickUnits<Named extends { name: string }>(
  units: readonly Named[],
  patterns: readonly string[],
): Named[] {
  const picked = new Set<Named>();
  for (const pattern of patterns) {
    if (!hasWildcard(pattern)) {
      const unit = units.find(({ name }) => name === pattern);
      if (unit === undefined) throw unknownUnit(pattern, units);
      picked.add(unit);
      continue;
    }
    const fault = faultOfGlob(pattern);
    if (fault !== undefined) throw new Fault("invalid", `cannot pick units by a glob that ${fault}`);
    const matches = segmentPattern(pattern);
    const found = units.filter(({ name }) => matches.test(name));
    if (found.length === 0) {
      throw new Fault("not_found", `no unit matches "${pattern}": "svc list" shows all`);
    }
    for (const unit of found) picked.add(unit);
  }
  return [...picked];
}

function unknownUnit(name: string, units: readonly { name: string }[]): Fault {
  const close = nearest(name, units.map((unit) => unit.name));
  const hint = close === undefined ? '"svc list" shows all' : `did you mean "${close}"?`;
  return new Fault("not_found", `no unit "${name}": ${hint}`);
}
