import type { Unit } from "../../types.ts";
import { type Imported, takenWith } from "./imported.ts";

/** What units are alone, and what they are within a configuration. */
export interface Both {
  alone: readonly Unit[];
  within: readonly Unit[];
  /** The zone that `[daemon]` names, where it is not that of the machine. */
  timezone?: string | undefined;
}

/** An import with notes of what its units get from the configuration around them, which what is imported had not. */
export function noteInherited(imported: Imported, { alone, within, timezone }: Both): Imported {
  const before = new Map(alone.map((unit) => [unit.name, unit]));
  const notes = new Map(within.flatMap((unit) => {
    const own = before.get(unit.name);
    if (own === undefined) return [];
    const keys = changedKeys(own, unit);
    return [[unit.name, [
      ...(keys.length === 0 ? [] : [`[defaults] of the configuration changes it: ${keys.join(", ")}`]),
      ...(timezone !== undefined && unit.kind === "task" && unit.cron !== undefined &&
          unit.timezone === undefined
        ? [`its schedule follows timezone = ${JSON.stringify(timezone)} of [daemon]`]
        : []),
    ]]];
  }));
  return {
    ...imported,
    entries: imported.entries.map((entry) => {
      const more = entry.unit === undefined ? undefined : notes.get(entry.unit);
      if (more === undefined || more.length === 0 || entry.fate.is === "refused") return entry;
      // Told once, with what comes first of a unit.
      notes.delete(entry.unit ?? "");
      return { ...entry, fate: takenWith([...(entry.fate.is === "noted" ? entry.fate.notes : []), ...more]) };
    }),
  };
}

/** Keys of svc itself, for which nothing that is imported has a counterpart: there defaults are what is wanted. */
const own: ReadonlySet<string> = new Set([
  ..."place name description group apiTrigger hookTokens notify".split(" "),
  ..."keepRuns keepFor logMaxSize logOnFull".split(" "),
]);

function changedKeys(before: Unit, after: Unit): string[] {
  const values = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after).flatMap(([key, value]) => {
    const name = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (key === "env" || key === "secrets") {
      const variables = Object.keys(after[key]).filter((variable) =>
        before[key][variable] !== after[key][variable]
      );
      return variables.length === 0 ? [] : [`${name} (${variables.join(", ")})`];
    }
    return own.has(key) || JSON.stringify(value) === JSON.stringify(values.get(key)) ? [] : [name];
  });
}
