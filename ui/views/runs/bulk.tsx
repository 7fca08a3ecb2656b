import { act, deleteRuns, rerun, type Selector, stopRun } from "../../app/actions.ts";
import { addressOf, go } from "../../app/router.tsx";
import { say } from "../../app/toast.tsx";
import type { Run } from "../../data/runs.ts";
import { send } from "../../net/api.ts";
import { Action } from "../../parts/button.tsx";

/** A number of runs, in words. */
export function runsWords(count: number): string {
  return count === 1 ? "1 run" : `${count.toLocaleString("en-US")} runs`;
}

/** Stops many runs, and tells how many were to be stopped. */
export async function stopMany(selector: Selector): Promise<void> {
  const answer = await act(
    "stop runs",
    () => send("/api/runs/bulk/stop", {}, selector),
  );
  if (answer !== undefined) say(stoppedWords(answer.affected, answer.skipped?.length ?? 0));
}

/** What came of a stop. */
export function stoppedWords(affected: number, skipped: number): string {
  if (affected === 0) return "None of these runs was active";
  const rest = skipped === 0 ? "" : `; ${skipped.toLocaleString("en-US")} had ended before`;
  return `${runsWords(affected)} ${affected === 1 ? "is" : "are"} being stopped${rest}`;
}

/** Makes a fresh run for each task among many runs. */
export async function rerunMany(selector: Selector): Promise<void> {
  const answer = await act(
    "rerun runs",
    () => send("/api/runs/bulk/rerun", {}, selector),
  );
  if (answer === undefined) return;
  const made = answer.triggered ?? [];
  const [first] = made;
  if (first === undefined) return void say("There was nothing to run again: these runs are of no task");
  const names = made.slice(0, 3).map(({ task_name }) => task_name).join(", ");
  say(
    `Started ${made.length === 1 ? names : `${made.length} tasks: ${names}${made.length > 3 ? " …" : ""}`}`,
    {
      role: "good",
      action: {
        label: made.length === 1 ? "Log" : "Runs",
        run: () => go(made.length === 1 ? addressOf.run(first.run_id) : "/runs?status=pending,running"),
      },
    },
  );
}

/** What is done to the focused run, where none is selected. */
export const single = {
  stop: (run: Run): void => void stopRun(run),
  rerun: (run: Run): void => void rerun(run),
  delete: (run: Run, onBack: () => void): Promise<boolean> => deleteRuns({ ids: [run.id] }, onBack),
};

interface BulkBarProps {
  count: number;
  /** All that match, unless they are selected already. */
  total: number | undefined;
  onAll: () => void;
  onClear: () => void;
  onDelete: () => void;
  onStop: () => void;
  onRerun: () => void;
}

/** What can be done to the selected runs. */
export function BulkBar({ count, total, onAll, onClear, onDelete, onStop, onRerun }: BulkBarProps) {
  return (
    <div class="runs-bulk" role="region" aria-label="Selected runs">
      <strong role="status">{runsWords(count)} selected</strong>
      {total === undefined || total <= count
        ? null
        : <button type="button" class="link" onClick={onAll}>Select all {runsWords(total)} that match
        </button>}
      <span class="row">
        <Action what="rerun runs" onClick={onRerun} title="A fresh run for each task among them (r)">
          Rerun
        </Action>
        <Action what="stop runs" onClick={onStop} title="Stop those that are active (s)">Stop</Action>
        <Action what="delete runs" class="danger" onClick={onDelete} title="Delete those that have ended (#)">
          Delete
        </Action>
        <button type="button" onClick={onClear} title="Escape">Clear</button>
      </span>
    </div>
  );
}
