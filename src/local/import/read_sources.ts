import { resolve } from "node:path";
import { decodeSource } from "../../importers/import/decode.ts";
import type { Entry, SourceFile } from "../../importers/import/imported.ts";
import { Fault, messageOf } from "../../fault.ts";
import { isKept, MAX_CONFIG_BYTES } from "../../io/config_files.ts";
import { expandGlob } from "../../io/glob_walk.ts";
import { readRegular } from "../../io/read_regular.ts";
import { readAtMost } from "../../core/bytes.ts";

/** Files to import, and what is to be told of them. */
export interface Sources {
  files: SourceFile[];
  /** Lines that are not UTF-8, by file. */
  foreign: Map<string, number[]>;
  /** Files that could not be read; only where they were not named one by one. */
  unread: Entry[];
}

/** Reads the named files, "-" being standard input. Throws `Fault` for one that can't be read or is no text. */
export async function readSources(names: readonly string[]): Promise<Sources> {
  const sources: Sources = { files: [], foreign: new Map(), unread: [] };
  for (const name of names) {
    const path = name === "-" ? "-" : resolve(name);
    if (sources.files.some((file) => file.path === path)) continue;
    const bytes = path === "-" ? await readInput() : readFile(path);
    addSource(sources, { path, bytes });
  }
  return sources;
}

/** The files that an absolute glob matches; what can't be read is left out. */
export function readMatching(absoluteGlob: string): SourceFile[] {
  const sources: Sources = { files: [], foreign: new Map(), unread: [] };
  for (const path of expandGlob(absoluteGlob).files) {
    try {
      addSource(sources, { path, bytes: readFile(path) });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
    }
  }
  return sources.files;
}

/** Whether a regular file is at a path, as far as one may look. */
export function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** The bytes of a regular file of at most 8 MiB. Throws `Fault`. */
export function readFile(path: string): Uint8Array {
  try {
    const bytes = readRegular(path, MAX_CONFIG_BYTES);
    if (bytes === "folder") {
      throw new Fault("invalid", `cannot import "${path}": it is a folder; name the files in it`);
    }
    if (bytes === "irregular") throw new Fault("invalid", `cannot import "${path}": it is no regular file`);
    if (bytes === "too large") throw tooLarge(path);
    return bytes;
  } catch (error) {
    if (error instanceof Fault) throw error;
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      throw new Fault("not_found", `cannot import "${path}": there is no such file`);
    }
    if (isKept(error)) throw new Fault("invalid", `cannot import "${path}": it is no regular file`);
    if (error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable) {
      throw new Fault("forbidden", `cannot import "${path}": permission denied`);
    }
    throw new Fault("internal", `cannot import "${path}": ${messageOf(error)}`);
  }
}

/** Adds a file's text. Throws `Fault` where it is none. */
export function addSource(sources: Sources, { path, bytes }: { path: string; bytes: Uint8Array }): void {
  const decoded = decodeSource(bytes);
  if ("fault" in decoded) {
    const name = path === "-" ? "standard input" : path;
    throw new Fault("invalid", `cannot import "${name}": ${decoded.fault} (line ${decoded.line})`);
  }
  sources.files.push({ path, text: decoded.text });
  if (decoded.foreign.length > 0) sources.foreign.set(path, decoded.foreign);
}

async function readInput(): Promise<Uint8Array> {
  const bytes = await readAtMost(Deno.stdin.readable, MAX_CONFIG_BYTES);
  if (bytes === undefined) throw tooLarge("standard input");
  return bytes;
}

function tooLarge(path: string): Fault {
  return new Fault(
    "invalid",
    `cannot import "${path}": it is larger than ${MAX_CONFIG_BYTES / 1024 / 1024} MiB`,
  );
}
