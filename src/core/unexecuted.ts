import type { EndReason, FailureRule, Run } from "../types.ts";
import { isFailure } from "./outcome.ts";

/** Why a run ended without executing, in a sentence. */
const sentences: Partial<Record<EndReason, string>> = {
  skipped: "skipped: the task was running at its limit already",
  queue_full: "not queued: the queue of the task is full",
  stopped: "stopped before it started",
  daemon_stopped: "the daemon stopped before it started",
  dst_skipped: "the clock went back: this time of day had its run already",
  missed: "missed: the daemon was not running, or the machine slept",
};

/**
 * Ends a run that never executed: exit code -1, and a sentence that says why. `at` is Unix ms; `failure`
 * overrules what the unit's `failures` say.
 */
export function endUnexecuted(
  unit: { failures: readonly FailureRule[] },
  run: Run,
  end: { reason: EndReason; at: number; failure?: boolean },
): void {
  run.status = "ended";
  run.exitCode = -1;
  run.endReason = end.reason;
  run.endedAt = end.at;
  run.isFailure = end.failure ?? isFailure({ reason: end.reason, exitCode: -1 }, unit.failures);
  const error = sentences[end.reason];
  if (error !== undefined) run.error = error;
}
