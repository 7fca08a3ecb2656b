import { quantile } from "../../src/core/quantile.ts";
import type { Run } from "../data/runs.ts";

/** How long a run took, ms; undefined for one that has not ended or never executed. */
export function lengthOf(run: Run): number | undefined {
  if (run.start_at === undefined || run.end_at === undefined) return undefined;
  return Math.max(0, Date.parse(run.end_at) - Date.parse(run.start_at));
}

/** What the lengths of some runs say together; times in ms. */
export interface LengthStats {
  count: number;
  p50: number | undefined;
  p95: number | undefined;
  max: number | undefined;
  /** Of those that ended by themselves, from 0 to 1; undefined where none did. */
  success: number | undefined;
}

const byThemselves = new Set(["success", "failed", "timeout", "crashed", "log_overflow"]);

/** The lengths of runs that executed, and how many of them went well. */
export function lengthStats(runs: readonly Run[]): LengthStats {
  const executed = runs.filter((run) => lengthOf(run) !== undefined);
  const sorted = executed.map((run) => lengthOf(run)!).sort((a, b) => a - b);
  const judged = executed.filter(({ end_reason }) => byThemselves.has(end_reason ?? ""));
  const well = judged.filter(({ end_reason }) => end_reason === "success").length;
  return {
    count: sorted.length,
    p50: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    max: sorted.at(-1),
    success: judged.length === 0 ? undefined : well / judged.length,
  };
}

/** How long a unit's run usually takes, ms: the middle of those that went well. */
export function usualLength(runs: readonly Run[]): number | undefined {
  const well = runs.filter(({ end_reason }) => end_reason === "success");
  return lengthStats(well).p50;
}
