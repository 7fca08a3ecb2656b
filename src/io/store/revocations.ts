import type { DatabaseSync, StatementSync } from "node:sqlite";

/** Sessions that were ended before their time, until that time. Times are Unix ms. */
export class RevocationStore {
  readonly #add: StatementSync;
  readonly #has: StatementSync;
  readonly #prune: StatementSync;

  constructor(db: DatabaseSync) {
    this.#add = db.prepare("INSERT OR IGNORE INTO revoked_sessions (id, expires_at) VALUES (?, ?)");
    this.#has = db.prepare("SELECT 1 FROM revoked_sessions WHERE id = ?");
    this.#prune = db.prepare("DELETE FROM revoked_sessions WHERE expires_at <= ?");
  }

  /** Refuses a session from now on; forgets those that have expired by `now`. */
  revoke(session: { id: string; expiresAt: number }, now: number): void {
    this.#prune.run(now);
    this.#add.run(session.id, session.expiresAt);
  }

  isRevoked(id: string): boolean {
    return this.#has.get(id) !== undefined;
  }
}
