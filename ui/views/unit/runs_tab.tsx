/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { addressOf, Link, place } from "../../app/router.tsx";
import type { Run } from "../../data/runs.ts";
import type { Unit } from "../../data/units.ts";
import { LogView } from "../../log/log_view.tsx";
import { get, wordsOf } from "../../net/api.ts";
import { State, wordOfRun } from "../../parts/mark.tsx";
import { Empty, Failed, Skeleton } from "../../parts/states.tsx";
import { Duration, Time } from "../../parts/times.tsx";
import { RunList } from "./run_list.tsx";
import { Split } from "./split.tsx";
import { useUnitRuns } from "./unit_runs.ts";

/** The runs of a unit at the left, the log of the chosen one at the right; without a choice that of the newest. */
export function RunsTab({ unit }: { unit: Unit }) {
  const { runs, total, error, isLoading, more, retry } = useUnitRuns(unit.name);
  const isWide = useWide();
  if (runs === undefined) {
    return error === undefined
      ? <Skeleton rows={10} />
      : <Failed what={`the runs of ${unit.name}`} why={error} onRetry={retry} />;
  }
  if (runs.length === 0) {
    return (
      <Empty title={`${unit.name} has not run yet`}>
        <p>
          {unit.kind === "service"
            ? "Start it, and its output appears here."
            : "Its runs and their output appear here."}
        </p>
      </Empty>
    );
  }
  const wanted = place.value.query.get("run_id") ?? undefined;
  const chosen = wanted ?? runs[0]?.id;
  const list = (
    <>
      <RunList runs={runs} chosen={isWide ? chosen : undefined} />
      {runs.length >= total ? null : (
        <p class="unit-more">
          <span class="muted">{runs.length} of {total}</span>
          <button type="button" aria-busy={isLoading} disabled={isLoading} onClick={more}>Load more</button>
          <Link href={addressOf.runsOf(unit.name)}>All in Runs</Link>
        </p>
      )}
    </>
  );
  if (!isWide) return list;
  return (
    <Split
      left={list}
      right={<ChosenRun id={chosen ?? ""} known={runs.find(({ id }) => id === chosen)} />}
    />
  );
}

/** Whether there is room for two things beside each other. */
function useWide(): boolean {
  const media = matchMedia("(min-width: 901px)");
  const [isWide, setWide] = useState(media.matches);
  useEffect(() => {
    const listen = (): void => setWide(media.matches);
    media.addEventListener("change", listen);
    return () => media.removeEventListener("change", listen);
  }, []);
  return isWide;
}

/** The run beside the list: what it is, and its log. One that is not in the list is asked for. */
function ChosenRun({ id, known }: { id: string; known: Run | undefined }) {
  const [asked, setAsked] = useState<{ run?: Run; error?: string }>({});
  useEffect(() => {
    if (known !== undefined) return;
    const gone = new AbortController();
    setAsked({});
    get("/api/runs/:runId", { runId: id }, gone.signal).then(
      (run) => setAsked({ run }),
      (error) => gone.signal.aborted || setAsked({ error: wordsOf(error) }),
    );
    return () => gone.abort();
  }, [id, known === undefined]);
  const run = known ?? asked.run;
  if (run === undefined) {
    return asked.error === undefined ? <Skeleton /> : <Failed what="the run" why={asked.error} />;
  }
  return (
    <>
      <header class="unit-chosen">
        <State word={wordOfRun(run)} />
        <Time at={run.start_at ?? run.created_at} />
        <Duration from={run.start_at} to={run.status === "ended" ? run.end_at : undefined} />
        <span class="fill" />
        <Link href={addressOf.run(run.id)}>Open the run</Link>
      </header>
      <LogView key={run.id} run={run} />
    </>
  );
}
