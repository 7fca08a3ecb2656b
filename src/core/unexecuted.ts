import type { EndReason, FailureRule, Run } from "../types.ts";
import { endRun } from "./outcome.ts";
import { whyNotExecuted } from "./words.ts";

/**
 * The end of a run that never executed: exit code -1, and a sentence that says why. `at` is Unix ms; `failure`
 * overrules what the unit's `failures` say, `why` the sentence.
 */
export function endUnexecuted(
  { failures }: { failures: readonly FailureRule[] },
  run: Run,
  { reason, at, failure, why }: { reason: EndReason; at: number; failure?: boolean; why?: string },
): Run {
  const error = why ?? whyNotExecuted(reason);
  // One whose start could not be stored as a whole may say when that was tried.
  const { startedAt: _, ...unstarted } = run;
  const ended = endRun(unstarted, { reason, exitCode: -1, ...(error === undefined ? {} : { error }) }, {
    failures,
    at,
  });
  return failure === undefined ? ended : { ...ended, isFailure: failure };
}
