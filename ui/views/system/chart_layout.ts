import type { MetricsSampleJson } from "../../../src/http/schemas/system.ts";
import { type Span, xOf } from "../timeline/span.ts";

export type Sample = MetricsSampleJson;

/** How far back the chart can reach, ms. */
export const chartRanges: Readonly<Record<string, number>> = {
  "1h": 3_600_000,
  "24h": 86_400_000,
  "7d": 7 * 86_400_000,
};

/** Samples that are kept at most: an hour of every five seconds, and a week of minutes. */
const most = 12_000;
/** Two samples that are farther apart than this, s, have a gap between them: the daemon was away. */
const gap = 150;

/** Adds samples, and drops what is older than the window. Samples come in order. */
export function withSamples(
  known: readonly Sample[],
  fresh: readonly Sample[],
  from: number,
): readonly Sample[] {
  const last = known.at(-1)?.ts ?? 0;
  const all = [...known, ...fresh.filter(({ ts }) => ts > last)];
  const first = all.findIndex(({ ts }) => ts * 1000 >= from);
  return all.slice(Math.max(first < 0 ? all.length : first, all.length - most));
}

interface Frame {
  span: Span;
  width: number;
  height: number;
}

/**
 * The line of a figure in percent; of several samples on one pixel the highest, so that no peak is lost. Gaps stay
 * open.
 */
export function lineOf(
  samples: readonly Sample[],
  figure: "cpu" | "mem",
  { span, width, height }: Frame,
): string {
  const points: { x: number; value: number; ts: number; first: number }[] = [];
  for (const sample of samples) {
    const x = Math.round(xOf(sample.ts * 1000, span, width));
    const last = points.at(-1);
    if (last !== undefined && last.x === x) {
      last.value = Math.max(last.value, sample[figure]);
      last.ts = sample.ts;
    } else points.push({ x, value: sample[figure], ts: sample.ts, first: sample.ts });
  }
  return points.map(({ x, value, first }, i) => {
    const before = points[i - 1];
    const isNew = before === undefined || first - before.ts > gap;
    return `${isNew ? "M" : "L"}${x} ${Math.round((1 - value / 100) * height * 10) / 10}`;
  }).join("");
}

/** The sample nearest to a time; undefined where there are none. `at`: Unix ms. */
export function nearest(samples: readonly Sample[], at: number): number | undefined {
  if (samples.length === 0) return undefined;
  let [low, high] = [0, samples.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((samples[middle]?.ts ?? 0) * 1000 < at) low = middle + 1;
    else high = middle;
  }
  const before = samples[low - 1];
  const here = samples[low];
  if (before === undefined || here === undefined) return low;
  return at - before.ts * 1000 < here.ts * 1000 - at ? low - 1 : low;
}

/** What a chart tells, for those who don't see it. */
export function summaryOf(samples: readonly Sample[]): string {
  if (samples.length === 0) return "No samples yet.";
  const last = samples.at(-1);
  const peak = (figure: "cpu" | "mem"): string =>
    `${Math.round(samples.reduce((most, sample) => Math.max(most, sample[figure]), 0))} %`;
  return `CPU ${Math.round(last?.cpu ?? 0)} % now, ${peak("cpu")} at most. ` +
    `Memory ${Math.round(last?.mem ?? 0)} % now, ${peak("mem")} at most.`;
}
