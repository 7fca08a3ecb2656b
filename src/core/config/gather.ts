import type { UnitKind } from "../../types.ts";
import type { KeyPath, Report } from "./report.ts";
import { unknownKey } from "./section.ts";
import { isTable, type SourceFile } from "./source.ts";
import { describe, quoted } from "./values.ts";

/** A raw value and where it stands. */
export interface Found {
  file: string;
  path: KeyPath;
  raw: unknown;
}

/** A raw table that has a name. */
export interface Named extends Found {
  name: string;
}

/** The parts of a configuration over all of its files, unread. */
export interface Gathered {
  daemon?: Found;
  storage?: Found;
  defaults?: Found;
  notify?: Found;
  units: (Named & { kind: UnitKind })[];
  notifiers: Named[];
  compose: Named[];
  routes: Found[];
}

/** The pattern of the names of units, notifiers and compose aliases. */
export const NAME_PATTERN = "^[a-zA-Z0-9][a-zA-Z0-9._:-]{0,99}$";

const singles = ["daemon", "storage", "defaults", "notify"] as const;
const sections = [...singles, "tasks", "services", "compose", "notifiers", "route"];

/** Collects the parts of all files; a part or a name that stands in two places is reported at the second. */
export function gather(files: readonly SourceFile[], report: Report): Gathered {
  const units = new Map<string, Named & { kind: UnitKind }>();
  const notifiers = new Map<string, Named>();
  const compose = new Map<string, Named>();
  const gathered: Gathered = { units: [], notifiers: [], compose: [], routes: [] };
  for (const { path: file, tree } of files) {
    for (const key of Object.keys(tree)) {
      if (!sections.includes(key)) report.error({ file, path: [key] }, () => unknownKey(key, sections));
    }
    for (const key of singles) {
      if (!Object.hasOwn(tree, key)) continue;
      const first = gathered[key];
      if (first === undefined) gathered[key] = { file, path: [key], raw: tree[key] };
      else {report.error(
          { file, path: [key] },
          `[${key}] is defined in ${first.file} already: keep one of the two`,
        );}
    }
    for (const [section, kind] of [["tasks", "task"], ["services", "service"]] as const) {
      for (const found of namedTables(file, { tree, section, report })) {
        const first = units.get(found.name);
        if (first === undefined) units.set(found.name, { ...found, kind });
        else {
          const where = first.file === file ? "in the same file" : `in ${first.file}`;
          const message = `"${found.name}" is defined twice: as a ${first.kind} ${where}, and as a ${kind} ` +
            `in ${file}: rename or remove one`;
          report.error({ file, path: found.path }, message);
        }
      }
    }
    for (const [section, known] of [["notifiers", notifiers], ["compose", compose]] as const) {
      for (const found of namedTables(file, { tree, section, report })) {
        const first = known.get(found.name);
        if (first === undefined) known.set(found.name, found);
        else {
          const message =
            `[${section}.${found.name}] is defined in ${first.file} and in ${file}: keep one of the two`;
          report.error({ file, path: found.path }, message);
        }
      }
    }
    gathered.routes.push(...routesOf(file, { tree, report }));
  }
  gathered.units.push(...units.values());
  gathered.notifiers.push(...notifiers.values());
  gathered.compose.push(...compose.values());
  return gathered;
}

const name = new RegExp(NAME_PATTERN);

function namedTables(
  file: string,
  { tree, section, report }: { tree: SourceFile["tree"]; section: string; report: Report },
): Named[] {
  if (!Object.hasOwn(tree, section)) return [];
  const tables = tree[section];
  if (!isTable(tables)) {
    report.error(
      { file, path: [section] },
      `expected a table of tables, as in [${section}.NAME], got ${describe(tables)}`,
    );
    return [];
  }
  return Object.keys(tables).map((key) => {
    const path = [section, key];
    if (!name.test(key)) {
      report.error(
        { file, path },
        `${
          quoted(key)
        } is no valid name: use 1 to 100 letters, digits and . _ : -, beginning with a letter or digit`,
      );
    }
    return { file, path, raw: tables[key], name: key };
  });
}

function routesOf(
  file: string,
  { tree, report }: { tree: SourceFile["tree"]; report: Report },
): Found[] {
  if (!Object.hasOwn(tree, "route")) return [];
  const routes = tree["route"];
  if (!Array.isArray(routes)) {
    report.error(
      { file, path: ["route"] },
      `expected a list of tables, as in [[route]], got ${describe(routes)}`,
    );
    return [];
  }
  return routes.map((raw, index) => ({ file, path: ["route", index], raw }));
}
