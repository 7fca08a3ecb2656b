import { resolve } from "node:path";
import { Fault } from "../fault.ts";
import { lockFolder } from "../io/folder_lock.ts";
import { claimPrivateFolder } from "../io/trust.ts";
import { installDatabase, prepareRestore } from "../io/store/restore.ts";
import { findDaemon, type PlaceFlags } from "./places.ts";

/** What a restore has done. */
export interface Restored {
  /** The database that is in place now. */
  database: string;
  /** What was there before; absent where there was nothing. */
  kept?: string;
  runs: number;
  schema: number;
}

/**
 * Puts a backup in place of the database of a stopped daemon; `now` (Unix ms) names what is kept. Everything is
 * checked before anything is touched. Throws `Fault`; conflict while a daemon holds the folder.
 */
export function restore(flags: PlaceFlags, { file, now }: { file: string; now: number }): Restored {
  const { dataDir } = findDaemon(flags);
  if (dataDir === "") {
    throw new Fault("invalid", `cannot restore "${file}": a socket doesn't say where; give --data or -c`);
  }
  claimPrivateFolder(dataDir, {
    attempt: `cannot restore into data folder "${dataDir}"`,
    mend: "run this as the user whose daemon it is, or give another folder with --data",
  });
  const lock = lockFolder(dataDir);
  const path = `${dataDir}/svc.db`;
  const copy = `${path}.restoring`;
  try {
    removeCopy(copy);
    const facts = prepareRestore(resolve(file), copy);
    const kept = freeName(`${path}.before-restore-${stamp(now)}`);
    const wasThere = installDatabase(copy, path, kept);
    return { database: path, ...(wasThere ? { kept } : {}), ...facts };
  } finally {
    removeCopy(copy);
    lock.release();
  }
}

function removeCopy(copy: string): void {
  for (const path of [copy, `${copy}-wal`, `${copy}-shm`, `${copy}-journal`]) {
    try {
      Deno.removeSync(path);
    } catch {
      // It is not there.
    }
  }
}

/** The name, or where it is taken the next one. */
function freeName(name: string): string {
  for (let n = 1;; n++) {
    const candidate = n === 1 ? name : `${name}-${n}`;
    try {
      Deno.lstatSync(candidate);
    } catch {
      return candidate;
    }
  }
}

/** e.g. "20270115-120000", in UTC. */
function stamp(now: number): string {
  return new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
}
