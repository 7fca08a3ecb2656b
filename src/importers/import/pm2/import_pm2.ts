import { folderOf } from "../../../core/config/path.ts";
import {
  type Entry,
  type ImportContext,
  type Imported,
  type ImportedUnit,
  type SourceFile,
  takenWith,
} from "../imported.ts";
import { UnitNames } from "../names.ts";
import { shortLine } from "../short_line.ts";
import { readApp } from "./app.ts";
import { Evaluator } from "./evaluate.ts";
import { AppFault } from "./fields.ts";
import { type Module, readModule } from "./module.ts";
import { lineOf } from "./scope.ts";
import { Dict, List, Unread, type Value } from "./value.ts";

/** Makes services of the apps of ecosystem files, and tasks of those that run by the clock; nothing is run. */
export function importPm2(files: readonly SourceFile[], context: ImportContext): Imported {
  const names = new UnitNames(context.taken);
  const read = files.map((file) => readFile(file, { context, names }));
  const broken = read.find((one) => one.broken !== undefined)?.broken;
  if (broken !== undefined) return { units: [], entries: [], broken };
  return { units: read.flatMap(({ units }) => units), entries: read.flatMap(({ entries }) => entries) };
}

function readFile(
  file: SourceFile,
  { context, names }: { context: ImportContext; names: UnitNames },
): Imported {
  const { path, text } = file;
  const broken = (line: number, why: string): Imported => ({
    units: [],
    entries: [],
    broken: { file: path, line, why },
  });
  if (/\.ya?ml$/.test(path)) return broken(0, "YAML of pm2 is not read: write it as JSON or JavaScript");
  const module = readModule(text, { isJson: isJson(file) });
  if ("why" in module) return broken(module.line, module.why);
  const evaluator = new Evaluator(module.scope, path === "-" ? undefined : path);
  let found: Found | { line: number; why: string };
  try {
    found = appsOf(module, evaluator);
  } catch (error) {
    if (error instanceof RangeError) return broken(0, "it nests too deeply");
    throw error;
  }
  if ("why" in found) return broken(found.line, found.why);
  const units: ImportedUnit[] = [];
  const entries: Entry[] = found.others.map(({ key, line }) => ({
    file: path,
    line,
    what: key,
    fate: { is: "refused", why: otherKeys.get(key) ?? "it is no key that is known here: apps is" },
  }));
  for (const { line, text } of module.calls) {
    entries.push({
      file: path,
      line,
      what: shortLine(text),
      fate: { is: "refused", why: "the file is read, never run" },
    });
  }
  const folder = path === "-" ? undefined : folderOf(path);
  for (const { value, line } of found.apps) {
    if (value instanceof Unread) {
      const what = value.names.length === 0
        ? "apps"
        : value.names.slice(0, 10).map((name) => `app ${name}`).join(", ");
      entries.push({
        file: path,
        line,
        what,
        fate: { is: "refused", why: `${value.why}: it is read, never run` },
      });
      continue;
    }
    const what = `app ${nameOf(value)}`;
    if (!(value instanceof Dict)) {
      entries.push({ file: path, line, what: "app", fate: { is: "refused", why: "an object is due" } });
      continue;
    }
    try {
      const { kind, name: wanted, settings, notes } = readApp(value, { folder, context });
      const { name, note } = names.given(wanted);
      units.push({ kind, name, settings });
      entries.push({
        file: path,
        line,
        what,
        unit: name,
        fate: takenWith([...(note === undefined ? [] : [note]), ...notes]),
      });
    } catch (error) {
      if (!(error instanceof AppFault)) throw error;
      entries.push({ file: path, line, what, fate: { is: "refused", why: error.message } });
    }
  }
  return { units, entries: entries.sort((a, b) => a.line - b.line) };
}

interface Found {
  apps: { value: Value; line: number }[];
  /** Keys beside that of the apps. */
  others: { key: string; line: number }[];
}

/** The apps of what a file exports: a list, an object with one, or one app. */
function appsOf({ exported, keys }: Module, evaluator: Evaluator): Found | { line: number; why: string } {
  const line = lineOf(exported);
  const value = evaluator.read(exported);
  const none = { line, why: "it is no ecosystem file: { apps: [...] }, a list of apps or one app is due" };
  if (value instanceof Unread) return { line: value.line, why: `${value.why}: it is read, never run` };
  if (value instanceof List) return { apps: [...value.items], others: [] };
  if (!(value instanceof Dict)) return none;
  for (const { key, value: own, line } of keys) value.entries.set(key, { value: evaluator.read(own), line });
  const [unread] = value.unread;
  const apps = value.entries.get("apps") ?? value.entries.get("pm2");
  if (apps === undefined) {
    if (unread !== undefined) return { line: unread.line, why: `${unread.why}: it is read, never run` };
    const isApp = ["script", "cmd", "command"].some((key) => value.entries.has(key));
    return isApp ? { apps: [{ value, line }], others: [] } : none;
  }
  const others = [...value.entries].filter(([, entry]) => entry !== apps)
    .map(([key, entry]) => ({ key, line: entry.line }));
  const list = apps.value instanceof List ? [...apps.value.items] : [{ value: apps.value, line: apps.line }];
  return { apps: list, others };
}

function nameOf(value: Value): string {
  if (!(value instanceof Dict)) return "";
  const name = value.entries.get("name")?.value;
  if (typeof name === "string") return shortLine(name);
  const script = value.entries.get("script")?.value;
  return typeof script === "string" ? shortLine(script) : "without a name";
}

/** JSON, by its name, or because it begins like that. */
function isJson({ path, text }: SourceFile): boolean {
  if (/\.json5?$/.test(path)) return true;
  if (/\.[a-z]+$/.test(path)) return false;
  let at = 0;
  for (;;) {
    while (/\s/.test(text[at] ?? "")) at++;
    const end = text.startsWith("//", at)
      ? text.indexOf("\n", at)
      : text.startsWith("/*", at)
      ? text.indexOf("*/", at + 2) + 1
      : 0;
    if (end <= 0) return /[[{]/.test(text[at] ?? "");
    at = end + 1;
  }
}

const otherKeys: ReadonlyMap<string, string> = new Map([
  ["deploy", "svc deploys nothing"],
  ["include", "other files are not read: name them"],
]);
