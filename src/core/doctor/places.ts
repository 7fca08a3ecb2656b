import { sizeWords } from "../size.ts";
import { bad, type Finding, ok, warn } from "./finding.ts";

/** What was seen of the configuration. Problems are lines, as `svc validate` has them. */
export interface ConfigSeen {
  /** Absent where none was found. */
  path?: string;
  /** Why there is none, or why it can't be used. */
  refusal?: string;
  errors: readonly string[];
  warnings: readonly string[];
  units: number;
}

/** Whether a daemon could start from the configuration. */
export function judgeConfig({ path, refusal, errors, warnings, units }: ConfigSeen): Finding {
  const check = "configuration";
  if (path === undefined) {
    const [seen = "", ...advice] = (refusal ?? "no configuration file was found").split("; ");
    return bad(check, seen, advice.join("; ") || "name one with -c");
  }
  if (errors.length > 0) {
    const more = errors.length > 1 ? ` (${errors.length} errors, this is the first)` : "";
    return bad(check, `${errors[0]}${more}`, `mend it; "svc validate ${path}" lists all`);
  }
  const seen = `${path}, ${units} ${units === 1 ? "unit" : "units"}`;
  if (warnings.length === 0) return ok(check, seen);
  const more = warnings.length > 1 ? ` (${warnings.length} warnings, this is the first)` : "";
  return warn(check, `${warnings[0]}${more}`, `"svc validate ${path}" lists all`);
}

/** What was seen of the data folder. */
export interface FolderSeen {
  path: string;
  state: "missing" | "no_folder" | "hidden" | "folder";
  /** Permission bits, and the user that it belongs to, as far as it is there. */
  mode?: number;
  owner?: number;
  /** The user who looks. */
  uid: number;
  /** Whether that user may write it, or where it is missing make it. */
  isWritable: boolean;
  /** Names in it that belong to somebody else than the folder. */
  foreign: readonly string[];
  /** Kind of its file system where that matters. */
  fileSystem?: "memory" | "network";
}

/** Whether the data folder can be used, and only by its user. */
export function judgeFolder(seen: FolderSeen): Finding {
  const check = "data folder";
  const { path, state, owner, uid, isWritable, foreign, fileSystem } = seen;
  if (state === "hidden") {
    return bad(
      check,
      `${path} can't be looked at by user ${uid}`,
      "run svc as the folder's user, or as root",
    );
  }
  if (state === "no_folder") return bad(check, `${path} is no folder`, "name another with --data");
  if (state === "missing") {
    return isWritable ? ok(check, `${path} is not there yet; a daemon makes it`) : bad(
      check,
      `${path} is not there, and user ${uid} can't make it`,
      "make it for the daemon's user, or name another with --data",
    );
  }
  if (!isWritable) {
    return bad(
      check,
      `${path} belongs to user ${owner}, and user ${uid} can't write it`,
      "run svc as the folder's user, or name another with --data",
    );
  }
  const mode = (seen.mode ?? 0o700) & 0o777;
  if ((mode & 0o022) !== 0) {
    return bad(check, `others may write ${path} (mode ${octal(mode)})`, `chmod 700 ${path}`);
  }
  if (foreign.length > 0) {
    return bad(
      check,
      `${foreign.slice(0, 5).join(", ")} in ${path} ${
        foreign.length === 1 ? "does" : "do"
      } not belong to user ${owner}`,
      `chown -R ${owner} ${path}`,
    );
  }
  if ((mode & 0o055) !== 0) {
    return warn(check, `others may look into ${path} (mode ${octal(mode)})`, `chmod 700 ${path}`);
  }
  if (fileSystem === "memory") {
    return warn(
      check,
      `${path} is in memory: history goes with the next boot`,
      "put it on a disk with --data",
    );
  }
  if (fileSystem === "network") {
    return warn(
      check,
      `${path} is on a network file system, which SQLite's locks are not safe on`,
      "put it on a local disk with --data",
    );
  }
  return ok(check, `${path}, mode ${octal(mode)}`);
}

/** What was seen of the room on the disk of the data folder; absent values can't be told. */
export interface DiskSeen {
  /** Bytes. */
  free?: number;
  /** Of files. */
  inodes?: { free: number; total: number };
  /** `storage.min_free_space`; 0: no limit. */
  minFree: number;
}

/** Whether there is room for logs and the database. */
export function judgeDisk({ free, inodes, minFree }: DiskSeen): Finding {
  const check = "disk space";
  if (free === undefined) return warn(check, "can't be told here", "look with df");
  const seen = `${sizeWords(free)} free`;
  if (inodes !== undefined && inodes.total > 0 && inodes.free < Math.max(1000, inodes.total / 1000)) {
    return bad(
      check,
      `${seen}, but only ${inodes.free} of ${inodes.total} inodes`,
      "remove small files from that disk",
    );
  }
  if (minFree > 0 && free < minFree) {
    return bad(
      check,
      `${seen}, less than storage.min_free_space (${sizeWords(minFree)}): logs are not stored`,
      "make room, or lower min_free_space in [storage]",
    );
  }
  if (free < 2 * minFree || free < 100e6) {
    const limit = minFree > 0 ? `; below ${sizeWords(minFree)} logs are not stored` : "";
    return warn(check, `${seen}${limit}`, "make room soon");
  }
  return ok(check, minFree > 0 ? `${seen}, ${sizeWords(minFree)} are kept free` : seen);
}

function octal(mode: number): string {
  return mode.toString(8).padStart(3, "0");
}
