/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { go } from "../app/router.tsx";
import { shownZone } from "../data/daemon.ts";
import { withQuery } from "../net/api.ts";
import { wallTime } from "../parts/times.tsx";
import { type Bucket, countOutcomes, type OutcomeCounts, outcomeWords } from "./outcomes.ts";
import { useRoving } from "./roving.ts";

/** In units of the drawing; it is stretched to the width of its place. */
const size = { step: 10, bar: 8, up: 52, down: 20 };

/** The parts of one bar: what went well goes up from the line, what went wrong goes down from it. */
export function barOf(counts: OutcomeCounts, most: { up: number; down: number }) {
  const height = (count: number, room: number, of: number): number =>
    count === 0 ? 0 : Math.max(2, Math.round(room * count / Math.max(1, of)));
  const ok = height(counts.ok, size.up, most.up);
  const failed = height(counts.failed, size.down, most.down);
  return {
    ok: { y: size.up - ok, height: ok },
    stopped: at(size.up - ok, height(counts.stopped, size.up, most.up)),
    failed: { y: size.up + 1, height: failed },
    missed: { y: size.up + 1 + failed, height: height(counts.missed, size.down, most.down) },
  };
}

function at(bottom: number, height: number): { y: number; height: number } {
  return { y: bottom - height, height };
}

/** The most that stands above and below the line of any bar. */
export function mostOf(all: readonly OutcomeCounts[]): { up: number; down: number } {
  return {
    up: Math.max(0, ...all.map(({ ok, stopped }) => ok + stopped)),
    down: Math.max(0, ...all.map(({ failed, missed }) => failed + missed)),
  };
}

/** Runs per stretch of time, stacked by outcome. `width` is that of a bucket, ms. Each bar is a link to its runs. */
export function DayStrip({ buckets, width }: { buckets: readonly Bucket[]; width: number }) {
  const [told, tell] = useState<number>();
  const zone = shownZone.value;
  const all = buckets.map((bucket) => countOutcomes([bucket]));
  const most = mostOf(all);
  const { current, setAt, onKeyDown } = useRoving(buckets.length, {
    first: buckets.length - 1,
    steps: { ArrowLeft: -1, ArrowRight: 1 },
  });
  const wordsOf = (i: number): string => {
    const from = Date.parse(buckets[i]?.start ?? "");
    const time = (ms: number): string => wallTime(ms, zone).slice(11);
    return `${time(from)} to ${time(from + width)}: ${outcomeWords(all[i] ?? countOutcomes([]))}`;
  };
  const total = countOutcomes(buckets);
  return (
    <figure class="day-strip">
      <svg
        role="group"
        aria-label={`Runs of the last 24 hours by quarter of an hour: ${outcomeWords(total)}`}
        viewBox={`0 0 ${buckets.length * size.step} ${size.up + size.down + 2}`}
        preserveAspectRatio="none"
        onKeyDown={onKeyDown}
        onPointerLeave={() => tell(undefined)}
      >
        {buckets.map((bucket, i) => {
          const bar = barOf(all[i]!, most);
          const x = i * size.step + (size.step - size.bar) / 2;
          const href = runsBetween(Date.parse(bucket.start), width);
          return (
            <a
              key={bucket.start}
              href={href}
              data-at={i}
              tabindex={i === current ? 0 : -1}
              aria-label={wordsOf(i)}
              onPointerEnter={() => tell(i)}
              onFocus={() => {
                setAt(i);
                tell(i);
              }}
              onBlur={() => tell(undefined)}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
                event.preventDefault();
                go(href);
              }}
            >
              <rect
                class="touch"
                x={i * size.step}
                y={0}
                width={size.step}
                height={size.up + size.down + 2}
              />
              {(["ok", "stopped", "failed", "missed"] as const).filter((part) => bar[part].height > 0)
                .map((part) => <rect key={part} class={part} x={x} width={size.bar} {...bar[part]} />)}
            </a>
          );
        })}
        <rect class="axis" x={0} y={size.up} width={buckets.length * size.step} height={1} />
      </svg>
      <div class="ticks" aria-hidden="true">
        {[0, 0.25, 0.5, 0.75].map((share) => {
          const from = Date.parse(buckets[Math.floor(share * buckets.length)]?.start ?? "");
          return <span key={share}>{Number.isNaN(from) ? "" : wallTime(from, zone).slice(11)}</span>;
        })}
        <span>now</span>
      </div>
      <figcaption>{told === undefined ? outcomeWords(total) : wordsOf(told)}</figcaption>
    </figure>
  );
}

/** The address of the runs that were made in a stretch of time. */
export function runsBetween(from: number, width: number, unit?: string): string {
  return withQuery("/runs", {
    task_name: unit,
    created_after: new Date(from).toISOString(),
    created_before: new Date(from + width).toISOString(),
  });
}
