import { sha256 } from "@noble/hashes/sha2.js";
import { createContext } from "../core/config/context.ts";
import { globsToExpand } from "../core/config/files.ts";
import { loadConfig } from "../core/config/load.ts";
import type { GlobMatches, LoadInput, LoadResult, ReadFile } from "../core/config/load_input.ts";
import { Fault, messageOf } from "../fault.ts";
import { expandGlob, expandGlobs } from "./glob_walk.ts";
import { absolutePath } from "./machine_places.ts";
import { isInPath } from "./process/launch_checks.ts";
import { knowsPipefail } from "./shell_options.ts";
import { restoreProgram } from "./restore_program.ts";
import { readRegular } from "./read_regular.ts";
import { distrusted, ownUid, readWithoutLinks, wordsOf } from "./trust.ts";

/** The largest file that is read as configuration, in bytes. */
export const MAX_CONFIG_BYTES = 8 * 1024 * 1024;

/**
 * Loads and checks the configuration of a root file on the real file system; `env` (the process's) fills `${VAR}`.
 * `input` stands for what the root file holds, which then need not be there.
 */
export async function loadConfigFile(
  path: string,
  options: { env?: Record<string, string>; isRoot?: boolean; input?: Uint8Array } = {},
): Promise<LoadResult> {
  const { env = Deno.env.toObject(), isRoot = ownUid() === 0, input: given } = options;
  const root = absolutePath(path);
  const isGiven = (path: string): boolean => given !== undefined && path === root;
  const home = env["HOME"];
  let found: ReadonlyMap<string, GlobMatches> = new Map();
  const input: LoadInput = {
    path: root,
    env,
    read: (path) =>
      isGiven(path) ? readable(given!, path) : readConfigFile(path, isRoot ? { asRoot: true } : {}),
    // What was included only since then is looked for at once.
    glob: (glob) => found.get(glob) ?? expandGlob(glob),
    hash: hashBytes,
    isRoot,
    ...(isRoot && { distrust: (path) => isGiven(path) ? undefined : distrustByRoot(path) }),
    hasProgram: (name) => isInPath(name, env["PATH"] ?? ""),
    knowsPipefail: (shell) => knowsPipefail(shell, env["PATH"] ?? ""),
    ...(home !== undefined && home.startsWith("/") && { home }),
  };
  // To walk through folders may take long, and a load is done in one go.
  const globs = globsToExpand(createContext(input));
  if (globs.length > 0) found = await expandGlobs(globs);
  const result = loadConfig(input);
  if (result.needsYaml === undefined) return result;
  // The reader of YAML is as large as the rest: only who names compose files has it.
  await restoreProgram();
  const { parseYaml } = await import("../core/yaml.ts");
  return loadConfig({ ...input, parseYaml });
}

/**
 * The text and bytes of a configuration file; a Fault says in one line why one can't be used. Root reads by no link of
 * another user's.
 */
export function readConfigFile(
  path: string,
  { asRoot = false }: { asRoot?: boolean } = {},
): ReturnType<ReadFile> {
  try {
    const bytes = asRoot ? readWithoutLinks(path, MAX_CONFIG_BYTES, 0) : readRegular(path, MAX_CONFIG_BYTES);
    if (bytes === "folder") throw new Fault("invalid", `cannot read "${path}": it is a folder`);
    if (bytes === "irregular") throw irregular(path);
    if (bytes === "too large") throw tooLarge(path);
    return readable(bytes, path);
  } catch (thrown) {
    if (thrown instanceof Fault) throw thrown;
    throw unreadable(path, thrown);
  }
}

/** What a file holds, as far as it is text of a size that is read. Throws `Fault`. */
function readable(bytes: Uint8Array, path: string): { text: string; bytes: Uint8Array } {
  if (bytes.length > MAX_CONFIG_BYTES) throw tooLarge(path);
  return { text: decode(bytes, path), bytes };
}

/** Why root can't believe what lies at a path; undefined where it can. Throws `Fault` for what is no file. */
function distrustByRoot(path: string): string | undefined {
  if (isIrregular(path)) throw irregular(path);
  const distrust = distrusted(path, 0);
  return distrust && wordsOf(distrust, path);
}

/** SHA-256 of bytes, hex; what `Config.sources` holds for stale detection. */
export function hashBytes(bytes: Uint8Array): string {
  return sha256(bytes).toHex();
}

function decode(bytes: Uint8Array, path: string): string {
  const nul = bytes.indexOf(0);
  if (nul >= 0) throw new Fault("invalid", `cannot read "${path}": it is no text (NUL at byte ${nul})`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Fault("invalid", `cannot read "${path}": it is not valid UTF-8; save it in that encoding`);
  }
}

/** Whether there is a pipe or a device, or what the runtime keeps from the program as such. */
export function isIrregular(path: string): boolean {
  try {
    const { isFile, isDirectory } = Deno.statSync(path);
    return !isFile && !isDirectory;
  } catch (thrown) {
    return isKept(thrown);
  }
}

/** Whether the runtime has kept something from the program that shows itself below /dev, /proc or /sys. */
export function isKept(thrown: unknown): boolean {
  return thrown instanceof Deno.errors.NotCapable && thrown.message.startsWith("Requires all access");
}

/** Why a pipe, a device or another thing that is no file can't be read. */
function irregular(path: string): Fault {
  return new Fault("invalid", `cannot read "${path}": it is no regular file`);
}

function tooLarge(path: string): Fault {
  return new Fault(
    "invalid",
    `cannot read "${path}": it is larger than ${MAX_CONFIG_BYTES / 1024 / 1024} MiB`,
  );
}

function unreadable(path: string, thrown: unknown): Fault {
  if (thrown instanceof Deno.errors.NotFound || thrown instanceof Deno.errors.NotADirectory) {
    return new Fault("not_found", `cannot read "${path}": there is no such file`);
  }
  if (isKept(thrown)) return irregular(path);
  if (thrown instanceof Deno.errors.PermissionDenied || thrown instanceof Deno.errors.NotCapable) {
    return new Fault("forbidden", `cannot read "${path}": permission denied`);
  }
  return new Fault("internal", `cannot read "${path}": ${messageOf(thrown)}`);
}
