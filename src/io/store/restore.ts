import { DatabaseSync } from "node:sqlite";
import { dirname } from "node:path";
import { Fault, messageOf } from "../../fault.ts";
import { openDatabase } from "./database.ts";
import { migrations } from "./migrations.ts";

/** What a backup holds. */
export interface BackupFacts {
  runs: number;
  /** Version of the schema that it was written with. */
  schema: number;
}

/**
 * Copies a backup to `copy`, checks all of it and brings it to this program's schema there; the backup itself is
 * only read. Throws `Fault` where it is no whole backup of ours.
 */
export function prepareRestore(file: string, copy: string): BackupFacts {
  refuseLive(file);
  try {
    // To copy from a named pipe would wait for its writer.
    if (!Deno.statSync(file).isFile) throw new Fault("invalid", "it is no regular file");
    Deno.copyFileSync(file, copy);
    Deno.chmodSync(copy, 0o600);
  } catch (error) {
    const why = error instanceof Deno.errors.NotFound ? "there is no such file" : messageOf(error);
    throw new Fault(
      "invalid",
      `cannot restore "${file}" into "${dirname(copy)}": ${why}; nothing was changed`,
    );
  }
  const schema = checkedSchema(file, copy);
  try {
    openDatabase(copy).close();
  } catch (error) {
    throw refused(file, messageOf(error));
  }
  const runs = checkTables(file, copy);
  endRows(copy);
  return { schema, runs };
}

/**
 * Puts `copy` into the place of the database at `path`, and keeps what was there as `kept`. Answers whether
 * anything was there. A failure leaves the database as it was, and throws `Fault`.
 */
export function installDatabase(copy: string, path: string, kept: string): boolean {
  const undo: (() => void)[] = [];
  try {
    writeBack(path);
    const wasThere = fileAt(path) !== undefined;
    // A log that can't be written back goes with its database: beside another one it would be that one's ruin.
    if (fileAt(`${path}-wal`) !== undefined) {
      Deno.renameSync(`${path}-wal`, `${kept}-wal`);
      undo.push(() => Deno.renameSync(`${kept}-wal`, `${path}-wal`));
    }
    // It only says where things stand in the log, and is made anew.
    if (fileAt(`${path}-shm`) !== undefined) Deno.removeSync(`${path}-shm`);
    if (wasThere) {
      keep(path, kept);
      undo.push(() => Deno.removeSync(kept));
    }
    // One step: there is always a whole database in place, the old one or the new one.
    Deno.renameSync(copy, path);
    syncFolder(dirname(path));
    return wasThere;
  } catch (error) {
    for (const step of undo.reverse()) tryTo(step);
    throw new Fault(
      "internal",
      `cannot put the backup in place of "${path}": ${messageOf(error)}; nothing was changed`,
    );
  }
}

/** A database in use is more than its file: what stands in the log beside it would be lost. */
function refuseLive(file: string): void {
  if ((fileAt(`${file}-wal`)?.size ?? 0) === 0) return;
  throw new Fault(
    "invalid",
    `cannot restore "${file}": "${file}-wal" shows that it is the database of a daemon, not a backup; make one with "svc backup FILE"`,
  );
}

function checkedSchema(file: string, copy: string): number {
  let version: number;
  try {
    using db = new DatabaseSync(copy, { readOnly: true });
    version = Number(db.prepare("PRAGMA user_version").get()?.user_version ?? 0);
    const findings = db.prepare("PRAGMA integrity_check(3)").all().map((row) => String(row.integrity_check));
    if (findings.length !== 1 || findings[0] !== "ok") {
      throw refused(file, `it is damaged (${findings.join("; ").replaceAll(/\s*\n\s*/g, "; ")})`);
    }
    const meta = db.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name IN ('meta', 'runs')").get();
    if (version === 0 || meta?.n !== 2) throw refused(file, "it is a database of something else than svc");
    if (version <= migrations.length) checkPrograms(db, { file, version });
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw refused(file, `it is no whole SQLite database (${messageOf(error)})`);
  }
  if (version > migrations.length) {
    throw refused(
      file,
      `it was written by a newer svc (schema ${version}, this one knows ${migrations.length}); use that version`,
    );
  }
  return version;
}

/**
 * Refuses what would act by itself: triggers, views and virtual tables other than those that a svc of that version
 * made. They must be looked at before anything is written, by which they would be woken.
 */
