import { Fault, messageOf } from "../fault.ts";
import { lockFolder, removeIfPossible } from "../io/folder_lock.ts";

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
  const lock = lockFolder(path);
  return {
    path,
    release() {
      removeIfPossible(`${path}/daemon.json`);
      lock.release();
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
