import type { KeyPath, Report, Spot } from "./report.ts";
import { isTable, type SourceFile, type Table } from "./source.ts";

/**
 * Keys that are read and checked but have no effect in this version, each with what that means. `unit.KEY`
 * stands for a key of `[defaults]`, tasks and services; a bare word for a whole table.
 */
export const pending: ReadonlyMap<string, string> = new Map([
  ["unit.jitter", "starts are not spread"],
  ["unit.limits", "runs are not limited"],
  ["unit.health_check", "health is judged by healthy_after alone"],
  ["unit.depends_on", "services don't wait for one another"],
  ["unit.hook_tokens", "there are no hook routes"],
  ["unit.notify", "no notifications are sent"],
  ["unit.expect_every", "no notice is given"],
  ["unit.warn_after", "no notice is given"],
  ["unit.ping_url", "nothing is called"],
  ["unit.failures.output", "output is not searched for failures"],
  ["daemon.metrics", "no metrics are served"],
  ["daemon.metrics_listen", "no metrics are served"],
  ["daemon.tls", "the daemon speaks plain HTTP"],
  ["daemon.tls_cert", "the daemon speaks plain HTTP"],
  ["daemon.tls_key", "the daemon speaks plain HTTP"],
  ["daemon.trusted_proxies", "forwarding headers are not believed"],
  ["storage.max_size", "the total of all logs is not capped"],
  ["storage.min_free_space", "free space is not watched"],
  ["notify", "no notifications are sent"],
  ["notifiers", "no notifications are sent"],
  ["route", "no notifications are sent"],
  ["compose", "no compose services are taken in"],
]);

/** Warns of each key that has no effect yet: once, at its first place, with the number of places. */
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
      const { failures } = unit;
      if (Array.isArray(failures) && failures.some((item) => String(item).startsWith("output:"))) {
        note("unit.failures.output", { file: file.path, path: [...path, "failures"] });
      }
    }
  }
  for (const [id, { file, path, count }] of uses) {
    const name = id === "unit.failures.output" ? '"output:"' : `"${path.at(-1)}"`;
    const times = count === 1 ? "" : ` (used ${count} times)`;
    report.warning({ file, path }, `${name} has no effect in this version: ${pending.get(id)}${times}`);
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