function checkPrograms(db: DatabaseSync, { file, version }: { file: string; version: number }): void {
  const programs = (from: DatabaseSync): Map<string, string> =>
    new Map(
      from.prepare(
        "SELECT type || ' ' || name AS name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view') OR sql LIKE 'create virtual%'",
      ).all().map((row) => [String(row.name), String(row.sql).replaceAll(/\s+/g, " ")]),
    );
  using model = new DatabaseSync(":memory:");
  for (const migration of migrations.slice(0, version)) model.exec(migration);
  const known = programs(model);
  for (const [name, sql] of programs(db)) {
    if (known.get(name) !== sql) throw refused(file, `it has a ${name} that svc has not made`);
  }
}

/** Refuses rows whose names would lead out of the folder of logs. */
function checkNames(db: DatabaseSync, file: string): void {
  const row = db.prepare(
    `SELECT id, unit FROM runs WHERE id GLOB '*[^0-9A-Za-z]*' OR id = '' OR unit GLOB '*[^a-zA-Z0-9._:-]*'
      OR unit NOT GLOB '[a-zA-Z0-9]*' LIMIT 1`,
  ).get();
  if (row === undefined) return;
  throw refused(
    file,
    `it has a run with the id ${JSON.stringify(row.id)} of the unit ${JSON.stringify(row.unit)}`,
  );
}

/**
 * Lets nothing of a backup act: what waited or ran when it was made is over, with what was owed to it. Another's pid
 * must not become theirs by way of a file, nor a row a run of today.
 */
function endRows(copy: string): void {
  using db = new DatabaseSync(copy);
  db.exec(`
    UPDATE runs SET pid = NULL, start_ticks = NULL, boot_id = NULL WHERE pid IS NOT NULL;
    UPDATE runs SET nonce = NULL, kept = NULL WHERE nonce IS NOT NULL OR kept IS NOT NULL;
    UPDATE runs SET ended_at = max(created_at, coalesce(started_at, 0)), is_failure = 0,
      end_reason = CASE status WHEN 'pending' THEN 'stopped' ELSE 'crashed' END,
      exit_code = CASE status WHEN 'pending' THEN -1 ELSE -2 END, status = 'ended' WHERE status <> 'ended';
    DELETE FROM retries;
    DELETE FROM containers;
    DELETE FROM deliveries;
  `);
}

/** Whether all that this program's schema has is there; answers the number of runs. */
function checkTables(file: string, copy: string): number {
  const names = (db: DatabaseSync): string[] =>
    db.prepare("SELECT type || ' ' || name AS name FROM sqlite_schema").all().map((row) => String(row.name));
  const model = openDatabase(":memory:");
  try {
    using db = new DatabaseSync(copy, { readOnly: true });
    const there = new Set(names(db));
    const missing = names(model.db).find((name) => !there.has(name));
    if (missing !== undefined) throw refused(file, `it lacks ${missing}`);
    checkNames(db, file);
    return Number(db.prepare("SELECT count(*) AS n FROM runs WHERE deleted_at IS NULL").get()?.n ?? 0);
  } finally {
    model.close();
  }
}

/** Writes back what a daemon that died has left in the log beside its database, so that one file is all of it. */
function writeBack(path: string): void {
  if ((fileAt(`${path}-wal`)?.size ?? 0) === 0) return;
  tryTo(() => {
    // A log beside a file that is no database would be deleted as useless by an opening that may write.
    {
      using reader = new DatabaseSync(path, { readOnly: true, timeout: 0 });
      reader.prepare("SELECT count(*) FROM sqlite_schema").get();
    }
    using db = new DatabaseSync(path, { timeout: 0 });
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  });
}

function keep(path: string, kept: string): void {
  try {
    Deno.linkSync(path, kept);
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) throw error;
    // Not every file system has links.
    Deno.copyFileSync(path, kept);
  }
}

function syncFolder(folder: string): void {
  tryTo(() => {
    using handle = Deno.openSync(folder, { read: true });
    handle.syncSync();
  });
}

function tryTo(step: () => void): void {
  try {
    step();
  } catch {
    // The best that can be done: what failed before it is told.
  }
}

function fileAt(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function refused(file: string, why: string): Fault {
  return new Fault("invalid", `cannot restore "${file}": ${why}; nothing was changed`);
}
