import type { DatabaseSync } from "node:sqlite";
import { type Database, openDatabase, readMeta, transaction, writeMeta } from "./database.ts";
import { RetryStore } from "./retries.ts";
import { RunStore } from "./runs.ts";
import { ScheduleStore } from "./schedules.ts";

/** Everything that is stored in SQLite, a member a noun. One writer: the daemon's main thread. */
export class Store {
  readonly runs: RunStore;
  readonly schedules: ScheduleStore;
  readonly retries: RetryStore;
  /** The last user of the database ended without closing it. */
  readonly unclean: boolean;
  readonly #database: Database;

  /** Opens the database file, or one in memory for ":memory:". Throws `Fault`. */
  constructor(path: string) {
    this.#database = openDatabase(path);
    const db: DatabaseSync = this.#database.db;
    this.unclean = this.#database.unclean;
    this.runs = new RunStore(db);
    this.schedules = new ScheduleStore(db);
    this.retries = new RetryStore(db);
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

  close(): void {
    this.#database.close();
  }
}
