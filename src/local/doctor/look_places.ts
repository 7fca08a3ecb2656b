import { accessSync, constants, statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { ConfigSeen, DiskSeen, FolderSeen } from "../../core/doctor/places.ts";
import { messageOf } from "../../fault.ts";
import { loadConfigFile } from "../../io/config_files.ts";
import { freeSpace } from "../../io/disk.ts";
import type { Config } from "../../types.ts";
import { renderProblem } from "../validate.ts";

/** Looks at the configuration as a daemon would; `path` is a file, or why there is none. */
export async function lookAtConfig(
  path: { path: string } | { refusal: string },
): Promise<{ seen: ConfigSeen; config: Config | undefined }> {
  const nothing = { errors: [], warnings: [], units: 0 };
  if ("refusal" in path) return { seen: { refusal: path.refusal, ...nothing }, config: undefined };
  try {
    const { config, errors, warnings } = await loadConfigFile(path.path);
    const seen: ConfigSeen = {
      path: path.path,
      errors: errors.map(renderProblem),
      warnings: warnings.map(renderProblem),
      units: config?.units.length ?? 0,
    };
    return { seen, config };
  } catch (error) {
    return { seen: { path: path.path, ...nothing, errors: [messageOf(error)] }, config: undefined };
  }
}

/** Kinds of file systems by their numbers in Linux. */
const memory = new Set([0x01021994, 0x858458f6]);
const network = new Set([0x6969, 0xff534d42, 0xfe534d42, 0x517b]);

/** Looks at the data folder and the owners of what is in it. */
export function lookAtFolder(path: string): FolderSeen {
  const uid = Deno.uid() ?? 0;
  const seen = { path, uid, foreign: [] };
  let info: Deno.FileInfo;
  try {
    info = Deno.statSync(path);
  } catch (error) {
    const isMissing = error instanceof Deno.errors.NotFound;
    return {
      ...seen,
      state: isMissing ? "missing" : error instanceof Deno.errors.NotADirectory ? "no_folder" : "hidden",
      isWritable: isMissing && isWritable(nearestFolder(path)),
    };
  }
  const owner = info.uid ?? uid;
  if (!info.isDirectory) return { ...seen, state: "no_folder", isWritable: false };
  const kind = kindOf(path);
  return {
    ...seen,
    state: "folder",
    ...(info.mode === null ? {} : { mode: info.mode }),
    owner,
    isWritable: isWritable(path),
    foreign: foreignIn(path, owner),
    ...(kind === undefined ? {} : { fileSystem: kind }),
  };
}

/** Looks at the room on the disk of a folder, which may not be there yet. */
export function lookAtDisk(path: string, minFree: number): DiskSeen {
  const folder = nearestFolder(path);
  const free = freeSpace(folder);
  const inodes = inodesOf(folder);
  return { ...(free === undefined ? {} : { free }), ...(inodes === undefined ? {} : { inodes }), minFree };
}

function inodesOf(folder: string): DiskSeen["inodes"] {
  try {
    const { files, ffree } = statfsSync(folder);
    return { free: ffree, total: files };
  } catch {
    return undefined;
  }
}

function kindOf(path: string): FolderSeen["fileSystem"] {
  if (Deno.build.os !== "linux") return undefined;
  try {
    const type = statfsSync(path).type >>> 0;
    return memory.has(type) ? "memory" : network.has(type) ? "network" : undefined;
  } catch {
    return undefined;
  }
}

function foreignIn(path: string, owner: number): string[] {
  try {
    return [...Deno.readDirSync(path)].filter(({ name }) => Deno.lstatSync(`${path}/${name}`).uid !== owner)
      .map(({ name }) => name).sort();
  } catch {
    return [];
  }
}

/** The folder itself, or the next above it that is there. */
function nearestFolder(path: string): string {
  for (let folder = path;; folder = dirname(folder)) {
    try {
      if (Deno.statSync(folder).isDirectory) return folder;
    } catch {
      // Further up.
    }
    if (folder === dirname(folder)) return folder;
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
