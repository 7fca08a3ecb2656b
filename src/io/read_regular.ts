import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { concat } from "../core/bytes.ts";

/** What is at a path in place of a regular file that may be read: a folder, a pipe or device, or more bytes than that. */
export type Unread = "folder" | "irregular" | "too large";

/** Which file was opened, to compare with the one that was looked at. */
export interface Opened {
  ino: number;
  dev: number;
  uid: number;
}

/**
 * Reads a regular file of at most `most` bytes, also where somebody else can put another thing in its place at any
 * moment: it is opened without waiting (a named pipe would wait for its other end, a file under a lease of its owner's
 * for the lease), and only then looked at. `look` may throw to refuse what was opened. Fails as Deno does where there is
 * no such file or it may not be read, and with the code EAGAIN where its owner holds it.
 */
export function readRegular(
  path: string,
  most: number,
  look?: (opened: Opened) => void,
): Uint8Array | Unread {
  const file = opened(path);
  try {
    const seen = fstatSync(file);
    look?.(seen);
    if (seen.isDirectory()) return "folder";
    if (!seen.isFile()) return "irregular";
    if (seen.size > most) return "too large";
    const parts: Uint8Array[] = [];
    // It may grow while it is read.
    for (let left = most + 1;;) {
      const buffer = new Uint8Array(Math.min(65_536, left));
      const count = readSync(file, buffer);
      if (count === 0) return concat(parts);
      parts.push(buffer.subarray(0, count));
      left -= count;
      if (left === 0) return "too large";
    }
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === "ENOENT") throw new Deno.errors.NotFound(`no such file: "${path}"`);
    if (code === "ENOTDIR") throw new Deno.errors.NotADirectory(`not a folder on the way to "${path}"`);
    if (code === "EAGAIN") {
      const why = `"${path}" is held by a process (a lease): try again when it is let go`;
      throw Object.assign(new Error(why), { code });
    }
    if (code === "EACCES") throw new Deno.errors.PermissionDenied(`permission denied: "${path}"`);
    throw error;
  }
}
