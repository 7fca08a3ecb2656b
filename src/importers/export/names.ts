import type { Unit } from "../../types.ts";
import type { Account } from "./exported.ts";

/** The longest name: what Kubernetes takes for a CronJob, which adds to it. */
const longest = 52;

/** DNS labels for units, each its own; those that had to change are told. Pass all units, so that a name stays the same whatever is exported. */
export function dnsNames(units: readonly Unit[], account: Account): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  // Who has a good name keeps it.
  const isGood = ({ name }: Unit) => labelOf(name) === name;
  for (const unit of [...units.filter(isGood), ...units.filter((unit) => !isGood(unit))]) {
    const label = labelOf(unit.name);
    let name = label;
    for (let n = 2; taken.has(name); n++) {
      const tail = `-${n}`;
      name = label.slice(0, longest - tail.length).replace(/-+$/, "") + tail;
    }
    taken.add(name);
    names.set(unit.name, name);
    if (name !== unit.name) account.note(unit, `it is called "${name}" there, where names are DNS labels`);
  }
  return names;
}

function labelOf(name: string): string {
  const label = name.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, longest).replace(/^-+|-+$/g, "");
  return label === "" ? "unit" : label;
}
