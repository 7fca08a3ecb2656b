import { backoffDelay, longestRetryDelay } from "../../core/backoff.ts";
import { owesRetry } from "../../core/retry.ts";
import type { DueRetry } from "../../io/store/retries.ts";
import type { Run, Task } from "../../types.ts";
import { retryAfter } from "../retry_after.ts";
import type { World } from "../world.ts";

/** Retries to come: stored with the end of the failed run, made when due, also by a later daemon (docs/behaviour.md#retries). */
export class Retries {
  readonly #world: World;
  /** Makes the retry's run; `record` belongs to the transaction that stores it. */
  readonly #make: (retry: DueRetry, record: () => void) => void;
  readonly #timers = new Map<string, { retry: DueRetry; cancel: () => void }>();
  #stopped = false;

  constructor(world: World, make: (retry: DueRetry, record: () => void) => void) {
    this.#world = world;
    this.#make = make;
  }

  /**
   * Stores the retry that a failed run is owed, and answers it; to be called in the transaction that stores the run's
   * end, and only once that is stored is the retry to be scheduled.
   */
  record(task: Task, run: Run): DueRetry | undefined {
    if (!owesRetry(task, run)) return undefined;
    const attempt = run.retryAttempt + 1;
    const delay = backoffDelay(task.retryBackoff, task.retryDelay, { n: attempt, cap: longestRetryDelay });
    const retry: DueRetry = {
      unit: task.name,
      ofRun: run.retryOf ?? run.id,
      attempt,
      dueAt: run.endedAt! + Math.ceil(delay),
      trigger: run.trigger,
      ...(run.params === undefined ? {} : { params: run.params }),
    };
    this.#world.store.retries.put(retry);
    return retry;
  }

  /** Makes a stored retry when it is due; one that was due in the past is made at once. */
  schedule(retry: DueRetry): void {
    if (this.#stopped) return;
    const key = keyOf(retry);
    this.#timers.get(key)?.cancel();
    const delay = Math.max(0, retry.dueAt - this.#world.clock.now());
    const cancel = this.#world.clock.after(delay, () => {
      this.#timers.delete(key);
      this.#tryToMake(retry);
    });
    this.#timers.set(key, { retry, cancel });
  }

  /** Those that are to come, the soonest first. */
  scheduled(): DueRetry[] {
    return Array.from(this.#timers.values(), ({ retry }) => retry).sort((a, b) => a.dueAt - b.dueAt);
  }

  #tryToMake(retry: DueRetry): void {
    try {
      this.#make(retry, () => this.#world.store.retries.remove(retry));
    } catch (error) {
      this.#world.refusals.note("cannot make a retry", { error, facts: { unit: retry.unit } });
      this.schedule({ ...retry, dueAt: this.#world.clock.now() + retryAfter });
    }
  }

  /** Ends the retry chains of a task. */
  cancel(unit: string): void {
    this.#world.store.retries.removeOf(unit);
    this.forget(unit);
  }

  /** Makes none of a task's retries, whose rows are gone. */
  forget(unit: string): void {
    for (const [key, timer] of this.#timers) {
      if (timer.retry.unit !== unit) continue;
      timer.cancel();
      this.#timers.delete(key);
    }
  }

  /** Makes none any more; those that are stored wait for the next daemon. */
  stop(): void {
    this.#stopped = true;
    for (const { cancel } of this.#timers.values()) cancel();
    this.#timers.clear();
  }
}

function keyOf(retry: DueRetry): string {
  return `${retry.ofRun}/${retry.attempt}`;
}
