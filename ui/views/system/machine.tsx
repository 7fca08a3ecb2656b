/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { sizeWords } from "../../../src/core/size.ts";
import { place, setQuery } from "../../app/router.tsx";
import { now } from "../../data/clock.ts";
import { shownZone } from "../../data/daemon.ts";
import { get, wordsOf } from "../../net/api.ts";
import { isGap, onEvents } from "../../net/events.ts";
import { Failed } from "../../parts/states.tsx";
import { chartRanges, type Sample, withSamples } from "./chart_layout.ts";
import { LoadChart } from "./load_chart.tsx";
import type { SystemStats } from "./facts.tsx";

/** The machine and its load, with a chart of how that came. */
export function Machine({ stats }: { stats: SystemStats | undefined }) {
  const asked = place.value.query.get("range") ?? "1h";
  const range = asked in chartRanges ? asked : "1h";
  const length = chartRanges[range] ?? 3_600_000;
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const [why, setWhy] = useState<string>();
  const [attempt, again] = useState(0);
  useEffect(() => {
    let isOld = false;
    const load = (): void => {
      const from = Date.now() - length;
      get("/api/system/metrics", { since: new Date(from).toISOString() }).then(
        ({ samples }) => {
          if (isOld) return;
          setSamples(withSamples([], samples, from));
          setWhy(undefined);
        },
        (error) => isOld || setWhy(wordsOf(error)),
      );
    };
    load();
    const stop = onEvents((events) => {
      if (events.some(isGap)) return load();
      const fresh = events.filter(({ name }) => name === "system.sample")
        .map(({ data }): Sample => JSON.parse(data).sample);
      if (fresh.length > 0) setSamples((known) => withSamples(known, fresh, Date.now() - length));
    });
    return () => {
      isOld = true;
      stop();
    };
  }, [range, attempt]);
  const last = samples.at(-1);
  // The window moves with the samples, five seconds at a time.
  const to = Math.floor(now.value / 5000) * 5000;
  return (
    <section class="panel" aria-labelledby="system-machine">
      <header class="system-head">
        <h2 id="system-machine">Machine</h2>
        <span class="muted">
          {stats === undefined ? "" : `${stats.host} · ${stats.os} ${stats.arch} · ${stats.cpu_cores} cores`}
        </span>
        <span class="fill" />
        <span class="chips" role="group" aria-label="Range of the chart">
          {Object.keys(chartRanges).map((name) => (
            <button
              type="button"
              key={name}
              aria-pressed={name === range}
              onClick={() => setQuery({ range: name === "1h" ? undefined : name })}
            >
              {name.replace(/([hd])/, " $1")}
            </button>
          ))}
        </span>
      </header>
      <div class="body system-machine">
        <dl class="system-load">
          <div>
            <dt>CPU</dt>
            <dd>{percent(last?.cpu ?? stats?.cpu_usage)}</dd>
          </div>
          <div>
            <dt>Memory</dt>
            <dd>{percent(last?.mem ?? stats?.mem_usage)}</dd>
            <dd class="muted">
              {stats === undefined
                ? ""
                : `${sizeWords(last?.mem_used ?? stats.mem_used)} of ${sizeWords(stats.mem_total)}`}
            </dd>
          </div>
        </dl>
        {why === undefined
          ? <LoadChart samples={samples} span={{ from: to - length, to }} zone={shownZone.value} />
          : <Failed what="the load" why={why} onRetry={() => again((n) => n + 1)} />}
      </div>
    </section>
  );
}

function percent(figure: number | undefined): string {
  return figure === undefined ? "–" : `${Math.round(figure)} %`;
}
