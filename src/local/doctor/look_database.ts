import { DatabaseSync } from "node:sqlite";
import type { DatabaseSeen } from "../../core/doctor/database.ts";
import type { LeftoversSeen } from "../../core/doctor/leftovers.ts";
import { messageOf } from "../../fault.ts";
import { migrations } from "../../io/store/migrations.ts";
import { readMeta } from "../../io/store/database.ts";
import { Warden } from "../../io/process/warden.ts";

/** What was seen of the database, of its runs, and of processes that belong to them. Times are Unix ms. */
export interface StoredSeen {
  database: DatabaseSeen;
  newestRun?: number;
  executing: number;
  processes: LeftoversSeen["processes"];
}

/** Looks into a database without leaving anything beside it; `isInUse`: a daemon has it open. */
export async function lookAtDatabase(path: string, { isInUse }: { isInUse: boolean }): Promise<StoredSeen> {
  const nothing = { executing: 0, processes: [] };
  const bytes = sizeOf(path);
  if (bytes === undefined) return { database: { state: "missing" }, ...nothing };
  const logBytes = sizeOf(`${path}-wal`) ?? 0;
  let copy: string | undefined;
  try {
    // A reader beside a daemon shares its files. Without one it would leave its own there, perhaps another
    // user's, so it takes a copy.
    if (isInUse) Deno.openSync(path, { read: true }).close();
    else copy = copyOf(path);
  } catch (error) {
    // What may not be read is no reason to throw it away.
    return { database: { state: "hidden", path, why: messageOf(error) }, ...nothing };
  }
  try {
    using db = copy === undefined
      ? new DatabaseSync(path, { readOnly: true, timeout: 5000 })
      : new DatabaseSync(copy);
    const schema = Number(db.prepare("PRAGMA user_version").get()?.user_version ?? 0);
    const findings = db.prepare("PRAGMA quick_check(3)").all().map((row) => String(row.quick_check));
    const database: DatabaseSeen = {
      state: "checked",
      path,
      bytes,
      logBytes,
      damage: findings.join() === "ok" ? [] : findings.map((text) => text.replaceAll(/\s*\n\s*/g, " ")),
      schema,
      known: migrations.length,
      isUnclean: schema > 0 && readMeta(db, "clean") !== "1",
      isInUse,
    };
    if (schema === 0 || database.damage.length > 0) return { database, ...nothing };
    const newest = db.prepare("SELECT max(created_at) AS at FROM runs WHERE deleted_at IS NULL").get()?.at;
    const executing = db.prepare("SELECT count(*) AS n FROM runs WHERE status = 'running'").get()?.n;
    return {
      database,
      ...(typeof newest === "number" ? { newestRun: newest } : {}),
      executing: Number(executing ?? 0),
      processes: await leftProcesses(db, isInUse),
    };
  } catch (error) {
    return { database: { state: "unreadable", path, why: messageOf(error) }, ...nothing };
  } finally {
    if (copy !== undefined) Deno.removeSync(copy.slice(0, copy.lastIndexOf("/")), { recursive: true });
  }
}

/** Processes that carry the id of a run that has ended, or of any run where no daemon runs. */
async function leftProcesses(db: DatabaseSync, isInUse: boolean): Promise<LeftoversSeen["processes"]> {
  const warden = new Warden();
  try {
    // An older version knew nothing of keepers.
    const isNew =
      db.prepare("SELECT 1 FROM pragma_table_info('runs') WHERE name = 'nonce'").get() !== undefined;
    const find = db.prepare(
      `SELECT unit, status, ${isNew ? "nonce IS NOT NULL" : "0"} AS kept FROM runs WHERE id = ?`,
    );
    return [...await warden.carriers()].flatMap(([pid, runId]) => {
      const run = pid === Deno.pid ? undefined : find.get(runId);
      if (run === undefined || (isInUse && run.status !== "ended")) return [];
      return [{ pid, unit: String(run.unit), isKept: run.kept === 1 && run.status === "running" }];
    });
  } finally {
    await warden.close();
  }
}

function copyOf(path: string): string {
  const folder = Deno.makeTempDirSync({ prefix: "svc-doctor-" });
  const copy = `${folder}/svc.db`;
  try {
    Deno.copyFileSync(path, copy);
    if (sizeOf(`${path}-wal`) !== undefined) Deno.copyFileSync(`${path}-wal`, `${copy}-wal`);
    return copy;
  } catch (error) {
    Deno.removeSync(folder, { recursive: true });
    throw error;
  }
}

function sizeOf(path: string): number | undefined {
  try {
    return Deno.statSync(path).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return undefined;
    return 0;
  }
}
