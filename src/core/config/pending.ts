import type { KeyPath, Report, Spot } from "./report.ts";
import { isTable, type SourceFile, type Table } from "./source.ts";

const idle = (what: string): string => `has no effect in this version: ${what}`;

/**
 * Keys that are read and checked but have no effect, or not all of it, in this version, each with what that means. `unit.KEY`
 * stands for a key of `[defaults]`, tasks and services; a bare word for a whole table.
 */
export const pending: ReadonlyMap<string, string> = new Map([
  ["compose", idle("no compose services are taken in")],
]);

/** Warns of each key that has no effect, or not all of it, yet: once, at its first place, with the number of places. */
export function warnOfPending(files: readonly SourceFile[], report: Report): void {
  if (pending.size === 0) return;
  const uses = new Map<string, Spot & { count: number }>();
  const note = (id: string, { file, path }: Spot): void => {
    if (!pending.has(id)) return;
    const use = uses.get(id);
    if (use === undefined) uses.set(id, { file, path, count: 1 });
    else use.count++;
  };
  for (const file of files) {
    for (const [section, value] of Object.entries(file.tree)) {
      note(section, { file: file.path, path: [section] });
      for (const key of isTable(value) ? Object.keys(value) : []) {
        note(`${section}.${key}`, { file: file.path, path: [section, key] });
      }
    }
    for (const [path, unit] of unitTables(file.tree)) {
      for (const key of Object.keys(unit)) note(`unit.${key}`, { file: file.path, path: [...path, key] });
    }
  }
  for (const [id, { file, path, count }] of uses) {
    const times = count === 1 ? "" : ` (used ${count} times)`;
    report.warning(
      { file, path },
      `"${path.at(-1)}" ${pending.get(id)}${times}`,
    );
  }
}

function* unitTables(tree: Table): Generator<[KeyPath, Table]> {
  if (isTable(tree["defaults"])) yield [["defaults"], tree["defaults"]];
  for (const section of ["tasks", "services"]) {
    const units = tree[section];
    if (!isTable(units)) continue;
    for (const [name, unit] of Object.entries(units)) {
      if (isTable(unit)) yield [[section, name], unit];
    }
  }
}
