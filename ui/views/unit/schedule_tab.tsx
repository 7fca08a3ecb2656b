/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { relativeTime } from "../../../src/core/time_words.ts";
import type { TickJson } from "../../../src/http/schemas/unit.ts";
import { HeatMap } from "../../charts/heat_map.tsx";
import type { Bucket } from "../../charts/outcomes.ts";
import { yearStart } from "../../charts/year.ts";
import { now } from "../../data/clock.ts";
import { daemon, shownZone } from "../../data/daemon.ts";
import { cronWords } from "../../data/schedules.ts";
import type { Unit } from "../../data/units.ts";
import { get, wordsOf } from "../../net/api.ts";
import { Empty, Failed, Skeleton } from "../../parts/states.tsx";
import { wallTime } from "../../parts/times.tsx";
import { scheduleFacts } from "./schedule_facts.ts";
import { tickNote, tickTime } from "./tick_words.ts";
import { useUnitConfig } from "./unit_config.ts";

/** When a task runs: in words, its next ticks, and the year behind it. */
export function ScheduleTab({ unit }: { unit: Unit }) {
  const { config } = useUnitConfig(unit.name);
  const timezone = unit.timezone ?? daemon.value?.resolved_timezone ?? "UTC";
  return (
    <div class="unit-schedule">
      {unit.cron === undefined
        ? (
          <Empty title={`${unit.name} has no schedule`}>
            <p>
              It runs {unit.run_on_start ? "when the daemon starts, and " : ""}by request. A line like{" "}
              <code>cron = "30 2 * * *"</code> gives it one.
            </p>
          </Empty>
        )
        : (
          <>
            <Facts unit={unit} cron={unit.cron} timezone={timezone} expectEvery={config?.expect_every} />
            <Ticks unit={unit} cron={unit.cron} timezone={timezone} />
          </>
        )}
      <Year name={unit.name} />
    </div>
  );
}

/** The schedule in words, and what goes with it. */
export function Facts(
  { unit, cron, timezone, expectEvery }: {
    unit: Unit;
    cron: string;
    timezone: string;
    expectEvery: number | "auto" | undefined;
  },
) {
  const words = cronWords(cron);
  return (
    <section class="panel" aria-labelledby="unit-schedule-words">
      <header>
        <h2 id="unit-schedule-words">{words.charAt(0).toUpperCase() + words.slice(1)}</h2>
        <p class="muted">
          <code>{cron}</code> {cron.startsWith("@every") ? "" : `in ${timezone}`}
          {unit.paused_at === undefined ? "" : " · paused: its ticks pass by"}
        </p>
      </header>
      <dl class="body facts">
        {scheduleFacts(unit, expectEvery).map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Ticks({ unit, cron, timezone }: { unit: Unit; cron: string; timezone: string }) {
  const [state, setState] = useState<{ ticks?: TickJson[]; error?: string }>({});
  useEffect(() => {
    const gone = new AbortController();
    get("/api/tasks/:taskName/next", { taskName: unit.name, count: 10 }, gone.signal)
      .then(
        ({ ticks }) => setState({ ticks }),
        (error) => gone.signal.aborted || setState({ error: wordsOf(error) }),
      );
    return () => gone.abort();
  }, [unit.name, cron, timezone, unit.next_run_at]);
  return (
    <section class="panel" aria-labelledby="unit-ticks">
      <h2 id="unit-ticks">Next 10</h2>
      {state.error !== undefined
        ? <Failed what="the next runs" why={state.error} />
        : state.ticks === undefined
        ? (
          <div class="body">
            <Skeleton rows={10} />
          </div>
        )
        : <TickTable ticks={state.ticks} />}
    </section>
  );
}

/** Ticks to come, with what daylight saving does to each. */
export function TickTable({ ticks }: { ticks: readonly TickJson[] }) {
  if (ticks.length === 0) return <p class="body muted">It never runs again.</p>;
  return (
    <table>
      <caption class="hidden">Next runs</caption>
      <tbody>
        {ticks.map((tick) => (
          <tr key={tick.at}>
            <td>
              {tickTime(tick)}
              <span class="warn">{tickNote(tick, ticks)}</span>
            </td>
            <td class="muted number">
              <Away at={Date.parse(tick.at)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Away({ at }: { at: number }) {
  return <span title={wallTime(at, shownZone.value, { exact: true })}>{relativeTime(at, now.value)}</span>;
}

function Year({ name }: { name: string }) {
  const [state, setState] = useState<{ buckets?: Bucket[]; now?: number; error?: string }>({});
  useEffect(() => {
    const gone = new AbortController();
    const now = Date.now();
    const since = new Date(yearStart(now)).toISOString();
    get("/api/runs/histogram", { task_name: name, bucket: "24h", since }, gone.signal)
      .then(
        ({ buckets }) => setState({ buckets, now }),
        (error) => gone.signal.aborted || setState({ error: wordsOf(error) }),
      );
    return () => gone.abort();
  }, [name]);
  return (
    <section class="panel year" aria-labelledby="unit-year">
      <header class="row">
        <h2 id="unit-year">The last year</h2>
        <span class="fill" />
        <span class="muted">{shownZone.value === "UTC" ? "" : "Days as UTC has them"}</span>
      </header>
      <div class="body">
        {state.error !== undefined
          ? <Failed what="the last year" why={state.error} />
          : state.buckets === undefined
          ? <Skeleton rows={4} />
          : <HeatMap buckets={state.buckets} unit={name} now={state.now!} />}
      </div>
    </section>
  );
}
