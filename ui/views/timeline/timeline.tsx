/// <reference lib="dom" />
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { bindKeys } from "../../app/keys.ts";
import { addressOf, go, place, setQuery } from "../../app/router.tsx";
import { Heading } from "../../parts/heading.tsx";
import { now } from "../../data/clock.ts";
import { shownZone } from "../../data/daemon.ts";
import { onRuns } from "../../data/runs.ts";
import { unitList, units } from "../../data/units.ts";
import { Empty, Failed, Skeleton } from "../../parts/states.tsx";
import { wallTime } from "../../parts/times.tsx";
import { Ahead } from "./ahead.ts";
import { Axis, Lines, Patterns, type Pointed, Tip, Track } from "./chart.tsx";
import { type Gestures, useGestures } from "./gestures.ts";
import { Legend } from "./legend.tsx";
import { type Bar, barAt, type Row, rowsOf } from "./lanes.ts";
import { RunsOfSpan } from "./runs_of_span.ts";
import {
  axisOf,
  moved,
  presetOf,
  presets,
  queryOfSpan,
  type Span,
  spanOf,
  usualPreset,
  zoomed,
} from "./span.ts";

/** Places to come back to. */
const mostBack = 50;

/** What ran when, and what will. */
export default function Timeline() {
  const { query } = place.value;
  const chart = useRef<HTMLDivElement>(null);
  const width = useWidth(chart);
  const [live, setLive] = useState<Span>();
  const [open, setOpen] = useState<string>();
  const [mark, setMark] = useState<{ x: number; width: number }>();
  const [back, setBack] = useState<readonly Record<string, string | undefined>[]>([]);
  const pointed = useSignal<Pointed | undefined>(undefined);
  const runs = useMemo(() => new RunsOfSpan(), []);
  const ahead = useMemo(() => new Ahead(), []);
  const version = runs.version.value;
  const zone = shownZone.value;
  const filter = query.get("q") ?? "";

  // A filter that names a unit is one that the daemon knows, too: there may be more runs than are read of all.
  const unit = units.value?.has(filter) ? filter : undefined;

  const told = spanOf(query, { now: now.value, width });
  const span = live ?? told;
  // The line of now moves by pixels, not by seconds.
  const step = Math.max(1000, (span.to - span.from) / Math.max(1, width));
  const at = Math.floor(now.value / step) * step;

  useEffect(() => {
    const stop = onRuns((changes) => runs.take(changes));
    return () => {
      stop();
      runs.close();
    };
  }, []);
  useEffect(() => {
    if (width > 0) runs.want(span, { now: now.value, unit });
    ahead.want(unitList.value, span);
  }, [span.from, span.to, unit, width > 0, unitList.value]);

  const rows = useMemo(
    () =>
      rowsOf({
        bars: runs.bars,
        units: units.value ?? new Map(),
        span,
        now: at,
        filter,
        ahead: ahead.ticks.value,
      }),
    [version, units.value, span.from, span.to, at, filter, ahead.ticks.value],
  );
  const ticks = useMemo(() => axisOf(span, { zone, width }), [span.from, span.to, zone, width]);

  const show = (next: Span): void => {
    setBack((before) => [...before.slice(1 - mostBack), stepOf(query)]);
    setLive(undefined);
    setQuery(queryOfSpan(next));
  };
  const goBack = (): void => {
    const last = back.at(-1);
    if (last === undefined) return;
    setBack(back.slice(0, -1));
    setLive(undefined);
    setQuery(last);
  };
  const zoom = (factor: number): void => {
    // Around now where it is seen: that is what most look at.
    const isNowSeen = at > span.from && at < span.to;
    show(zoomed(span, factor, isNowSeen ? at : (span.from + span.to) / 2));
  };
  const pointAt = (row: Row, bar: Bar): void => void (pointed.value = { unit: row.name, id: bar.run.id });
  const barOf = (event: PointerEvent): { row: Row; bar: Bar } | undefined => {
    const track = (event.target as HTMLElement).closest<HTMLElement>("[data-unit]");
    const row = rows.find(({ name }) => name === track?.dataset.unit);
    if (track == null || row === undefined) return undefined;
    const rect = track.getBoundingClientRect();
    const bar = barAt(row.bars, { x: event.clientX - rect.left, y: event.clientY - rect.top }, {
      span,
      now: at,
      width,
      lanes: row.lanes,
    });
    return bar === undefined ? undefined : { row, bar };
  };
  const latest = useRef<Gestures>({} as Gestures);
  latest.current = {
    span,
    width,
    onSpan: (next, { isOver }) => isOver ? show(next) : setLive(next),
    onMark: setMark,
    onPoint: (event) => {
      const found = event === undefined ? undefined : barOf(event);
      if (found === undefined) pointed.value = undefined;
      else if (found.bar.run.id !== pointed.value?.id) pointAt(found.row, found.bar);
    },
    onPress: (event) => {
      const found = barOf(event);
      if (found === undefined) return;
      if (event.ctrlKey || event.metaKey) globalThis.open(addressOf.run(found.bar.run.id));
      else go(addressOf.run(found.bar.run.id));
    },
  };
  useGestures(chart, latest);
  const keys = useRef({ zoom, goBack, pan: (_share: number) => {} });
  keys.current = { zoom, goBack, pan: (share) => show(moved(span, share)) };
  useEffect(() =>
    bindKeys([
      { keys: "+", text: "zoom in", run: () => keys.current.zoom(0.5) },
      { keys: "-", text: "zoom out", run: () => keys.current.zoom(2) },
      { keys: "ArrowLeft", text: "earlier; in a row: the run before", run: () => keys.current.pan(-0.25) },
      { keys: "ArrowRight", text: "later; in a row: the next run", run: () => keys.current.pan(0.25) },
      { keys: "Backspace", text: "back to what was shown before", run: () => keys.current.goBack() },
    ]), []);

  const preset = live === undefined ? presetOf(query) : undefined;
  const total = runs.totalOf(span);
  let group: string | undefined;
  return (
    <div class="timeline">
      <Patterns />
      <Heading title="Timeline">
        <span class="muted timeline-span">
          {wallTime(span.from, zone)} to {wallTime(span.to, zone)} {zone}
        </span>
      </Heading>
      <div class="row timeline-bar">
        <input
          type="search"
          data-filter=""
          aria-label="Filter by unit or group"
          placeholder="Filter by unit or group"
          value={filter}
          onInput={(event) => setQuery({ q: event.currentTarget.value })}
        />
        <span class="chips" role="group" aria-label="Window">
          {Object.keys(presets).map((name) => (
            <button
              type="button"
              key={name}
              aria-pressed={preset === name}
              onClick={() => {
                setBack((before) => [...before.slice(1 - mostBack), stepOf(query)]);
                setLive(undefined);
                setQuery({ from: undefined, to: undefined, span: name === usualPreset ? undefined : name });
              }}
            >
              {name.replace(/([hd])/, " $1")}
            </button>
          ))}
        </span>
        <span class="timeline-zoom">
          <button
            type="button"
            aria-label="Earlier"
            title="Earlier (←)"
            onClick={() => keys.current.pan(-0.5)}
          >
            ←
          </button>
          <button type="button" aria-label="Later" title="Later (→)" onClick={() => keys.current.pan(0.5)}>
            →
          </button>
          <button type="button" aria-label="Zoom out" title="Zoom out (-)" onClick={() => zoom(2)}>−</button>
          <button type="button" aria-label="Zoom in" title="Zoom in (+)" onClick={() => zoom(0.5)}>+</button>
          <button type="button" disabled={back.length === 0} onClick={goBack}>Back</button>
        </span>
      </div>
      {total === undefined ? null : (
        <p class="timeline-note" role="status">
          The newest 5,000 of {total.toLocaleString("en-US")} runs are shown. Zoom in to see them all.
        </p>
      )}
      {runs.error !== undefined
        ? <Failed what="the runs" why={runs.error} onRetry={() => runs.refresh()} />
        : null}
      <div class={`timeline-chart${runs.isLoading ? " loading" : ""}`} ref={chart}>
        <div class="timeline-axis">
          <span class="timeline-name" />
          <Axis ticks={ticks} span={span} width={width} now={at} />
        </div>
        <div class="timeline-over">
          <Lines ticks={ticks} span={span} width={width} now={at} />
          {mark === undefined
            ? null
            : <div class="timeline-mark" style={{ left: `${mark.x}px`, width: `${mark.width}px` }} />}
          <Tip
            pointed={pointed}
            rows={rows}
            span={span}
            now={at}
            zone={zone}
            width={width}
            topOf={(unit) => topIn(chart.current, unit)}
          />
        </div>
        {!runs.isKnown && runs.error === undefined ? <Skeleton rows={8} /> : rows.map((row) => {
          const isFirst = row.group !== group;
          group = row.group;
          return (
            <div key={row.name} class="timeline-unit">
              {isFirst && row.group !== "" ? <h2 class="timeline-group">{row.group}</h2> : null}
              <Track
                row={row}
                span={span}
                now={at}
                width={width}
                zone={zone}
                isOpen={open === row.name}
                onFocus={setOpen}
                onBar={pointAt}
              />
            </div>
          );
        })}
        {runs.isKnown && rows.length === 0
          ? (
            <Empty title={filter === "" ? "Nothing ran in this time" : `No unit here matches "${filter}"`}>
              {filter === ""
                ? <button type="button" onClick={() => zoom(4)}>Zoom out</button>
                : <button type="button" onClick={() => setQuery({ q: undefined })}>Clear the filter</button>}
            </Empty>
          )
          : null}
      </div>
      <div class="row timeline-foot">
        <Legend />
        <span class="fill" />
        <span class="muted timeline-hint">Drag to zoom, drag the axis to move, ctrl and wheel to zoom</span>
      </div>
    </div>
  );
}

/** What of a query tells the window. */
function stepOf(query: URLSearchParams): Record<string, string | undefined> {
  return Object.fromEntries(["from", "to", "span"].map((name) => [name, query.get(name) ?? undefined]));
}

/** Where the row of a unit begins below the axis, px. */
function topIn(chart: HTMLElement | null, unit: string): number {
  const track = chart?.querySelector(`[data-unit="${CSS.escape(unit)}"]`);
  const over = chart?.querySelector(".timeline-over");
  return (track?.getBoundingClientRect().top ?? 0) - (over?.getBoundingClientRect().top ?? 0);
}

/** The width of the chart without its names. */
function useWidth(ref: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const labels = ref.current?.querySelector(".timeline-labels");
    if (labels == null) return;
    const observer = new ResizeObserver(() => setWidth(Math.floor(labels.clientWidth)));
    observer.observe(labels);
    return () => observer.disconnect();
  }, []);
  return width;
}
