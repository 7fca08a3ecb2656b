import { backup, DatabaseSync } from "node:sqlite";
import { Fault, messageOf } from "../../fault.ts";
import { writeMeta } from "./database.ts";

/** A consistent copy of the database, to be read once. */
export interface BackupFile {
  /** Bytes. */
  size: number;
  body: ReadableStream<Uint8Array>;
}

/**
 * Copies the database as it is at this moment into one file that stands for itself, by way of a temporary file in
 * `folder` that has no name any more when this resolves. Throws `Fault` when there is no room for it.
 */
export async function openBackup(db: DatabaseSync, folder: string): Promise<BackupFile> {
  let path: string | undefined;
  try {
    path = await Deno.makeTempFile({ dir: folder, prefix: "backup-" }); // 0600
    await backup(db, path);
    finish(path);
    const file = await Deno.open(path);
    return { size: (await file.stat()).size, body: file.readable };
  } catch (error) {
    throw new Fault(
      "internal",
      `cannot back up the database into "${folder}": ${
        messageOf(error)
      }; check free space and the folder's owner`,
    );
  } finally {
    // The open file lives on until it has been read or given up.
    if (path !== undefined) await Deno.remove(path).catch(() => {});
  }
}

/** Makes a copy that needs no further files, and that a daemon opens as one that was closed in order. */
function finish(path: string): void {
  using copy = new DatabaseSync(path);
  // Who reads a copy learns nothing by which a run that goes on could be claimed.
  copy.exec("UPDATE runs SET nonce = NULL, kept = NULL WHERE status <> 'ended'");
  copy.exec("PRAGMA journal_mode = DELETE");
  writeMeta(copy, "clean", "1");
}
