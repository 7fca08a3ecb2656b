import { type Entry, type Imported, type ImportedUnit, unitNames } from "./imported.ts";

/** How many entries of an import were taken as they stand, taken with a note, and not taken. */
export interface Counts {
  taken: number;
  noted: number;
  refused: number;
}

/** The counts of an import. */
export function countFates({ entries }: Imported): Counts {
  const counts: Counts = { taken: 0, noted: 0, refused: 0 };
  for (const { fate } of entries) counts[fate.is]++;
  return counts;
}

/** The account of an import as lines for people: what is broken, each note and refusal, and the counts. */
export function accountLines(imported: Imported): string[] {
  const { broken, units } = imported;
  if (broken !== undefined) return [`${place(broken)}: ${oneLine(broken.why)}; nothing is taken`];
  if (imported.entries.length === 0) return ["nothing to import stands there"];
  const { taken, noted, refused } = countFates(imported);
  const count = units.flatMap(unitNames).length;
  return [
    ...imported.entries.flatMap(tell),
    `${count} ${count === 1 ? "unit" : "units"} from ${taken + noted + refused} ` +
    `${taken + noted + refused === 1 ? "entry" : "entries"}: ${taken} taken, ${noted} taken with a note, ` +
    `${refused} not taken`,
  ];
}

/** The account of an import as JSON: an entry has `notes` or a reason, `why`, by its `fate`. */
export function accountJson(imported: Imported): object {
  const { units, entries, broken } = imported;
  return {
    ...(broken === undefined ? {} : { broken }),
    counts: countFates(imported),
    units: units.flatMap((unit) =>
      unitNames(unit).map((name) => ({ kind: unit.kind === "task" ? "task" : "service", name }))
    ),
    entries: entries.map(({ file, line, what, unit, fate }) => ({
      file,
      line,
      what,
      ...(unit === undefined ? {} : { unit }),
      fate: fate.is,
      ...(fate.is === "noted" ? { notes: fate.notes } : {}),
      ...(fate.is === "refused" ? { why: fate.why } : {}),
    })),
  };
}

/** For the units of an import the remarks that stand above them: where they come from, and what was noted. */
export function remarksOf({ entries }: Imported): (unit: ImportedUnit) => string[] {
  const byUnit = Map.groupBy(entries.filter(({ unit }) => unit !== undefined), ({ unit }) => unit);
  return (unit) =>
    unitNames(unit).flatMap((name) => byUnit.get(name) ?? []).flatMap((entry) => [
      `${place(entry)}: ${entry.what}`,
      ...(entry.fate.is === "noted" ? entry.fate.notes.map((note) => `  note: ${note}`) : []),
    ]);
}

function tell(entry: Entry): string[] {
  const { fate, what, unit } = entry;
  const head = `${place(entry)}: ${oneLine(what)}`;
  if (fate.is === "refused") return [`${head}: not taken: ${oneLine(fate.why)}`];
  const as = unit === undefined ? "taken" : `taken as ${unit}`;
  if (fate.is === "taken") return [`${head}: ${as}`];
  return [`${head}: ${as}, with a note`, ...fate.notes.map((note) => `  ${oneLine(note)}`)];
}

function place({ file, line }: { file: string; line: number }): string {
  const name = file === "-" ? "standard input" : file;
  return line > 0 ? `${name}:${line}` : name;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n]+\s*/g, " ");
}
