/** Configurations from files that are texts in memory. */

import assert from "node:assert/strict";
import { matchesGlob } from "../../../src/core/config/glob.ts";
import { loadConfig, type LoadInput, type LoadResult } from "../../../src/core/config/load.ts";
import { parseYaml } from "../../../src/core/yaml.ts";
import { Fault } from "../../../src/fault.ts";
import type { Config, Problem, Service, Task } from "../../../src/types.ts";

/** Loads `/c/svc.toml` of a set of files; a text alone is that file. */
export function load(files: string | Record<string, string>, options: Partial<LoadInput> = {}): LoadResult {
  const all = new Map(Object.entries(typeof files === "string" ? { "/c/svc.toml": files } : files));
  return loadConfig({
    path: "/c/svc.toml",
    env: {},
    isRoot: false,
    read: (path) => {
      const text = all.get(path);
      if (text === undefined) throw new Fault("not_found", `cannot read "${path}": there is no such file`);
      return { text, bytes: new TextEncoder().encode(text) };
    },
    glob: (pattern) => ({ files: [...all.keys()].filter((path) => matchesGlob(path, pattern)).sort() }),
    hash: (bytes) => `hash of ${bytes.length}`,
    parseYaml,
    ...options,
  });
}

/** The configuration of files that have no errors. */
export function config(files: string | Record<string, string>, options: Partial<LoadInput> = {}): Config {
  const { config, errors } = load(files, options);
  assert.deepEqual(errors, []);
  assert.ok(config);
  return config;
}

/** One task of files without errors. */
export function task(
  files: string | Record<string, string>,
  options: Partial<LoadInput> & { name?: string } = {},
): Task {
  const { name = "t", ...input } = options;
  const unit = config(files, input).units.find((it) => it.name === name);
  assert.ok(unit?.kind === "task");
  return unit;
}

/** One service of files without errors. */
export function service(
  files: string | Record<string, string>,
  options: Partial<LoadInput> & { name?: string } = {},
): Service {
  const { name = "s", ...input } = options;
  const unit = config(files, input).units.find((it) => it.name === name);
  assert.ok(unit?.kind === "service");
  return unit;
}

/** Problems as short lines, `line:column key: message`, with the file's base name where it is not the root. */
export function lines(problems: Problem[]): string[] {
  return problems.map(({ file, line, column, key, message }) => {
    const where = file === "/c/svc.toml" ? "" : `${file.slice(file.lastIndexOf("/") + 1)} `;
    return `${where}${line}:${column} ${key}: ${message}`;
  });
}
