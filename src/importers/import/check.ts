import { loadConfig } from "../../core/config/load.ts";
import type { LoadInput } from "../../core/config/load_input.ts";
import { remarksOf } from "./account.ts";
import { type Imported, type ImportedUnit, Template, unitNames } from "./imported.ts";
import { noteInherited } from "./inherited.ts";
import { writeUnits } from "./toml.ts";

/** An import of which every unit loads, and the file that holds them; "" when none is left. */
export interface Checked {
  imported: Imported;
  text: string;
}

/**
 * Loads what an import would write by svc's own loader. A unit that does not load is refused in the loader's
 * words, and the others go on. `path` of the input is where the units will stand; `root` is a configuration
 * that includes it, absent when they stand alone.
 */
export function checkImported(
  imported: Imported,
  { input, head = [], root, timezone }: {
    input: LoadInput;
    head?: readonly string[];
    root?: RootFile;
    /** That of this machine, IANA. */
    timezone?: string;
  },
): Checked {
  let left = imported;
  for (;;) {
    if (left.broken !== undefined || left.units.length === 0) return { imported: left, text: "" };
    const { text, lines } = writeUnits(left.units, { head, remarks: remarksOf(left) });
    const { config, errors, needsYaml } = loadConfig(overlay(input, { text, root, units: left.units }));
    if (needsYaml) throw new TypeError("an import can only be checked by a loader that reads YAML");
    if (config !== undefined) {
      if (root === undefined) return { imported: left, text };
      const alone = loadConfig(overlay(input, { text, root: undefined, units: left.units })).config;
      const zone = config.daemon.timezone;
      const noted = noteInherited(left, {
        alone: alone?.units ?? [],
        within: config.units,
        timezone: zone === timezone ? undefined : zone,
      });
      return { imported: noted, text: writeUnits(noted.units, { head, remarks: remarksOf(noted) }).text };
    }
    const places = [...lines];
    const faults = new Map<string, string>();
    for (const { file, line, key, message } of errors) {
      const found = file === input.path ? unitAt(places, line) : undefined;
      if (found === undefined) {
        return { imported: { ...left, units: [], ...brokenBy(left, message) }, text: "" };
      }
      if (!faults.has(found)) faults.set(found, key === "" ? message : `${shortKey(key, found)}: ${message}`);
    }
    left = without(left, faults);
  }
}

/** The root file of a configuration, as it would be once it included what is imported. */
export interface RootFile {
  path: string;
  text: string;
}

function overlay(
  input: LoadInput,
  { text, root, units }: { text: string; root: RootFile | undefined; units: readonly ImportedUnit[] },
): LoadInput {
  const texts = new Map([
    [input.path, text],
    ...(root === undefined ? [] : [[root.path, root.text] as const]),
  ]);
  return {
    ...input,
    path: root?.path ?? input.path,
    // Whether the variables that a unit names are set is a matter of the machine where it will run.
    env: root === undefined ? { ...variablesOf(units), ...input.env } : input.env,
    read: (path) => {
      const own = texts.get(path);
      return own === undefined ? input.read(path) : { text: own, bytes: new Uint8Array() };
    },
  };
}

/** A value for each variable that templates name. */
function variablesOf(units: readonly ImportedUnit[]): Record<string, string> {
  const names: Record<string, string> = {};
  const walk = (value: unknown): void => {
    if (value instanceof Template) {
      for (const [, name = ""] of value.text.matchAll(/(?<!\$)\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g)) {
        names[name] = "1";
      }
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(walk);
  };
  for (const { settings } of units) walk(settings);
  return names;
}

/** The unit that stands at a line; the units come in the order of their lines. */
function unitAt(
  lines: readonly (readonly [string, { from: number; to: number }])[],
  line: number,
): string | undefined {
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.[1].to ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  const [name, { from, to } = { from: 0, to: 0 }] = lines[low] ?? [];
  return line >= from && line <= to ? name : undefined;
}

/** The key without the section and the unit, which the account names anyway. */
function shortKey(key: string, unit: string): string {
  const at = key.indexOf(unit);
  const rest = at < 0 ? key : key.slice(at + unit.length).replace(/^["\]]*\./, "");
  return rest === "" ? key : rest;
}

function brokenBy({ entries }: Imported, message: string): Pick<Imported, "broken"> {
  const [first] = entries;
  return { broken: { file: first?.file ?? "-", line: 0, why: `what it says can't be loaded: ${message}` } };
}

function without(imported: Imported, faults: ReadonlyMap<string, string>): Imported {
  const byUnit = new Map(
    imported.units.flatMap((unit) => unitNames(unit).map((name) => [name, faults.get(unit.name)] as const)),
  );
  return {
    ...imported,
    units: imported.units.filter(({ name }) => !faults.has(name)),
    entries: imported.entries.map((entry) => {
      const fault = entry.unit === undefined ? undefined : byUnit.get(entry.unit);
      if (fault === undefined) return entry;
      const { unit: _, ...rest } = entry;
      return { ...rest, fate: { is: "refused", why: fault } };
    }),
  };
}
