import type { DatabaseSync } from "node:sqlite";
import type { EndReason } from "../../types.ts";

/** Counts over runs that were created since some time. */
export interface RunSummary {
  total: number;
  success: number;
  /** Failures that are not `missed`. */
  failed: number;
  missed: number;
  /** When the newest failure ended, Unix ms. */
  lastFailure?: number;
}

/** Ended runs of one stretch of time, by how they ended. */
export interface RunBucket {
  /** Unix ms. */
  start: number;
  counts: Partial<Record<EndReason, number>>;
}

/** Sums over the history. */
export class RunStats {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  summary(since: number): RunSummary {
    const row = this.#db.prepare(
      `SELECT count(*) AS total,
         coalesce(sum(end_reason = 'success'), 0) AS success,
         coalesce(sum(is_failure = 1 AND end_reason <> 'missed'), 0) AS failed,
         coalesce(sum(end_reason = 'missed'), 0) AS missed,
         max(CASE WHEN is_failure = 1 THEN ended_at END) AS last_failure
       FROM runs WHERE deleted_at IS NULL AND created_at >= ?`,
    ).get(since)!;
    return {
      total: Number(row.total),
      success: Number(row.success),
      failed: Number(row.failed),
      missed: Number(row.missed),
      ...(row.last_failure === null ? {} : { lastFailure: Number(row.last_failure) }),
    };
  }

  /** Buckets of `width` ms that cover [since, until), empty ones included; their starts are multiples of the width. */
  histogram(span: { since: number; until: number; width: number; unit?: string }): RunBucket[] {
    const first = Math.floor(span.since / span.width);
    const last = Math.max(first, Math.ceil(span.until / span.width) - 1);
    const buckets = Array.from(
      { length: last - first + 1 },
      (_, index): RunBucket => ({ start: (first + index) * span.width, counts: {} }),
    );
    const rows = this.#db.prepare(
      `SELECT created_at / CAST(? AS INTEGER) AS slot, end_reason, count(*) AS n FROM runs
       WHERE deleted_at IS NULL AND status = 'ended' AND created_at >= ? AND created_at < ?
         ${span.unit === undefined ? "" : "AND unit = ?"}
       GROUP BY slot, end_reason`,
    ).all(
      span.width,
      first * span.width,
      (last + 1) * span.width,
      ...(span.unit === undefined ? [] : [span.unit]),
    );
    for (const row of rows) {
      buckets[Number(row.slot) - first]!.counts[row.end_reason as EndReason] = Number(row.n);
    }
    return buckets;
  }
}
