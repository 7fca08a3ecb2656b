import { durationWords } from "../../src/core/time_words.ts";
import type { Run } from "../data/runs.ts";
import { wordOfRun } from "./mark.tsx";

const bar = { width: 4, gap: 1, height: 18, least: 4 };

/**
 * The last results of a unit as bars, oldest at the left: as high as the run was long against the longest, and a
 * failure with a gap in it, so that it shows without its colour. `runs`: newest first.
 */
export function Strip({ runs, count = 30 }: { runs: readonly Run[]; count?: number }) {
  const shown = runs.slice(0, count).reverse();
  const longest = Math.max(1, ...shown.map(lengthOf));
  const failures = shown.filter((run) => wordOfRun(run).role === "bad").length;
  const label = shown.length === 0 ? "no runs yet" : `last ${shown.length} runs, ${failures} failed`;
  return (
    <svg
      class="strip"
      role="img"
      aria-label={label}
      width={count * (bar.width + bar.gap)}
      height={bar.height}
    >
      {shown.map((run, i) => {
        const { role, text } = wordOfRun(run);
        const height = bar.least + Math.round((bar.height - bar.least) * Math.sqrt(lengthOf(run) / longest));
        const x = (count - shown.length + i) * (bar.width + bar.gap);
        return (
          <g class={role} key={run.id}>
            <title>{`${text}, ${durationWords(lengthOf(run))}`}</title>
            <rect x={x} y={bar.height - height} width={bar.width} height={height} />
            {role === "bad"
              ? <rect class="gap" x={x} y={bar.height - 3} width={bar.width} height={1} />
              : null}
          </g>
        );
      })}
    </svg>
  );
}

function lengthOf(run: Run): number {
  if (run.start_at === undefined || run.end_at === undefined) return 0;
  return Date.parse(run.end_at) - Date.parse(run.start_at);
}
