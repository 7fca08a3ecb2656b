/** Imports files of the corpus, by everything that is pure: decoding, the importer, and svc's own loader. */

import assert from "node:assert/strict";
import { checkImported } from "../../../src/importers/import/check.ts";
import { decodeSource, noteForeign } from "../../../src/importers/import/decode.ts";
import {
  type Entry,
  type ImportContext,
  type Imported,
  type Importer,
  type SourceFile,
  unitNames,
} from "../../../src/importers/import/imported.ts";
import { loadConfig } from "../../../src/core/config/load.ts";
import type { LoadInput } from "../../../src/core/config/load_input.ts";
import type { Service, Task } from "../../../src/types.ts";
import { parseYaml } from "../../../src/core/yaml.ts";
import { Fault } from "../../../src/fault.ts";

/** A context in which nothing is known of the machine. */
export function contextOf(own: Partial<ImportContext> = {}): ImportContext {
  return { cores: 4, hostname: "app01", system: false, taken: new Set(), files: () => [], ...own };
}

/** A loader's input for a file that stands alone; `texts` are the files that there are. */
export function inputOf(path: string, texts: Record<string, string> = {}): LoadInput {
  return {
    path,
    env: {},
    read: (name) => {
      const text = texts[name];
      if (text === undefined) throw new Fault("not_found", `cannot read "${name}": there is no such file`);
      return { text, bytes: new TextEncoder().encode(text) };
    },
    glob: () => ({ files: [] }),
    hash: () => "",
    isRoot: true,
    parseYaml,
  };
}

/** What came of an import, and what svc reads from the file that it wrote. */
export interface Outcome {
  imported: Imported;
  text: string;
  /** The units by name, as the daemon has them. */
  tasks: Map<string, Task>;
  services: Map<string, Service>;
  /** The entry of a line; there is one. */
  at: (line: number) => Entry;
  /** The task that the entry of a line became. */
  task: (line: number) => Task;
  service: (line: number) => Service;
  /** Lines of entries by what became of them; settings are no entries here when `only` leaves them out. */
  lines: (fate: Entry["fate"]["is"], only?: (entry: Entry) => boolean) => number[];
}

/** Imports bytes or text, checks the result, and loads it as a daemon would. */
export function importAs(
  importer: Importer,
  source: Uint8Array | string,
  { path = "/srv/source", context = {}, also = [], env = {}, texts = {} }: {
    path?: string;
    context?: Partial<ImportContext>;
    /** Further files. */
    also?: readonly SourceFile[];
    /** The environment in which the result is loaded. */
    env?: Record<string, string>;
    /** Files that the result names, by path. */
    texts?: Record<string, string>;
  } = {},
): Outcome {
  const decoded = decodeSource(typeof source === "string" ? new TextEncoder().encode(source) : source);
  assert.ok("text" in decoded, "no text");
  const file: SourceFile = { path, text: decoded.text };
  const foreign = new Map(decoded.foreign.length === 0 ? [] : [[path, decoded.foreign]]);
  const raw = noteForeign(importer([file, ...also], contextOf(context)), foreign);
  const { imported, text } = checkImported(raw, {
    input: inputOf("/etc/svc/imported.toml", { ...texts, [path]: decoded.text }),
  });
  const files = { ...texts, [path]: decoded.text, "/etc/svc/imported.toml": text };
  const loaded = text === "" ? undefined : loadConfig({ ...inputOf("/etc/svc/imported.toml", files), env });
  assert.deepEqual(loaded?.errors ?? [], []);
  const units = loaded?.config?.units ?? [];
  const tasks = new Map(units.filter((unit) => unit.kind === "task").map((unit) => [unit.name, unit]));
  const services = new Map(units.filter((unit) => unit.kind === "service").map((unit) => [unit.name, unit]));
  assert.deepEqual(units.map(({ name }) => name).toSorted(), imported.units.flatMap(unitNames).toSorted());
  const at = (line: number): Entry => {
    const found = imported.entries.filter((entry) => entry.line === line);
    assert.equal(found.length, 1, `entries of line ${line}`);
    return found[0]!;
  };
  const unitOf = <T>(known: Map<string, T>, line: number): T =>
    known.get(at(line).unit ?? "") ?? assert.fail(`line ${line} became no unit: ${JSON.stringify(at(line))}`);
  return {
    imported,
    text,
    tasks,
    services,
    at,
    task: (line) => unitOf(tasks, line),
    service: (line) => unitOf(services, line),
    lines: (fate, only = () => true) =>
      imported.entries.filter((entry) => entry.fate.is === fate && only(entry)).map(({ line }) => line),
  };
}

/** The bytes of a file of the corpus. */
export function corpus(name: string): Uint8Array {
  return Deno.readFileSync(new URL(`../../corpus/${name}`, import.meta.url));
}

/** The notes of an entry, or why it was refused, in one text. */
export function told({ fate }: Entry): string {
  return fate.is === "noted" ? fate.notes.join("\n") : fate.is === "refused" ? fate.why : "";
}
