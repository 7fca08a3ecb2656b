import { backup, DatabaseSync } from "node:sqlite";
import { Fault, messageOf } from "../../fault.ts";
import { migrations } from "./migrations.ts";
import { installDatabase } from "./restore.ts";

/** What was done about the database of a daemon that begins on trial. */
export type Readied = "nothing" | "copied" | "put back";

/**
 * Copies an open database to `to` as it is, with all by which runs that go on are known: unlike a backup, it is for this
 * very folder. What was there is replaced when the copy is whole. Throws `Fault`, and has changed nothing then.
 */
export async function copyDatabase(db: DatabaseSync, to: string): Promise<void> {
  const next = `${to}.new`;
  try {
    removeFile(next);
    Deno.writeFileSync(next, new Uint8Array(), { createNew: true, mode: 0o600 });
    await backup(db, next);
    using file = Deno.openSync(next, { read: true, write: true });
    file.syncSync();
    Deno.renameSync(next, to);
  } catch (error) {
    removeFile(next);
    throw new Fault(
      "internal",
      `cannot copy the database to "${to}": ${messageOf(error)}; make room there; nothing was changed`,
    );
  }
}

/**
 * Makes the database at `path` ready for a daemon on trial: where it has an older schema, `copy` has it as it is before
 * it is migrated; where a newer program has migrated it on a trial that failed, that copy comes back, and what was there
 * is kept as `failed`. Throws `Fault`.
 */
export async function readyForTrial(
  path: string,
  { copy, failed }: { copy: string; failed: string },
): Promise<Readied> {
  const schema = schemaOf(path);
  if (schema === undefined || schema === 0 || schema === migrations.length) return "nothing";
  if (schema < migrations.length) {
    using db = new DatabaseSync(path);
    await copyDatabase(db, copy);
    return "copied";
  }
  const kept = schemaOf(copy);
  if (kept === undefined || kept === 0 || kept > migrations.length) return "nothing";
  removeFile(failed);
  installDatabase(copy, path, failed);
  return "put back";
}

/** Version of the schema of a database; undefined where it can't be told, which who opens it has words for. */
function schemaOf(path: string): number | undefined {
  try {
    if (!Deno.lstatSync(path).isFile) return undefined;
    using db = new DatabaseSync(path);
    return Number(db.prepare("PRAGMA user_version").get()?.user_version ?? 0);
  } catch {
    return undefined;
  }
}

function removeFile(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // It is not there; where it can't be removed, who writes it says so.
  }
}
