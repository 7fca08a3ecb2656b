import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Notice, NoticeKind, Severity } from "../../core/notices.ts";

const columns =
  "id, fingerprint, kind, severity, unit, run_id, title, body, count, occurrences, created_at, last_at, read_at";

/** The rows of the bell. Times are Unix ms. */
export class NoticeStore {
  readonly #db: DatabaseSync;
  readonly #put: StatementSync;
  readonly #newest: StatementSync;
  readonly #unread: StatementSync;
  readonly #removeOld: StatementSync;
  readonly #removeExcess: StatementSync;
  readonly #told: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#put = db.prepare(
      `INSERT OR REPLACE INTO notices (${columns}) VALUES (${columns.split(",").map(() => "?").join(", ")})`,
    );
    this.#newest = db.prepare(
      `SELECT ${columns} FROM notices WHERE fingerprint = ? ORDER BY created_at DESC, id DESC LIMIT 1`,
    );
    this.#unread = db.prepare("SELECT count(*) AS n FROM notices WHERE read_at IS NULL");
    this.#told = db.prepare("DELETE FROM untold WHERE run_id = ?");
    this.#removeOld = db.prepare("DELETE FROM notices WHERE last_at < ?");
    this.#removeExcess = db.prepare(
      "DELETE FROM notices WHERE id <= (SELECT id FROM notices ORDER BY id DESC LIMIT 1 OFFSET ?)",
    );
  }

  /** Stores a new row, or what has become of one. */
  put(notice: Notice): void {
    this.#put.run(
      notice.id,
      notice.fingerprint,
      notice.kind,
      notice.severity,
      notice.unit,
      notice.runId,
      notice.title,
      notice.body,
      notice.count,
      JSON.stringify(notice.occurrences),
      notice.createdAt,
      notice.lastOccurredAt,
      notice.readAt ?? null,
    );
  }

  get(id: string): Notice | undefined {
    const row = this.#db.prepare(`SELECT ${columns} FROM notices WHERE id = ?`).get(id);
    return row && toNotice(row);
  }

  newest(fingerprint: string): Notice | undefined {
    const row = this.#newest.get(fingerprint);
    return row && toNotice(row);
  }

  /** Newest first; those before an id, where one is given. */
  list({ limit, before }: { limit: number; before?: string }): Notice[] {
    const where = before === undefined ? "" : "WHERE id < ?";
    const rows = this.#db.prepare(`SELECT ${columns} FROM notices ${where} ORDER BY id DESC LIMIT ?`);
    return (before === undefined ? rows.all(limit) : rows.all(before, limit)).map(toNotice);
  }

  unreadCount(): number {
    return Number(this.#unread.get()?.n ?? 0);
  }

  /** One that was read before keeps its time; `at` undefined makes it unread. */
  mark(id: string, at: number | undefined): void {
    if (at === undefined) this.#db.prepare("UPDATE notices SET read_at = NULL WHERE id = ?").run(id);
    else this.#db.prepare("UPDATE notices SET read_at = ? WHERE id = ? AND read_at IS NULL").run(at, id);
  }

  /** Answers how many were unread. */
  markAllRead(at: number): number {
    return Number(this.#db.prepare("UPDATE notices SET read_at = ? WHERE read_at IS NULL").run(at).changes);
  }

  /** Ids of runs whose failure nobody has been told of, oldest first. */
  untold(): string[] {
    return this.#db.prepare("SELECT run_id FROM untold ORDER BY run_id").all().map((row) =>
      String(row.run_id)
    );
  }

  /** The failure of a run was told, or is none to tell of. */
  told(runId: string): void {
    this.#told.run(runId);
  }

  /** Removes all but the newest `keep`, and those whose last occurrence was before a time. Answers how many went. */
  prune({ keep, before }: { keep: number; before?: number }): number {
    const old = before === undefined ? 0 : Number(this.#removeOld.run(before).changes);
    return old + Number(this.#removeExcess.run(keep).changes);
  }
}

function toNotice(row: Record<string, unknown>): Notice {
  const notice: Notice = {
    id: String(row.id),
    fingerprint: String(row.fingerprint),
    kind: row.kind as NoticeKind,
    severity: row.severity as Severity,
    unit: String(row.unit),
    runId: String(row.run_id),
    title: String(row.title),
    body: String(row.body),
    count: Number(row.count),
    occurrences: JSON.parse(String(row.occurrences)),
    createdAt: Number(row.created_at),
    lastOccurredAt: Number(row.last_at),
  };
  if (row.read_at !== null) notice.readAt = Number(row.read_at);
  return notice;
}
