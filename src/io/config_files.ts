import { sha256 } from "@noble/hashes/sha2.js";
import { createContext } from "../core/config/context.ts";
import { globsToExpand } from "../core/config/files.ts";
import { loadConfig } from "../core/config/load.ts";
import type { GlobMatches, LoadInput, LoadResult, ReadFile } from "../core/config/load_input.ts";
import { Fault } from "../fault.ts";
import { expandGlob, expandGlobs } from "./glob_walk.ts";
import { absolutePath } from "./machine_places.ts";
import { isInPath } from "./process/launch_checks.ts";
import { knowsPipefail } from "./shell_options.ts";
import { restoreProgram } from "./restore_program.ts";
import { distrusted, ownUid, readWithoutLinks, wordsOf } from "./trust.ts";

/** The largest file that is read as configuration, in bytes. */
export const MAX_CONFIG_BYTES = 8 * 1024 * 1024;

/** Loads and checks the configuration of a root file on the real file system; `env` (the process's) fills `${VAR}`. */
export async function loadConfigFile(
  path: string,
  options: { env?: Record<string, string>; isRoot?: boolean } = {},
): Promise<LoadResult> {
  const { env = Deno.env.toObject(), isRoot = ownUid() === 0 } = options;
  const home = env["HOME"];
  let found: ReadonlyMap<string, GlobMatches> = new Map();
  const input: LoadInput = {
    path: absolutePath(path),
    env,
    read: isRoot ? (path) => readConfigFile(path, { asRoot: true }) : readConfigFile,
    // What was included only since then is looked for at once.
    glob: (glob) => found.get(glob) ?? expandGlob(glob),
    hash: hashBytes,
    isRoot,
    ...(isRoot && { distrust: distrustByRoot }),
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
    const { isFile, isDirectory, size } = Deno.statSync(path);
    // A pipe or a device could block for ever or never end.
    if (!isFile) {
      throw new Fault(
        "invalid",
        `cannot read "${path}": it is ${isDirectory ? "a folder" : "no regular file"}`,
      );
    }
    if (size > MAX_CONFIG_BYTES) throw tooLarge(path);
    const bytes = asRoot ? readWithoutLinks(path, 0) : Deno.readFileSync(path);
    // It may have grown since, or be of a kind that tells no size.
    if (bytes.length > MAX_CONFIG_BYTES) throw tooLarge(path);
    return { text: decode(bytes, path), bytes };
  } catch (thrown) {
    if (thrown instanceof Fault) throw thrown;
    throw unreadable(path, thrown);
  }
}

/** Why root can't believe what lies at a path; undefined where it can. */
function distrustByRoot(path: string): string | undefined {
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
  if (thrown instanceof Deno.errors.PermissionDenied || thrown instanceof Deno.errors.NotCapable) {
    return new Fault("forbidden", `cannot read "${path}": permission denied`);
  }
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new Fault("internal", `cannot read "${path}": ${reason}`);
}
