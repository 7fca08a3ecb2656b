import type { DatabaseSync } from "node:sqlite";
import { Fault, messageOf } from "../../fault.ts";
import { Connection } from "./connection.ts";
import { migrations } from "./migrations.ts";

/** An open database, migrated to this program's version. `unclean` tells that its last user did not close it. */
export interface Database {
  db: DatabaseSync;
  unclean: boolean;
  close(): void;
}

/**
 * Opens (or makes) the database at `path`, or in memory for ":memory:". After an unclean end its
 * integrity is checked first. Throws `Fault` for a damaged database, one of a newer version
 * (untouched), and one that can't be opened.
 */
export function openDatabase(path: string): Database {
  let db: DatabaseSync | undefined;
  try {
    if (path !== ":memory:") closeToOthers(path);
    db = new Connection(path, { timeout: 5000 });
    const version = userVersion(db);
    if (version > migrations.length) {
      throw new Fault(
        "conflict",
        `cannot open database "${path}": it was written by a newer svc (schema ${version}, this one knows ${migrations.length}); use that version, or another data folder`,
      );
    }
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
    const unclean = version > 0 && readMeta(db, "clean") !== "1";
    if (unclean) checkIntegrity(db, path);
    migrate(db, version);
    writeMeta(db, "clean", "0");
    return { db, unclean, close: () => close(db!) };
  } catch (error) {
    if (db?.isOpen) db.close();
    if (error instanceof Fault) throw error;
    throw new Fault(
      "internal",
      `cannot open database "${path}": ${
        messageOf(error)
      }; check the data folder, its owner and free space, or restore a backup`,
    );
  }
}

/** A database and what SQLite keeps beside it, which takes the database's own mode, are for this user alone. */
function closeToOthers(path: string): void {
  try {
    Deno.writeFileSync(path, new Uint8Array(), { createNew: true, mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    try {
      if (((Deno.statSync(file).mode ?? 0) & 0o077) !== 0) Deno.chmodSync(file, 0o600);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

/** Runs `body` as one transaction: all of it is stored, or none. Nested calls join the outer one. */
export function transaction<T>(db: DatabaseSync, body: () => T): T {
  if (db.isTransaction) return body();
  db.exec("BEGIN IMMEDIATE");
  try {
    const result = body();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

/** One value of the small key-value table, or undefined. */
export function readMeta(db: DatabaseSync, key: string): string | undefined {
  const row = db.prepare("SELECT value FROM meta WHERE key = ?").get(key);
  return row === undefined ? undefined : String(row.value);
}

export function writeMeta(db: DatabaseSync, key: string, value: string): void {
  db.prepare(
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  ).run(key, value);
}

function userVersion(db: DatabaseSync): number {
  return Number(db.prepare("PRAGMA user_version").get()?.user_version ?? 0);
}

function migrate(db: DatabaseSync, from: number): void {
  for (let version = from; version < migrations.length; version++) {
    transaction(db, () => {
      db.exec(migrations[version]!);
      db.exec(`PRAGMA user_version = ${version + 1}`);
    });
  }
}

function checkIntegrity(db: DatabaseSync, path: string): void {
  const findings = db.prepare("PRAGMA quick_check(3)").all().map((row) => String(row.quick_check));
  if (findings.length === 1 && findings[0] === "ok") return;
  throw new Fault(
    "internal",
    `database "${path}" is damaged (${
      findings.join("; ")
    }): move it away, then restore a backup with "svc restore FILE" or start with an empty history`,
  );
}

function close(db: DatabaseSync): void {
  if (!db.isOpen) return;
  try {
    writeMeta(db, "clean", "1");
    db.exec("PRAGMA optimize");
  } catch {
    // A full disk: the next start looks the database over, as after any end out of order.
  }
  db.close();
}
