import type { DatabaseSync } from "node:sqlite";
import { type BackupFile, openBackup } from "./backup.ts";
import { ContainerStore } from "./containers.ts";
import { type Database, openDatabase, readMeta, transaction, writeMeta } from "./database.ts";
import { DeliveryStore } from "./deliveries.ts";
import { ExpectationStore } from "./expectations.ts";
import { LogSizes } from "./log_sizes.ts";
import { NoticeStore } from "./notices.ts";
import { RetryStore } from "./retries.ts";
import { RevocationStore } from "./revocations.ts";
import { RunScan } from "./run_scan.ts";
import { RunPicks } from "./run_picks.ts";
import { RunStats } from "./run_stats.ts";
import { RunVerdicts } from "./run_verdicts.ts";
import { RunStore } from "./runs.ts";
import { ScheduleStore } from "./schedules.ts";
import { SystemMinuteStore } from "./system_minutes.ts";
import { copyDatabase } from "./upgrade_copy.ts";

/** Everything that is stored in SQLite, a member a noun. One writer: the daemon's main thread. */
export class Store {
  readonly runs: RunStore;
  readonly scan: RunScan;
  readonly picks: RunPicks;
  readonly stats: RunStats;
  readonly schedules: ScheduleStore;
  readonly retries: RetryStore;
  readonly revocations: RevocationStore;
  readonly systemMinutes: SystemMinuteStore;
  readonly verdicts: RunVerdicts;
  readonly notices: NoticeStore;
  readonly deliveries: DeliveryStore;
  readonly expectations: ExpectationStore;
  readonly logSizes: LogSizes;
  readonly containers: ContainerStore;
  /** The last user of the database ended without closing it. */
  readonly unclean: boolean;
  readonly #database: Database;

  /** Opens the database file, or one in memory for ":memory:". Throws `Fault`. */
  constructor(path: string) {
    this.#database = openDatabase(path);
    const db: DatabaseSync = this.#database.db;
    this.unclean = this.#database.unclean;
    this.runs = new RunStore(db);
    this.scan = new RunScan(db);
    this.picks = new RunPicks(db);
    this.stats = new RunStats(db);
    this.schedules = new ScheduleStore(db);
    this.retries = new RetryStore(db);
    this.revocations = new RevocationStore(db);
    this.systemMinutes = new SystemMinuteStore(db);
    this.verdicts = new RunVerdicts(db);
    this.notices = new NoticeStore(db);
    this.deliveries = new DeliveryStore(db);
    this.expectations = new ExpectationStore(db);
    this.logSizes = new LogSizes(db);
    this.containers = new ContainerStore(db);
  }

  /** All of `body` is stored, or none. */
  transaction<T>(body: () => T): T {
    return transaction(this.#database.db, body);
  }

  /** The value of a setting of this installation, made by `create` the first time. */
  setting(key: string, create: () => string): string {
    const known = readMeta(this.#database.db, key);
    if (known !== undefined) return known;
    const value = create();
    writeMeta(this.#database.db, key, value);
    return value;
  }

  /** What was noted under a key; undefined: nothing yet. */
  mark(key: string): string | undefined {
    return readMeta(this.#database.db, key);
  }

  setMark(key: string, value: string): void {
    writeMeta(this.#database.db, key, value);
  }

  /**
   * Answers the first of `count` numbers in a row that are larger than all that were ever handed out under this
   * key, and at least `least`.
   */
  reserve(key: string, { count, least = 0 }: { count: number; least?: number }): number {
    return this.transaction(() => {
      const first = Math.max(least, Number(readMeta(this.#database.db, key) ?? 0));
      writeMeta(this.#database.db, key, String(first + count));
      return first;
    });
  }

  /** A consistent copy of all of it; `folder` takes a temporary file meanwhile. Throws `Fault`. */
  backup(folder: string): Promise<BackupFile> {
    return openBackup(this.#database.db, folder);
  }

  /** Copies all of it to a file as it is, for this very data folder. Throws `Fault`. */
  copyTo(path: string): Promise<void> {
    return copyDatabase(this.#database.db, path);
  }

  /** Size of the database in bytes, without what its write-ahead log holds. */
  get bytes(): number {
    const { db } = this.#database;
    const size = db.prepare(
      "SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size",
    ).get();
    return Number(size?.bytes ?? 0);
  }

  close(): void {
    this.#database.close();
  }
}
