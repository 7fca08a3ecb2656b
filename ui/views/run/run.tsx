/// <reference lib="dom" />
import { useEffect } from "preact/hooks";
import { deleteRuns, rerun, stopRun } from "../../app/actions.ts";
import { Icon } from "../../app/icons.tsx";
import { addressOf, go, Link } from "../../app/router.tsx";
import { Heading } from "../../parts/heading.tsx";
import { say } from "../../app/toast.tsx";
import type { ViewProps } from "../view_props.ts";
import type { Run } from "../../data/runs.ts";
import { units } from "../../data/units.ts";
import { wordsOf } from "../../net/api.ts";
import { copyText } from "../../log/copy.ts";
import { LogView } from "../../log/log_view.tsx";
import { Action } from "../../parts/button.tsx";
import { State, wordOfRun } from "../../parts/mark.tsx";
import { Empty, Failed, Skeleton } from "../../parts/states.tsx";
import { type Neighbours, useNeighbours, useRun } from "./run_data.ts";
import { RunFacts } from "./run_facts.tsx";

/** One run: what is known of it, and its log. */
export default function RunPage({ name: id = "" }: ViewProps) {
  const { state, retry } = useRun(id);
  const run = state !== undefined && "run" in state ? state.run : undefined;
  const neighbours = useNeighbours(run);
  useEffect(() => {
    if (run !== undefined) document.title = `${run.task_name}: ${wordOfRun(run).text} · svc`;
  }, [run]);
  if (state === undefined) return <Skeleton />;
  if ("why" in state) return <Failed isView what="the run" why={state.why} onRetry={retry} />;
  if ("isGone" in state) return <GoneRun id={id} />;
  return (
    <div class="run-view">
      <RunHead
        run={state.run}
        error={state.error}
        neighbours={neighbours}
        isService={units.value?.get(state.run.task_name)?.kind === "service" ||
          state.run.triggered_by === "service"}
      />
      <div class="run-log">
        <LogView run={state.run} />
      </div>
    </div>
  );
}

/** What stands where a run was, or never has been. */
export function GoneRun({ id }: { id: string }) {
  return (
    <>
      <Heading title="Run" />
      <Empty title="There is no such run">
        <p>
          Nothing is known of <code>{id}</code>. It was deleted, or it is older than what is kept.
        </p>
        <Link href="/runs">All runs</Link>
      </Empty>
    </>
  );
}

interface HeadProps {
  run: Run;
  error?: string | undefined;
  neighbours: Neighbours;
  isService: boolean;
}

/** What is known of a run, and what can be done with it. */
export function RunHead({ run, error, neighbours, isService }: HeadProps) {
  const { before, after, retries } = neighbours;
  return (
    <header class="run-head">
      <div class="run-title">
        <h1>
          <Link href={addressOf.unit(run.task_name)}>{run.task_name}</Link>
        </h1>
        <State word={wordOfRun(run)} />
        <button
          type="button"
          class="icon run-id mono"
          title="Copy the run's id"
          aria-label={`Copy the id ${run.id}`}
          onClick={() =>
            copyText(run.id, "The id was copied").catch((why) => say(wordsOf(why), { role: "bad" }))}
        >
          {run.id}
        </button>
        <span class="fill" />
        <nav class="run-around" aria-label="Runs of the same unit">
          <Neighbour run={before} label="Run before" arrow="‹" />
          <Neighbour run={after} label="Next run" arrow="›" />
        </nav>
        <div class="run-actions">
          {run.status === "ended"
            ? null
            : (
              <Action what={`stop ${run.id}`} class="danger" onClick={() => void stopRun(run)}>
                <Icon name="stop" />Stop
              </Action>
            )}
          {isService ? null : (
            <Action what={`rerun ${run.id}`} onClick={() => void rerun(run)}>
              <Icon name="again" />Rerun
            </Action>
          )}
          {run.status === "ended"
            ? (
              <Action what="delete runs" class="danger" onClick={() => void deleteThis(run)}>
                <Icon name="bin" />Delete
              </Action>
            )
            : null}
        </div>
      </div>
      <RunFacts run={run} error={error} retries={retries} isService={isService} />
    </header>
  );
}

function Neighbour({ run, label, arrow }: { run: Run | undefined; label: string; arrow: string }) {
  if (run === undefined) {
    return <span class="button run-none" aria-hidden="true">{arrow}</span>;
  }
  return (
    <Link
      class="button"
      href={addressOf.run(run.id)}
      aria-label={label}
      title={`${label}: ${wordOfRun(run).text}`}
    >
      {arrow}
    </Link>
  );
}

async function deleteThis(run: Run): Promise<void> {
  const isGone = await deleteRuns({ ids: [run.id] }, () => go(addressOf.run(run.id)));
  if (isGone) go("/runs");
}
