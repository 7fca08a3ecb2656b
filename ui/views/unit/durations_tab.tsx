/// <reference lib="dom" />
import { useEffect, useMemo, useState } from "preact/hooks";
import { durationWords } from "../../../src/core/time_words.ts";
import { addressOf, go } from "../../app/router.tsx";
import { Scatter } from "../../charts/scatter.tsx";
import { type Points, pointsOf } from "../../charts/scatter_points.ts";
import { lengthOf, type LengthStats, lengthStats } from "../../charts/stats.ts";
import { shownZone } from "../../data/daemon.ts";
import { onRuns, type Run } from "../../data/runs.ts";
import type { Unit } from "../../data/units.ts";
import { get, wordsOf } from "../../net/api.ts";
import { wordOfRun } from "../../parts/mark.tsx";
import { Empty, Failed, Skeleton } from "../../parts/states.tsx";
import { wallTime } from "../../parts/times.tsx";
import { merge } from "../units/recent_runs.ts";

/** So many runs are looked at. */
const most = 500;

/** How long the runs of a unit take. */
export function DurationsTab({ unit }: { unit: Unit }) {
  const { name } = unit;
  const [state, setState] = useState<{ runs?: Run[]; error?: string }>({});
  const [asked, ask] = useState(0);
  useEffect(() => {
    const gone = new AbortController();
    const load = (): void =>
      void get("/api/runs", { task_name: name, status: "ended", limit: most }, gone.signal).then(
        ({ runs }) => setState({ runs: runs ?? [] }),
        (error) => gone.signal.aborted || setState({ error: wordsOf(error) }),
      );
    load();
    const stop = onRuns((changes) => {
      if (changes === undefined) return load();
      const ended = changes.flatMap((change) =>
        "run" in change && change.run.task_name === name && change.run.status === "ended" ? [change.run] : []
      );
      if (ended.length > 0) setState(({ runs }) => ({ runs: merge(runs ?? [], ended, most) }));
    });
    return () => {
      stop();
      gone.abort();
    };
  }, [name, asked]);
  const points = useMemo(() => pointsOf(state.runs ?? []), [state.runs]);
  if (state.error !== undefined) {
    return <Failed what="the durations" why={state.error} onRetry={() => ask(asked + 1)} />;
  }
  if (state.runs === undefined) return <Skeleton />;
  if (points.runs.length === 0) {
    return (
      <Empty title="No run has ended yet">
        <p>How long runs take appears here after the first one.</p>
      </Empty>
    );
  }
  const stats = lengthStats(state.runs);
  return (
    <div class="unit-durations">
      <Numbers stats={stats} />
      <Chart points={points} stats={stats} />
      <details>
        <summary>As a table</summary>
        <LengthTable runs={points.runs} zone={shownZone.value} />
      </details>
    </div>
  );
}

/** What the lengths say together. */
export function Numbers({ stats: { count, p50, p95, max, success } }: { stats: LengthStats }) {
  const words = (ms: number | undefined): string => ms === undefined ? "–" : durationWords(ms);
  const numbers: Array<[string, string]> = [
    ["p50", words(p50)],
    ["p95", words(p95)],
    ["longest", words(max)],
    ["went well", success === undefined ? "–" : `${(success * 100).toFixed(success === 1 ? 0 : 1)} %`],
    ["runs", String(count)],
  ];
  return (
    <dl class="numbers">
      {numbers.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function Chart({ points, stats: { p50 = 0, p95 = 0 } }: { points: Points; stats: LengthStats }) {
  const [isLog, setLog] = useState(false);
  const [hovered, hover] = useState<number>();
  const zone = shownZone.value;
  const run = hovered === undefined ? undefined : points.runs[hovered];
  const failures = points.failed.filter(Boolean).length;
  return (
    <figure class="panel">
      <header class="row">
        <span class="legend">
          <span class="good" aria-hidden="true">●</span> ok
          <span class="bad" aria-hidden="true">✕</span> not ok
        </span>
        <span class="fill" />
        <button type="button" aria-pressed={isLog} onClick={() => setLog(!isLog)}>Log scale</button>
      </header>
      <Scatter
        points={points}
        lines={[{ label: "p50", at: p50 / 1000 }, { label: "p95", at: p95 / 1000 }]}
        isLog={isLog}
        zone={zone}
        label={`Runs by time and duration: ${points.runs.length}, ${failures} of them not ok; p50 ${
          durationWords(p50)
        }, p95 ${durationWords(p95)}`}
        onHover={hover}
        onPick={(index) => go(addressOf.run(points.runs[index]?.id ?? ""))}
      />
      <figcaption class="muted">
        {run === undefined
          ? "Point at a run to read it, click to open it, drag to zoom, double-click to see all."
          : `${wallTime(Date.parse(run.start_at!), zone, { exact: true })}: ${wordOfRun(run).text} in ${
            durationWords(lengthOf(run) ?? 0)
          }`}
      </figcaption>
    </figure>
  );
}

/** The newest of those runs as text. */
export function LengthTable({ runs, zone }: { runs: readonly Run[]; zone: string }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Started</th>
          <th scope="col">Took</th>
          <th scope="col">Ended</th>
        </tr>
      </thead>
      <tbody>
        {runs.slice(-100).reverse().map((run) => (
          <tr key={run.id}>
            <td>{wallTime(Date.parse(run.start_at!), zone)}</td>
            <td>{durationWords(lengthOf(run) ?? 0)}</td>
            <td>{wordOfRun(run).text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
