import type { EndReason, FailureRule, Run } from "../types.ts";
import { isFailure } from "./outcome.ts";
import { whyNotExecuted } from "./words.ts";

/**
 * The end of a run that never executed: exit code -1, and a sentence that says why. `at` is Unix ms; `failure`
 * overrules what the unit's `failures` say, `why` the sentence.
 */
export function endUnexecuted(
  unit: { failures: readonly FailureRule[] },
  run: Run,
  end: { reason: EndReason; at: number; failure?: boolean; why?: string },
): Run {
  const error = end.why ?? whyNotExecuted(end.reason);
  // One whose start could not be stored as a whole may say when that was tried.
  const { startedAt: _, ...unstarted } = run;
  return {
    ...unstarted,
    status: "ended",
    exitCode: -1,
    endReason: end.reason,
    endedAt: end.at,
    isFailure: end.failure ?? isFailure({ reason: end.reason, exitCode: -1 }, unit.failures),
    ...(error === undefined ? {} : { error }),
  };
}
