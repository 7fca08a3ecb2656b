import { Fault, messageOf } from "../fault.ts";

/** A data folder that this process holds alone, until it releases it or dies. */
export interface FolderLock {
  /** Whether the folder still has the file that was locked: who removes or replaces it lets another daemon in. */
  isHeld(): boolean;
  release(): void;
}

/**
 * Takes a data folder for this process. Throws `Fault`: conflict where another one holds it (with its pid),
 * internal where its lock file can't be written.
 */
export function lockFolder(dataDir: string): FolderLock {
  const path = lockFile(dataDir);
  let file: Deno.FsFile;
  try {
    file = Deno.openSync(path, { read: true, write: true, create: true, mode: 0o600 });
  } catch (error) {
    throw new Fault(
      "internal",
      `cannot use data folder "${dataDir}": ${messageOf(error)}; give another with --data`,
    );
  }
  // A file lock goes with its process, however that ends; a pid alone would outlive it.
  if (!file.tryLockSync(true)) {
    const holder = Deno.readTextFileSync(path).trim();
    file.close();
    throw new Fault(
      "conflict",
      `data folder "${dataDir}" is in use by a running daemon (pid ${
        holder || "unknown"
      }); stop that one, or give another folder with --data`,
    );
  }
  try {
    file.truncateSync(0);
    file.writeSync(new TextEncoder().encode(`${Deno.pid}\n`));
  } catch (error) {
    file.close();
    throw new Fault(
      "internal",
      `cannot write "${path}": ${messageOf(error)}; make room there, or give another data folder with --data`,
    );
  }
  const isHeld = (): boolean => isSameFile(path, file);
  return {
    isHeld,
    release() {
      // What stands there by now may be locked by another daemon, which would lose its lock with it.
      if (isHeld()) removeIfPossible(path);
      file.close();
    },
  };
}

/** Whether a path leads to a file that is open; also where it can't be looked at for another reason than its absence. */
function isSameFile(path: string, file: Deno.FsFile): boolean {
  try {
    const [there, own] = [Deno.lstatSync(path), file.statSync()];
    return there.ino === own.ino && there.dev === own.dev;
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory);
  }
}

/** The pid of the process that holds a data folder; undefined where none does, "" where it has written none. */
export function holderOf(dataDir: string): string | undefined {
  let file: Deno.FsFile;
  try {
    file = Deno.openSync(lockFile(dataDir), { read: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return undefined;
    throw error;
  }
  try {
    // A lock that others may share: it is refused by the daemon's own, and stands in nobody's way for long.
    if (file.tryLockSync(false)) return undefined;
    return Deno.readTextFileSync(lockFile(dataDir)).trim();
  } finally {
    file.close();
  }
}

/** Removes what a daemon leaves. What can't be removed, on a disk that has turned read-only say, is no danger to the next one. */
export function removeIfPossible(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // The lock of the folder, not its files, says whether a daemon is there.
  }
}

function lockFile(dataDir: string): string {
  return `${dataDir}/daemon.pid`;
}
