import type { EndReason, FailureRule, Run } from "../types.ts";
import { isFailure } from "./outcome.ts";
import { whyNotExecuted } from "./words.ts";

/**
 * Ends a run that never executed: exit code -1, and a sentence that says why. `at` is Unix ms; `failure`
 * overrules what the unit's `failures` say, `why` the sentence.
 */
export function endUnexecuted(
  unit: { failures: readonly FailureRule[] },
  run: Run,
  end: { reason: EndReason; at: number; failure?: boolean; why?: string },
): void {
  run.status = "ended";
  run.exitCode = -1;
  run.endReason = end.reason;
  run.endedAt = end.at;
  run.isFailure = end.failure ?? isFailure({ reason: end.reason, exitCode: -1 }, unit.failures);
  const error = end.why ?? whyNotExecuted(end.reason);
  if (error !== undefined) run.error = error;
}
