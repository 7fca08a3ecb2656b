/// <reference lib="dom" />
import { addressOf, go } from "../../app/router.tsx";
import type { Run } from "../../data/runs.ts";
import { State, wordOfRun } from "../../parts/mark.tsx";
import { Duration, Time } from "../../parts/times.tsx";
import { inPieces } from "../units/unit_query.ts";
import { Near } from "./near.tsx";

/** So many rows come and go together. */
const pieceSize = 50;
/** As the style sheet has it, px. */
const rowHeight = 33;

/** Runs of a unit, newest first; one is chosen, and its log stands beside the list where there is room for it. */
export function RunList({ runs, chosen }: { runs: readonly Run[]; chosen: string | undefined }) {
  return (
    <div class="unit-runs" role="list" aria-label="Runs">
      {inPieces(runs, pieceSize).map((piece, i) => (
        <Near key={i} height={piece.length * rowHeight} isFirst={i === 0}>
          {() =>
            piece.map((run) => <RunRow key={run.id} run={run} isChosen={run.id === chosen} />)}
        </Near>
      ))}
    </div>
  );
}

function RunRow({ run, isChosen }: { run: Run; isChosen: boolean }) {
  return (
    <div role="listitem">
      <a
        href={addressOf.run(run.id)}
        data-row
        aria-current={isChosen ? "true" : undefined}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
          event.preventDefault();
          if (matchMedia("(max-width: 900px)").matches) go(addressOf.run(run.id));
          else go(`${addressOf.unit(run.task_name)}?run_id=${run.id}`, { replace: true });
        }}
      >
        <State word={wordOfRun(run)} />
        <span class="when">
          <Time at={run.start_at ?? run.created_at} />
        </span>
        <span class="muted by">
          {run.retry_attempt > 0 ? `retry ${run.retry_attempt}` : run.triggered_by}
        </span>
        <Duration from={run.start_at} to={run.status === "ended" ? run.end_at : undefined} />
      </a>
    </div>
  );
}
