/// <reference lib="dom" />
import { useEffect } from "preact/hooks";
import { markOf } from "../../../src/core/words.ts";
import { Link } from "../../app/router.tsx";
import { now } from "../../data/clock.ts";
import { refusing } from "../../data/daemon.ts";
import { activeRuns, type Run } from "../../data/runs.ts";
import { loadUnits, type Unit, unitList, units, unitsError } from "../../data/units.ts";
import { Failed, Skeleton } from "../../parts/states.tsx";
import { rememberedSet } from "../units/remembered_set.ts";
import { stillMeant, type Trouble, troublesOf, withDismissed } from "./attention.ts";
import { AttentionList } from "./attention_list.tsx";
import { Day } from "./day.tsx";
import { activeList, failures, watchFailures } from "./failures.ts";
import { FirstStart } from "./first_start.tsx";
import { LastLine } from "./last_line.tsx";
import { LiveMachine } from "./machine.tsx";
import { RunningList } from "./running_list.tsx";
import { type Sentence, sentenceOf } from "./sentence.ts";
import { UpNext } from "./up_next.tsx";

/** What was dismissed until something new happens to it. */
const dismissed = rememberedSet("dismissed", 200);

/** Whether all is well, and where not. */
export default function Overview() {
  useEffect(watchFailures, []);
  useEffect(() => {
    const hidden = dismissed.value.value;
    if (units.value === undefined || hidden.size === 0) return;
    const meant = stillMeant(hidden, units.value);
    if (meant.length < hidden.size) dismissed.keep(meant);
  }, [units.value]);
  if (units.value === undefined) {
    return unitsError.value === undefined
      ? <Skeleton />
      : <Failed isView what="the units" why={unitsError.value} onRetry={() => void loadUnits()} />;
  }
  if (units.value.size === 0) return <FirstStart />;
  if (failures.value === undefined || activeRuns.value === undefined) return <Skeleton />;
  const facts = { failures: failures.value, active: activeList() };
  const hidden = dismissed.value.value;
  const all = troublesOf(unitList.value, facts);
  const troubles = all.filter(({ key }) => !hidden.has(key));
  const running = activeList().filter(({ task_name }) => units.value?.get(task_name)?.kind === "task");
  return (
    <div class="overview">
      <LiveSentence units={unitList.value} attention={troubles.length} running={running} />
      {all.length === troubles.length ? null : (
        <p class="overview-dismissed">
          {all.length - troubles.length} dismissed.{" "}
          <button type="button" class="link" onClick={() => dismissed.keep([])}>Show again</button>
        </p>
      )}
      {troubles.length === 0 ? null : (
        <AttentionList
          troubles={troubles}
          onDismiss={dismiss}
          lineOf={({ run }) => run === undefined ? null : <LastLine run={run} />}
        />
      )}
      <div class="columns">
        <div>
          <section class="panel" aria-labelledby="overview-running">
            <h2 id="overview-running">Running now</h2>
            <RunningList runs={running} />
          </section>
          <section class="panel" aria-labelledby="overview-day">
            <h2 id="overview-day">Last 24 hours</h2>
            <Day />
          </section>
        </div>
        <div>
          <section class="panel" aria-labelledby="overview-next">
            <h2 id="overview-next">Up next</h2>
            <UpNext units={unitList.value} />
          </section>
          <section class="panel" aria-labelledby="overview-machine">
            <header class="row">
              <h2 id="overview-machine">Machine</h2>
              <span class="fill" />
              <Link href="/system">System</Link>
            </header>
            <LiveMachine />
          </section>
        </div>
      </div>
    </div>
  );
}

/** Hides a trouble until its key changes. */
function dismiss(trouble: Trouble): void {
  dismissed.keep(withDismissed(dismissed.value.value, trouble));
}

function LiveSentence(
  { units, attention, running }: { units: readonly Unit[]; attention: number; running: readonly Run[] },
) {
  const executing = running.filter(({ status }) => status === "running").length;
  const isRefused = refusing.value !== undefined;
  return <FirstLine {...sentenceOf(units, { attention, running: executing, now: now.value, isRefused })} />;
}

/** The first line of the page. */
export function FirstLine({ isWell, head, rest }: Sentence) {
  return (
    <h1 class="overview-sentence">
      <span class={isWell ? "good" : "bad"}>
        <span aria-hidden="true">{markOf(isWell ? "ok" : "failed")}</span> {head}
      </span>{" "}
      <span class="rest">{rest}</span>
    </h1>
  );
}
