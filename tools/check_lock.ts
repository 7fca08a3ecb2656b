/**
 * Checks without a network that the packages of the project are those of deno.lock and no others; prints what is wrong
 * and exits 1. Deno checks the same when it resolves, and each package against its hash when it fetches.
 */
import { walkFiles } from "./walk_files.ts";

/** What of deno.json decides where code comes from. */
export interface LockedConfig {
  imports: Record<string, string>;
  lock?: { frozen?: boolean };
}

/** What a lock file of version 5 says of one package. */
export interface LockedPackage {
  integrity?: string;
  dependencies?: string[];
  optionalDependencies?: string[];
  optionalPeers?: string[];
  scripts?: boolean;
}

/** A lock file of version 5; what code of other origins would add to it goes by other keys. */
export interface LockFile {
  version: string;
  specifiers: Record<string, string>;
  npm: Record<string, LockedPackage>;
  workspace: { dependencies: string[] };
}

/** All that is wrong, a line each. `sources` are texts of the project's own scripts by their paths. */
export function lockFaults(
  config: LockedConfig,
  lock: LockFile,
  { sources }: { sources: ReadonlyMap<string, string> },
): string[] {
  return [
    ...config.lock?.frozen === true ? [] : [`deno.json: "lock" must have "frozen": true`],
    ...importFaults(config, lock),
    ...packageFaults(lock),
    ...[...sources].flatMap(([path, text]) =>
      remoteImports(text).map((from) => `${path}: imports "${from}"`)
    ),
  ];
}

/** Packages are named in deno.json alone, each at one version, and deno.lock has the same list. */
function importFaults({ imports }: LockedConfig, lock: LockFile): string[] {
  const faults: string[] = [];
  const wanted = new Set(Object.values(imports));
  for (const [name, from] of Object.entries(imports)) {
    const version = /^npm:(?:@[\w.-]+\/)?[\w.-]+@(\d+\.\d+\.\d+(?:-[\w.]+)?)$/.exec(from)?.[1];
    if (version === undefined) {
      faults.push(`deno.json: "${name}" is "${from}": give npm:NAME@ and an exact version`);
      continue;
    }
    const resolved = lock.specifiers[from];
    if (resolved === undefined) faults.push(`deno.lock: has no "${from}", which deno.json names`);
    else if (resolved.split("_")[0] !== version) faults.push(`deno.lock: has ${resolved} for "${from}"`);
    if (!lock.workspace.dependencies.includes(from)) {
      faults.push(`deno.lock: its workspace has no "${from}", which deno.json names`);
    }
  }
  for (const from of new Set([...Object.keys(lock.specifiers), ...lock.workspace.dependencies])) {
    if (!wanted.has(from)) faults.push(`deno.lock: has "${from}", which deno.json does not name`);
  }
  return faults;
}

/** Everything comes from npm by a hash, is wanted by something, and runs no script of its own when it is installed. */
function packageFaults(lock: LockFile): string[] {
  const faults: string[] = [];
  if (lock.version !== "5") faults.push(`deno.lock: is of version ${lock.version}: mend tools/check_lock.ts`);
  for (const key of Object.keys(lock)) {
    if (!["version", "specifiers", "npm", "workspace"].includes(key)) faults.push(`deno.lock: has "${key}"`);
  }
  const reached = reachedPackages(lock);
  for (const id of reached) if (lock.npm[id] === undefined) faults.push(`deno.lock: has no package ${id}`);
  for (const [id, { integrity, scripts }] of Object.entries(lock.npm)) {
    if (!/^sha512-[\w+/]{86}==$/.test(integrity ?? "")) faults.push(`deno.lock: ${id} has no sha512`);
    if (scripts) faults.push(`deno.lock: ${id} has scripts that run when it is installed`);
    if (!reached.has(id)) faults.push(`deno.lock: nothing needs ${id}`);
  }
  return faults;
}

/** The packages that deno.json's lead to; one that has a single version is named without it. */
function reachedPackages({ specifiers, npm }: LockFile): Set<string> {
  const byName = Map.groupBy(Object.keys(npm), (id) => id.slice(0, id.indexOf("@", 1)));
  const reached = new Set<string>();
  const waiting = Object.entries(specifiers).map(([from, version]) =>
    `${from.slice("npm:".length, from.lastIndexOf("@"))}@${version}`
  );
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    const { dependencies = [], optionalDependencies = [], optionalPeers = [] } = npm[id] ?? {};
    for (const needed of [...dependencies, ...optionalDependencies, ...optionalPeers]) {
      waiting.push(needed.includes("@", 1) ? needed : byName.get(needed)?.[0] ?? needed);
    }
  }
  return reached;
}

/** What a script imports past deno.json. */
function remoteImports(text: string): string[] {
  const imports =
    /^\s*(?:import|export)\b[^"'`;=()]*["']((?:https?|jsr|npm):[^"']*)["']|\bimport\(\s*["'`]((?:https?|jsr|npm):[^"'`]*)/gm;
  return [...text.matchAll(imports)].map(([, named, called]) => named ?? called ?? "");
}

/** The scripts that are the program or build it, by their paths; those of tests try what is refused. */
async function readScripts(): Promise<Map<string, string>> {
  const paths = [
    "main.ts",
    ...(await Promise.all(["src", "ui", "tools"].map((one) => walkFiles(one)))).flat(),
  ]
    .filter((path) => /\.(?:tsx?|m?js)$/.test(path));
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await Deno.readTextFile(path)] as const)),
  );
}

if (import.meta.main) {
  const [config, lock] = await Promise.all(["deno.json", "deno.lock"].map((path) => Deno.readTextFile(path)));
  const faults = lockFaults(JSON.parse(config!), JSON.parse(lock!), { sources: await readScripts() });
  for (const fault of faults) Deno.stderr.writeSync(new TextEncoder().encode(`${fault}\n`));
  Deno.exitCode = faults.length > 0 ? 1 : 0;
}
