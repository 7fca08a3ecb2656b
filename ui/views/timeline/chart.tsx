/// <reference lib="dom" />
import type { Signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { durationWords } from "../../../src/core/time_words.ts";
import type { Role } from "../../../src/core/words.ts";
import { addressOf, go, Link } from "../../app/router.tsx";
import { State, wordOfRun } from "../../parts/mark.tsx";
import { clockTime, wallTime } from "../../parts/times.tsx";
import { type Bar, boxOf, heightsOf, pathsOf, type Row, sizes } from "./lanes.ts";
import { type AxisTick, type Span, xOf } from "./span.ts";

/** In the order in which they are drawn: what matters most comes on top. */
const roles: readonly Role[] = ["muted", "good", "neutral", "accent", "warn", "bad"];

/** What is pointed at, or has the focus: a run of a unit. */
export interface Pointed {
  unit: string;
  id: string;
}

/** Patterns that tell outcomes apart without their colours; once for the whole page. */
export function Patterns() {
  return (
    <svg width="0" height="0" class="timeline-patterns" aria-hidden="true">
      <defs>
        <pattern id="timeline-bad" width="5" height="5" patternUnits="userSpaceOnUse">
          <path d="M-1 1l2 -2M0 5l5 -5M4 6l2 -2" />
        </pattern>
        <pattern id="timeline-warn" width="4" height="4" patternUnits="userSpaceOnUse">
          <path d="M0 0v4" />
        </pattern>
      </defs>
    </svg>
  );
}

interface AxisProps {
  ticks: readonly AxisTick[];
  span: Span;
  width: number;
}

/** The labels of the time axis. */
export function Axis({ ticks, span, width, now }: AxisProps & { now: number }) {
  const nowAt = xOf(now, span, width);
  const isFree = ticks.every(({ at }) => Math.abs(xOf(at, span, width) + 30 - nowAt) > 50);
  return (
    <div class="timeline-labels">
      {ticks.map(({ at, label, isDay }) => {
        const x = xOf(at, span, width);
        return x > width - 20
          ? null
          : (
            <span key={at} class={isDay ? "day" : undefined} style={{ left: `${Math.max(0, x)}px` }}>
              {label}
            </span>
          );
      })}
      {nowAt < 0 || nowAt > width
        ? null
        : (
          <b class={`timeline-now${isFree ? "" : " tight"}`} style={{ left: `${nowAt}px` }} title="now">
            {isFree ? "now" : "▾"}
          </b>
        )}
    </div>
  );
}

/** The lines of the axis behind the rows, and the line of now. */
export function Lines({ ticks, span, width, now }: AxisProps & { now: number }) {
  const at = xOf(now, span, width);
  const isMixed = ticks.some(({ isDay }) => !isDay);
  return (
    <div class="timeline-lines" aria-hidden="true">
      {ticks.map(({ at, isDay }) => (
        <span
          key={at}
          class={isDay && isMixed ? "day" : undefined}
          style={{ left: `${xOf(at, span, width)}px` }}
        />
      ))}
      {at < 0 || at > width ? null : <span class="now" style={{ left: `${at}px` }} />}
    </div>
  );
}

interface TrackProps {
  row: Row;
  span: Span;
  now: number;
  width: number;
  /** Its runs are there as links, for the keyboard. */
  isOpen: boolean;
  zone: string;
  onFocus: (name: string) => void;
  onBar: (row: Row, bar: Bar) => void;
}

/** A unit: its name, and what of it ran and will run. */
export function Track({ row, span, now, width, isOpen, zone, onFocus, onBar }: TrackProps) {
  const { row: height } = heightsOf(row.lanes);
  const paths = useMemo(
    () => pathsOf(row.bars, { span, now, width, lanes: row.lanes }),
    [row.bars, row.lanes, span.from, span.to, width, row.bars.some(({ to }) => to === undefined) ? now : 0],
  );
  const count = row.bars.length === 1 ? "1 run" : `${row.bars.length} runs`;
  const ahead = row.ahead.length === 0 ? "" : `, ${row.ahead.length} ahead`;
  return (
    <div class="timeline-row">
      <span class="timeline-name">
        <Link href={addressOf.unit(row.name)} title={row.name} tabIndex={-1}>{row.name}</Link>
      </span>
      <div
        class="timeline-track"
        role="group"
        aria-label={`${row.name}: ${count}${ahead}`}
        aria-description={row.bars.length > 0 ? "Right arrow goes through its runs" : undefined}
        tabIndex={0}
        data-row=""
        data-unit={row.name}
        style={{ height: `${height}px` }}
        onFocus={() => onFocus(row.name)}
        onKeyDown={(event) => walk(event, event.currentTarget)}
      >
        <svg width={Math.max(0, width)} height={height} aria-hidden="true">
          {roles.map((role) => {
            const path = paths.get(role);
            if (path === undefined) return null;
            const pattern = role === "bad" || role === "warn" ? `url(#timeline-${role})` : undefined;
            return (
              <g key={role} class={role}>
                <path d={path} />
                {pattern === undefined ? null : <path d={path} class="over" fill={pattern} />}
              </g>
            );
          })}
          {apart(row.ahead.map((at) => xOf(at, span, width))).map((x) => (
            <circle
              key={x}
              class="ahead"
              cx={x}
              cy={sizes.pad + sizes.bar / 2}
              r="3.5"
            />
          ))}
          {row.goesOn
            ? (
              <path
                class="goes-on"
                d={`M${xOf(row.ahead.at(-1) ?? now, span, width) + 8} ${sizes.pad + sizes.bar / 2}H${width}`}
              />
            )
            : null}
        </svg>
        {!isOpen ? null : (
          <ul class="hidden" aria-label={`Runs of ${row.name}`}>
            {row.bars.map((bar) => (
              <li key={bar.run.id}>
                <a
                  href={addressOf.run(bar.run.id)}
                  tabIndex={-1}
                  onFocus={() => onBar(row, bar)}
                  onClick={(event) => {
                    event.preventDefault();
                    go(addressOf.run(bar.run.id));
                  }}
                >
                  {sentenceOf(bar, { now, zone })}
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

/** Places that are far enough from each other to be told apart. */
function apart(places: readonly number[]): number[] {
  const shown: number[] = [];
  for (const x of places) if (x - (shown.at(-1) ?? -Infinity) >= 9) shown.push(x);
  return shown;
}

/** Arrows go through the runs of a row; Escape goes back to the row. */
function walk(event: KeyboardEvent, track: HTMLElement): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const links = [...track.querySelectorAll<HTMLElement>("ul a")];
  const at = links.indexOf(event.target as HTMLElement);
  const to = event.key === "ArrowRight"
    ? Math.min(at + 1, links.length - 1)
    : event.key === "ArrowLeft"
    ? (at < 0 ? links.length - 1 : Math.max(0, at - 1))
    : event.key === "Home"
    ? 0
    : event.key === "End"
    ? links.length - 1
    : event.key === "Enter" && at < 0
    ? links.length - 1
    : undefined;
  if (event.key === "Escape" && at >= 0) track.focus();
  else if (to !== undefined) links[to]?.focus({ preventScroll: true });
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** A bar in words: `ok, from 14:03:07, took 1.2 s`. */
export function sentenceOf({ run, from, to }: Bar, { now, zone }: { now: number; zone: string }): string {
  const verb = run.status === "pending"
    ? "queued since"
    : to === undefined
    ? "since"
    : run.start_at === undefined
    ? "at"
    : "from";
  const length = to === undefined
    ? `for ${durationWords(now - from)}`
    : run.start_at === undefined
    ? ""
    : `took ${durationWords(to - from)}`;
  const when = now - from < 86_400_000 ? clockTime(from, zone) : wallTime(from, zone);
  return [wordOfRun(run).text, `${verb} ${when}`, length].filter((part) => part !== "").join(", ");
}

interface TipProps {
  pointed: Signal<Pointed | undefined>;
  rows: readonly Row[];
  span: Span;
  now: number;
  zone: string;
  width: number;
  /** Where the row of a unit begins, px. */
  topOf: (unit: string) => number;
}

/** A frame around what is pointed at, and what it is. */
export function Tip({ pointed, rows, span, now, zone, width, topOf }: TipProps) {
  const row = rows.find(({ name }) => name === pointed.value?.unit);
  const bar = row?.bars.find(({ run }) => run.id === pointed.value?.id);
  if (row === undefined || bar === undefined) return null;
  const box = boxOf(bar, { span, now, width, lanes: row.lanes });
  const y = box.y + topOf(row.name);
  const [left, right] = [Math.max(0, box.x), Math.min(width, box.x + box.width)];
  return (
    <>
      <div
        class="timeline-frame"
        style={{
          left: `${left - 3}px`,
          top: `${y - 3}px`,
          width: `${right - left + 6}px`,
          height: `${box.height + 6}px`,
        }}
      />
      <div
        class="timeline-tip"
        aria-hidden="true"
        style={{
          top: `${y + box.height + 8}px`,
          ...(left > width / 2 ? { right: `${Math.max(0, width - right)}px` } : { left: `${left}px` }),
        }}
      >
        <strong>{bar.run.task_name}</strong>
        <State word={wordOfRun(bar.run)} />
        <span>{sentenceOf(bar, { now, zone }).replace(/^[^,]*, /, "")}</span>
      </div>
    </>
  );
}
