import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Content, Delivery, DeliveryEnd } from "../../core/notify/outbox.ts";

const columns =
  "id, channel, fingerprint, content, window_at, count, is_summary, due_at, first_tried_at, attempts";

/** The outbox: messages that wait, and for a while those that don't any more. Times are Unix ms. */
export class DeliveryStore {
  readonly #put: StatementSync;
  readonly #newest: StatementSync;
  readonly #due: StatementSync;
  readonly #waiting: StatementSync;
  readonly #held: StatementSync;
  readonly #hasten: StatementSync;
  readonly #settle: StatementSync;
  readonly #prune: StatementSync;

  constructor(db: DatabaseSync) {
    this.#put = db.prepare(
      `INSERT INTO deliveries (${columns}) VALUES (${columns.split(",").map(() => "?").join(", ")})
       ON CONFLICT (id) DO UPDATE SET content = excluded.content, count = excluded.count, due_at = excluded.due_at,
         first_tried_at = excluded.first_tried_at, attempts = excluded.attempts`,
    );
    this.#newest = db.prepare(
      `SELECT ${columns}, state FROM deliveries WHERE channel = ? AND fingerprint = ? ORDER BY id DESC LIMIT 1`,
    );
    this.#due = db.prepare(
      `SELECT ${columns} FROM deliveries WHERE state = 'waiting' AND channel = ? AND due_at <= ?
       ORDER BY id LIMIT ?`,
    );
    this.#waiting = db.prepare(
      "SELECT channel, min(due_at) AS due_at FROM deliveries WHERE state = 'waiting' GROUP BY channel ORDER BY due_at",
    );
    this.#held = db.prepare(
      `SELECT channel, max(due_at) AS due_at FROM deliveries WHERE state = 'waiting' AND attempts > 0 GROUP BY channel`,
    );
    this.#hasten = db.prepare(
      "UPDATE deliveries SET due_at = ?1 WHERE state = 'waiting' AND attempts > 0 AND due_at > ?1 + ?2",
    );
    this.#settle = db.prepare("UPDATE deliveries SET state = ?, settled_at = ? WHERE id = ?");
    this.#prune = db.prepare("DELETE FROM deliveries WHERE state <> 'waiting' AND settled_at < ?");
  }

  /** Stores a new one, or what has become of one that waits. */
  put(delivery: Delivery): void {
    this.#put.run(
      delivery.id,
      delivery.channel,
      delivery.fingerprint,
      JSON.stringify(delivery.content),
      delivery.windowAt,
      delivery.count,
      delivery.isSummary ? 1 : 0,
      delivery.dueAt,
      delivery.firstTriedAt ?? null,
      delivery.attempts,
    );
  }

  newest(channel: string, fingerprint: string): { delivery: Delivery; isWaiting: boolean } | undefined {
    const row = this.#newest.get(channel, fingerprint);
    return row && { delivery: toDelivery(row), isWaiting: row.state === "waiting" };
  }

  /** Those of a receiver that are due, in the order in which they came. */
  due(channel: string, { now, limit }: { now: number; limit: number }): Delivery[] {
    return this.#due.all(channel, now, limit).map(toDelivery);
  }

  /** Who has something to receive, and from when on, who has waited longest first. */
  waiting(): Array<{ channel: string; dueAt: number }> {
    return this.#waiting.all().map(toWaiting);
  }

  /** Who was tried in vain, and when to try again. */
  postponed(): Array<{ channel: string; dueAt: number }> {
    return this.#held.all().map(toWaiting);
  }

  /** What was tried in vain is due now, if it is due in more than `patience` (ms). */
  hasten(now: number, { patience }: { patience: number }): void {
    this.#hasten.run(now, patience);
  }

  end(ids: readonly string[], { end, at }: { end: DeliveryEnd; at: number }): void {
    for (const id of ids) this.#settle.run(end, at, id);
  }

  /** Forgets those that were settled before a time. */
  prune(before: number): void {
    this.#prune.run(before);
  }
}

function toWaiting(row: Record<string, unknown>): { channel: string; dueAt: number } {
  return { channel: String(row.channel), dueAt: Number(row.due_at) };
}

function toDelivery(row: Record<string, unknown>): Delivery {
  const delivery: Delivery = {
    id: String(row.id),
    channel: String(row.channel),
    fingerprint: String(row.fingerprint),
    content: JSON.parse(String(row.content)) as Content,
    windowAt: Number(row.window_at),
    count: Number(row.count),
    isSummary: Number(row.is_summary) === 1,
    dueAt: Number(row.due_at),
    attempts: Number(row.attempts),
  };
  if (row.first_tried_at !== null) delivery.firstTriedAt = Number(row.first_tried_at);
  return delivery;
}
