/// <reference lib="dom" />
import { durationWords } from "../../../src/core/time_words.ts";
import { usualLength } from "../../charts/stats.ts";
import { stopRun } from "../../app/actions.ts";
import { Icon } from "../../app/icons.tsx";
import { addressOf, Link } from "../../app/router.tsx";
import { now } from "../../data/clock.ts";
import type { Run } from "../../data/runs.ts";
import { Action } from "../../parts/button.tsx";
import { State, wordOfRun } from "../../parts/mark.tsx";
import { Duration } from "../../parts/times.tsx";
import { useRecentRuns } from "../units/recent_runs.ts";
import { openOnEnter } from "./row_keys.ts";
import { LastLine } from "./last_line.tsx";

/** So many are shown, the longest first. */
const most = 8;
/** So many of them with what they say. */
const mostSaid = 5;

/** The runs that come first: those that execute, the oldest first, then those that wait. */
export function inOrder(runs: readonly Run[]): Run[] {
  return [...runs].sort((a, b) =>
    a.status === b.status ? (a.id < b.id ? -1 : 1) : a.status === "running" ? -1 : 1
  );
}

/** Active runs of tasks: how long each has taken against what it usually takes, and what it said last. */
export function RunningList({ runs }: { runs: readonly Run[] }) {
  if (runs.length === 0) return <p class="body muted">Nothing runs at this moment.</p>;
  return (
    <>
      <ul class="overview-running">
        {inOrder(runs).slice(0, most).map((run, i) => (
          <li key={run.id} data-row tabIndex={0} onKeyDown={openOnEnter(addressOf.run(run.id))}>
            <State word={wordOfRun(run)} isMarkOnly />
            <Link href={addressOf.run(run.id)}>{run.task_name}</Link>
            {run.retry_attempt > 0 ? <span class="muted">attempt {run.retry_attempt + 1}</span> : null}
            <span class="fill" />
            {run.status === "pending" ? <span class="muted">queued</span> : <Elapsed run={run} />}
            <Action
              what={`stop ${run.id}`}
              class="icon"
              title="Stop"
              onClick={() =>
                void stopRun(run)}
            >
              <Icon name="stop" />
              <span class="hidden">Stop {run.task_name}</span>
            </Action>
            {i < mostSaid && run.status === "running"
              ? (
                <div class="line">
                  <LastLine run={run} />
                </div>
              )
              : null}
          </li>
        ))}
      </ul>
      {runs.length <= most ? null : (
        <p class="rest">
          <Link href="/runs?status=pending,running">and {runs.length - most} more</Link>
        </p>
      )}
    </>
  );
}

function Elapsed({ run }: { run: Run }) {
  const usual = usualLength(useRecentRuns(run.task_name) ?? []);
  const elapsed = Math.max(0, now.value - Date.parse(run.start_at ?? run.created_at));
  return (
    <span class="elapsed" title={usual === undefined ? undefined : `Usually ${durationWords(usual)}`}>
      {usual === undefined ? null : <UsualBar elapsed={elapsed} usual={usual} />}
      <Duration from={run.start_at} to={undefined} />
      {usual === undefined ? null : <span class="muted">of {durationWords(usual)}</span>}
    </span>
  );
}

/** How far a run is if it takes as long as usual; one that takes longer than usual fills it and is marked. */
export function UsualBar({ elapsed, usual }: { elapsed: number; usual: number }) {
  const share = Math.min(1, elapsed / Math.max(1, usual));
  const isLate = elapsed > 1.5 * usual && elapsed - usual > 2000;
  return (
    <svg class={isLate ? "usual late" : "usual"} viewBox="0 0 60 4" width="60" height="4" aria-hidden="true">
      <rect class="all" width={60} height={4} rx={2} />
      <rect class="share" width={Math.max(2, 60 * share)} height={4} rx={2} />
    </svg>
  );
}
