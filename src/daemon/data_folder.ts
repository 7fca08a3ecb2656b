import { Fault, messageOf } from "../fault.ts";

/** A data folder that this process holds alone, until `release` or its death. */
export interface DataFolder {
  path: string;
  release(): void;
}

/**
 * Makes the data folder and what is inside it (0700), and takes it for this process. Throws `Fault` when it
 * can't be written, and when another daemon holds it (with that one's pid).
 */
export function takeDataFolder(path: string): DataFolder {
  try {
    Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
    Deno.chmodSync(path, 0o700);
    for (const inner of ["logs", "notes"]) {
      Deno.mkdirSync(`${path}/${inner}`, { recursive: true, mode: 0o700 });
    }
  } catch (error) {
    throw new Fault(
      "internal",
      `cannot use data folder "${path}": ${messageOf(error)}; give a folder that you may write, with --data`,
    );
  }
  const pidFile = lock(`${path}/daemon.pid`, path);
  return {
    path,
    release() {
      removeIfPossible(`${path}/daemon.json`);
      removeIfPossible(pidFile.path);
      pidFile.file.close();
    },
  };
}

/** Makes the folder of a control socket that lies outside the data folder; throws `Fault` where another user could be in it. */
export function takeSocketFolder(path: string): void {
  try {
    Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
    const folder = Deno.lstatSync(path);
    if (folder.isDirectory && folder.uid === Deno.uid() && !((folder.mode ?? 0) & 0o022)) return;
  } catch (error) {
    throw new Fault(
      "internal",
      `cannot make folder "${path}" for the control socket: ${messageOf(error)}; name another with --socket`,
    );
  }
  throw new Fault(
    "forbidden",
    `folder "${path}" of the control socket belongs to another user or is open to others; name another with --socket`,
  );
}

/**
 * Writes a file in two steps, so that a reader sees the old or the new one, never a half: what can be refused is
 * refused now (with a `Fault`), and the result puts it into its place.
 */
export function prepareFile(path: string, text: string): () => void {
  const next = `${path}.new`;
  refusable(path, () => Deno.writeTextFileSync(next, text, { mode: 0o600 }));
  return () => refusable(path, () => Deno.renameSync(next, path));
}

function refusable(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new Fault(
      "internal",
      `cannot write "${path}": ${messageOf(error)}; make room there, or give another data folder with --data`,
    );
  }
}

function lock(path: string, dataDir: string): { file: Deno.FsFile; path: string } {
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
    refusable(path, () => {
      file.truncateSync(0);
      file.writeSync(new TextEncoder().encode(`${Deno.pid}\n`));
    });
  } catch (error) {
    file.close();
    throw error;
  }
  return { file, path };
}

/** Removes what a daemon leaves. What can't be removed, on a disk that has turned read-only say, is no danger to the next one. */
export function removeIfPossible(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // The lock of the folder, not its files, says whether a daemon is there.
  }
}
