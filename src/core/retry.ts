import type { Run, Task } from "../types.ts";

/** Whether a run that has ended is tried again (docs/behaviour.md#retries). */
export function owesRetry({ retryAttempts }: Pick<Task, "retryAttempts">, run: Run): boolean {
  return run.isFailure && run.endReason !== "stopped" && run.retryAttempt < retryAttempts;
}
