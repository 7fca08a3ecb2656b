import { matchesGlob } from "../../core/config/glob.ts";
import { folderOf } from "../../core/config/path.ts";
import { checkImported } from "../../importers/import/check.ts";
import { noteForeign } from "../../importers/import/decode.ts";
import type { ImportContext, Imported } from "../../importers/import/imported.ts";
import { Fault } from "../../fault.ts";
import { shownTimezone, workingFolder } from "../../io/machine_places.ts";
import { hashBytes, readConfigFile } from "../../io/config_files.ts";
import { expandGlob } from "../../io/glob_walk.ts";
import { installedEnvironment } from "../service/installed.ts";
import { findPlaces, type PlaceFlags } from "../places.ts";
import { importers } from "./importers.ts";
import { isFile, readMatching, readSources, type Sources } from "./read_sources.ts";
import { addOwnTable, readSystemTables, tablePlaces } from "./system_tables.ts";
import { type Destination, findDestination, writeIncluded } from "./write_included.ts";

/** What is to be imported. */
export interface ImportOrder {
  kind: string;
  /** Paths, or "-" for standard input; none: the machine's own tables where `system` is set, else standard input. */
  files: readonly string[];
  /** Lines have an account column. */
  system: boolean;
  /** Put the result into a file that the configuration includes. */
  write: boolean;
}

/** What an import did. */
export interface ImportResult {
  imported: Imported;
  /** The units as TOML; "" where there are none. */
  toml: string;
  /** Where they were written, and what its root file must still include. */
  written?: { path: string; root: string; missingInclude?: string };
}

/**
 * Imports what others use in place of svc; never touches it. `files` reads what else the machine has to say. Throws
 * `Fault` where files can't be read or written.
 */
export async function runImport(
  flags: PlaceFlags,
  order: ImportOrder,
  { files = readMatching }: Partial<Pick<ImportContext, "files">> = {},
): Promise<ImportResult> {
  const { kind, write } = order;
  const load = importers[kind];
  if (load === undefined) {
    throw new Fault("invalid", `cannot import "${kind}": choose from ${Object.keys(importers).join(", ")}`);
  }
  const sources = await sourcesOf(order);
  const destination = write ? await findDestination(findPlaces(flags).configPath, kind) : undefined;
  const importer = await load();
  const raw = importer(sources.files, { ...contextOf(order, destination), files });
  const noted = noteForeign({ ...raw, entries: [...sources.unread, ...raw.entries] }, sources.foreign);
  // What is written is for a daemon, which may have less than whoever writes it.
  const service = destination === undefined ? undefined : await installedEnvironment(destination.root.path);
  const env = service?.env ?? Deno.env.toObject();
  const home = homeOf(env);
  const needsYaml = kind === "compose" || destination?.needsYaml === true;
  const yaml = needsYaml ? await import("../../core/yaml.ts") : undefined;
  const path = destination?.path ?? `${folderOfConfig(flags)}/imported-${kind}.toml`;
  const { imported, text } = checkImported(noted, {
    input: {
      path,
      env,
      read: readConfigFile,
      glob: (glob) => {
        const { files, ...found } = expandGlob(glob);
        if (!matchesGlob(path, glob) || files.includes(path)) return { files, ...found };
        return { files: [...files, path].sort(), ...found };
      },
      hash: hashBytes,
      // What goes to standard output may be meant for the daemon of root.
      isRoot: destination === undefined || Deno.uid() === 0,
      ...(home === undefined ? {} : { home }),
      ...(yaml === undefined ? {} : { parseYaml: yaml.parseYaml }),
    },
    head: [`Imported from ${kind} by "svc import ${kind}"; the lines above a unit say where it comes from.`],
    ...(destination === undefined ? {} : { root: destination.root }),
    timezone: shownTimezone(),
  });
  if (destination === undefined || text === "") return { imported, toml: text };
  await writeIncluded(path, text);
  const { root, missingInclude } = destination;
  return {
    imported,
    toml: text,
    written: { path, root: root.path, ...(missingInclude === undefined ? {} : { missingInclude }) },
  };
}

async function sourcesOf({ kind, files, system }: ImportOrder): Promise<Sources> {
  if (files.length > 0) return await readSources(files);
  if (!system) return await readSources(["-"]);
  if (kind !== "cron") {
    throw new Fault("invalid", `cannot find the files of ${kind} on this machine by --system: name them`);
  }
  const sources = readSystemTables();
  const user = userOf(Deno.env.toObject());
  if (Deno.uid() !== 0 && user !== undefined) await addOwnTable(sources, { user });
  if (sources.files.length > 0 || sources.unread.length > 0) return sources;
  const looked = [...tablePlaces.system, ...tablePlaces.users].join(", ");
  throw new Fault("not_found", `cannot import the tables of this machine: there are none in ${looked}`);
}

function contextOf(
  { system, files }: ImportOrder,
  destination: Destination | undefined,
): Omit<ImportContext, "files"> {
  const env = Deno.env.toObject();
  const home = homeOf(env);
  const user = userOf(env);
  return {
    cores: navigator.hardwareConcurrency,
    hostname: Deno.hostname(),
    // The tables of the machine are told apart by their places.
    system: system && files.length > 0,
    ...(user === undefined ? {} : { user }),
    ...(home === undefined ? {} : { home }),
    taken: destination?.taken ?? new Set(),
    exists: isFile,
  };
}

function userOf(env: Record<string, string>): string | undefined {
  return Deno.uid() === 0 ? "root" : env["USER"] ?? env["LOGNAME"];
}

function homeOf(env: Record<string, string>): string | undefined {
  const home = env["HOME"];
  return home?.startsWith("/") ? home : undefined;
}

/** Where the result would stand, which decides what its relative paths mean. */
function folderOfConfig(flags: PlaceFlags): string {
  try {
    return folderOf(findPlaces(flags).configPath);
  } catch (error) {
    // A configuration that is not to be used only matters to those who name it.
    if (!(error instanceof Fault) || flags.config) throw error;
    return workingFolder() ?? "/";
  }
}
