/** Runs that ended in one stretch of time, by end reason, as the API tells them. */
export interface Bucket {
  /** RFC 3339. */
  start: string;
  counts: Readonly<Record<string, number>>;
}

/** The kinds of ends that a chart tells apart. */
export const outcomes = ["ok", "failed", "missed", "stopped"] as const;
export type Outcome = (typeof outcomes)[number];
export type OutcomeCounts = Readonly<Record<Outcome, number>>;

const outcomeOf: Readonly<Record<string, Outcome>> = {
  success: "ok",
  failed: "failed",
  timeout: "failed",
  crashed: "failed",
  log_overflow: "failed",
  start_failed: "failed",
  missed: "missed",
  queue_full: "missed",
};

/** How many runs of some buckets ended in which way; what neither went well nor wrong counts as stopped. */
export function countOutcomes(buckets: readonly Bucket[]): OutcomeCounts {
  const sum = { ok: 0, failed: 0, missed: 0, stopped: 0 };
  for (const { counts } of buckets) {
    for (const [reason, count] of Object.entries(counts)) sum[outcomeOf[reason] ?? "stopped"] += count;
  }
  return sum;
}

const words: Readonly<Record<Outcome, string>> = {
  ok: "ok",
  failed: "failed",
  missed: "missed",
  stopped: "stopped or skipped",
};

/** `12 ok, 1 failed`; `no runs` where there were none. */
export function outcomeWords(counts: OutcomeCounts): string {
  const parts = outcomes.filter((outcome) => counts[outcome] > 0).map((outcome) =>
    `${counts[outcome]} ${words[outcome]}`
  );
  return parts.length === 0 ? "no runs" : parts.join(", ");
}

/** The outcome that a day is shown in: the worst of it, undefined for a day without runs. */
export function worstOutcome(counts: OutcomeCounts): Outcome | undefined {
  return (["failed", "missed", "ok", "stopped"] as const).find((outcome) => counts[outcome] > 0);
}
