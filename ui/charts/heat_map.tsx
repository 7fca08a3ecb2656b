/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { go } from "../app/router.tsx";
import { runsBetween } from "./day_strip.tsx";
import { type Bucket, countOutcomes, outcomeWords } from "./outcomes.ts";
import { useRoving } from "./roving.ts";
import { calendarOf, monthsOf } from "./year.ts";

const cell = { size: 11, step: 14, left: 30, top: 18 };
const day = 86_400_000;

/**
 * A year of a unit, a cell for each day, coloured by the worst that happened; a failure has a stroke through it, so that
 * it shows without its colour. Each day is a link to its runs.
 */
export function HeatMap({ buckets, unit, now }: { buckets: readonly Bucket[]; unit: string; now: number }) {
  const days = calendarOf(buckets, now);
  const [told, tell] = useState<number>();
  const { current, setAt, onKeyDown } = useRoving(days.length, {
    first: days.length - 1,
    steps: { ArrowLeft: -7, ArrowRight: 7, ArrowUp: -1, ArrowDown: 1 },
  });
  const wordsOf = (i: number): string => `${days[i]?.date}: ${outcomeWords(days[i]!.counts)}`;
  const ran = days.filter(({ worst }) => worst !== undefined);
  const failed = days.filter(({ worst }) => worst === "failed").length;
  const summary = ran.length === 0
    ? "No runs in the last year"
    : `${outcomeWords(countOutcomes(buckets))}. It ran on ${ran.length} ${
      ran.length === 1 ? "day" : "days"
    }, on ${failed} of them with failures.`;
  return (
    <figure class="heat">
      <div class="scroll" tabIndex={-1}>
        <svg
          role="group"
          aria-label={`The last year by day: ${summary}`}
          width={cell.left + 53 * cell.step}
          height={cell.top + 7 * cell.step}
          onKeyDown={onKeyDown}
          onPointerLeave={() => tell(undefined)}
        >
          {monthsOf(days).map(({ week, name }) => (
            <text key={name} x={cell.left + week * cell.step} y={11}>{name}</text>
          ))}
          {["Mon", "Wed", "Fri"].map((name, i) => (
            <text key={name} x={0} y={cell.top + 2 * i * cell.step + 10}>{name}</text>
          ))}
          {days.map(({ at, worst, week, weekday }, i) => {
            const [x, y] = [cell.left + week * cell.step, cell.top + weekday * cell.step];
            const href = runsBetween(at, day, unit);
            return (
              <a
                key={at}
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
                <rect class={worst ?? "none"} x={x} y={y} width={cell.size} height={cell.size} rx={2} />
                {worst === "failed" ? <path d={`M${x + 2.5} ${y + 8.5} L${x + 8.5} ${y + 2.5}`} /> : null}
              </a>
            );
          })}
        </svg>
      </div>
      <figcaption>{told === undefined ? summary : wordsOf(told)}</figcaption>
    </figure>
  );
}
