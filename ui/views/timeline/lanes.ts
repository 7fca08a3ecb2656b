import type { Role } from "../../../src/core/words.ts";
import type { Run } from "../../data/runs.ts";
import type { Unit } from "../../data/units.ts";
import { wordOfRun } from "../../parts/mark.tsx";
import { type Span, xOf } from "./span.ts";

/** A run as a bar. */
export interface Bar {
  run: Run;
  from: number;
  /** Undefined while it runs or waits. */
  to: number | undefined;
  lane: number;
  role: Role;
}

/** The bars of a unit, earliest first. */
export interface UnitBars {
  name: string;
  bars: readonly Bar[];
}

/** A row of the chart: what of a unit is in the window. */
export interface Row {
  name: string;
  group: string;
  bars: readonly Bar[];
  lanes: number;
  /** When it will run, as far as that is known. */
  ahead: readonly number[];
  /** There is more to come in the window than is known. */
  goesOn: boolean;
}

/** How many ticks of a unit are asked for at most: a list as long as that goes on. */
export const mostTicks = 100;
/** More lanes than this would be lines: what comes on top shares the last one. */
const mostLanes = 8;

/** Puts runs into the rows of their units, and what overlaps into lanes of its own. */
export function barsByUnit(runs: Iterable<Run>): Map<string, UnitBars> {
  const byUnit = new Map<string, Bar[]>();
  for (const run of runs) {
    const bars = byUnit.get(run.task_name) ?? [];
    if (bars.length === 0) byUnit.set(run.task_name, bars);
    const isEnded = run.status === "ended";
    const from = Date.parse(run.start_at ?? run.created_at);
    bars.push({
      run,
      from,
      to: isEnded ? Math.max(from, Date.parse(run.end_at ?? "") || from) : undefined,
      lane: 0,
      role: wordOfRun(run).role,
    });
  }
  const result = new Map<string, UnitBars>();
  for (const [name, bars] of byUnit) result.set(name, { name, bars: inLanes(bars) });
  return result;
}

/** The lowest lane that is free, for each bar. */
function inLanes(bars: Bar[]): Bar[] {
  const ends: number[] = [];
  bars.sort((a, b) => a.from - b.from || (a.run.id < b.run.id ? -1 : 1));
  for (const bar of bars) {
    const free = ends.findIndex((end) => end <= bar.from);
    bar.lane = free >= 0 ? free : Math.min(ends.length, mostLanes - 1);
    ends[bar.lane] = Math.max(ends[bar.lane] ?? 0, bar.to ?? Infinity);
  }
  return bars;
}

interface RowsInput {
  bars: ReadonlyMap<string, UnitBars>;
  units: ReadonlyMap<string, Unit>;
  span: Span;
  now: number;
  /** A part of a unit's name or group. */
  filter: string;
  /** When units will run, beyond what they tell themselves. */
  ahead: ReadonlyMap<string, readonly number[]>;
}

/** The rows of a window: units that ran or will run in it, by group and name. */
export function rowsOf({ bars, units, span, now, filter, ahead }: RowsInput): Row[] {
  const rows: Row[] = [];
  const wanted = filter.trim().toLowerCase();
  for (const name of new Set([...bars.keys(), ...units.keys()])) {
    const unit = units.get(name);
    const group = unit?.group ?? "";
    if (wanted !== "" && !`${name}\n${group}`.toLowerCase().includes(wanted)) continue;
    const seen = (bars.get(name)?.bars ?? []).filter(({ from, to }) =>
      from <= span.to && (to ?? now) >= span.from
    );
    const next = unit?.next_run_at === undefined ? [] : [Date.parse(unit.next_run_at)];
    const ticks = unit?.paused_at !== undefined ? [] : (ahead.get(name) ?? next)
      .filter((at) => at > now && at >= span.from && at <= span.to);
    if (seen.length === 0 && ticks.length === 0) continue;
    const known = ahead.get(name) ?? [];
    rows.push({
      name,
      group,
      bars: seen,
      lanes: seen.reduce((most, { lane }) => Math.max(most, lane + 1), 1),
      ahead: ticks,
      goesOn: ticks.length > 0 && known.length >= mostTicks && (known.at(-1) ?? 0) < span.to,
    });
  }
  return rows.sort((a, b) =>
    a.group.localeCompare(b.group) || a.name.localeCompare(b.name, "en", { numeric: true })
  );
}

/** How high rows and bars are, px. */
export const sizes = { row: 30, bar: 14, slim: 8, gap: 2, pad: 8, least: 3, tip: 5 };

/** Height of a row, and of its bars. */
export function heightsOf(lanes: number): { row: number; bar: number } {
  if (lanes === 1) return { row: sizes.row, bar: sizes.bar };
  return { row: Math.max(sizes.row, 2 * sizes.pad + lanes * (sizes.slim + sizes.gap)), bar: sizes.slim };
}

/** Where a bar stands in its row, px. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Drawing {
  span: Span;
  now: number;
  width: number;
  lanes: number;
}

/** Where a bar stands; what reaches beyond the window is cut a little outside of it. */
export function boxOf(bar: Bar, { span, now, width, lanes }: Drawing): Box {
  const left = Math.max(-sizes.tip, xOf(bar.from, span, width));
  const right = Math.min(width + sizes.tip, xOf(Math.max(bar.from, bar.to ?? now), span, width));
  const { bar: height } = heightsOf(lanes);
  const y = sizes.pad + bar.lane * (height + sizes.gap);
  return { x: left, y, width: Math.max(sizes.least, right - left), height };
}

/** The bars of a row as one path for each role: the page draws as many as there are roles, not as there are bars. */
export function pathsOf(bars: readonly Bar[], drawing: Drawing): Map<Role, string> {
  const paths = new Map<Role, string[]>();
  const drawn = new Map<string, number>();
  for (const bar of bars) {
    const { x, y, width, height } = boxOf(bar, drawing);
    // What is drawn over by its like needs no drawing.
    const key = `${bar.role} ${bar.lane}`;
    if (x + width <= (drawn.get(key) ?? -Infinity) + 0.5) continue;
    drawn.set(key, x + width);
    const parts = paths.get(bar.role) ?? [];
    if (parts.length === 0) paths.set(bar.role, parts);
    const start = `M${round(x)} ${y}h${round(width)}`;
    parts.push(
      bar.to === undefined
        ? `${start}l${sizes.tip} ${height / 2}l${-sizes.tip} ${height / 2}H${round(x)}z`
        : `${start}v${height}H${round(x)}z`,
    );
  }
  return new Map([...paths].map(([role, parts]) => [role, parts.join("")]));
}

/** The bar at a place of its row, or one that is very near; of several, the one that begins last. */
export function barAt(
  bars: readonly Bar[],
  { x, y }: { x: number; y: number },
  drawing: Drawing,
): Bar | undefined {
  const near = 3;
  let best: Bar | undefined;
  let distance = Infinity;
  for (const bar of bars) {
    const box = boxOf(bar, drawing);
    const dx = Math.max(box.x - x, x - box.x - box.width, 0);
    const dy = Math.max(box.y - y, y - box.y - box.height, 0);
    if (dx > near || dy > sizes.pad || dx + dy > distance) continue;
    best = bar;
    distance = dx + dy;
  }
  return best;
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}
