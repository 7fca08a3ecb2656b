import { statfsSync } from "node:fs";

/** Bytes that the file system of a folder has left for this user; undefined where it can't be told. */
export function freeSpace(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
