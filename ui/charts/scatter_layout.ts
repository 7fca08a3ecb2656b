import { durationWords } from "../../src/core/time_words.ts";
import { type Points, timeLabels } from "./scatter_points.ts";

/** The field of a chart within its drawing, px. */
export interface Field {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** What is shown: a stretch of time (Unix seconds) by lengths (seconds), plain or by their logarithm. */
export interface Scale {
  from: number;
  to: number;
  least: number;
  most: number;
  isLog: boolean;
}

const [minute, hour, day] = [60, 3600, 86_400];
/** Steps between the marks of an axis, seconds. */
const lengthSteps = [
  ...[0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30],
  ...[minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute],
  ...[hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day, 14 * day],
];
const timeSteps = [
  ...[1, 2, 5, 10, 15, 30, minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute],
  ...[hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 4 * day, 7 * day, 14 * day, 30 * day],
  ...[60 * day, 120 * day, 365 * day],
];
const decades = [0.001, 0.01, 0.1, 1, 10, minute, 10 * minute, hour, 10 * hour, day, 10 * day, 100 * day];

/** The scale that shows all points and lines, or those of a stretch of time. */
export function scaleOf(
  { times, lengths }: Points,
  { lines, isLog, range }: { lines: readonly number[]; isLog: boolean; range?: readonly [number, number] },
): Scale {
  const first = range?.[0] ?? times[0] ?? 0;
  const last = range?.[1] ?? times.at(-1) ?? 0;
  const shown = [...lengths.filter((_, i) => times[i]! >= first && times[i]! <= last), ...lines];
  const most = Math.max(0.001, ...shown);
  // A single moment is given some room, so that it has a place.
  const room = range === undefined ? Math.max(1, (last - first) * 0.01) : 0;
  return {
    from: first - room,
    to: last + room,
    least: isLog ? decades.findLast((one) => one <= Math.min(...shown)) ?? 0.001 : 0,
    most: isLog ? decades.find((one) => one > most) ?? most : most * 1.06,
    isLog,
  };
}

/** Where a time stands in the field, px. */
export function xOf(time: number, { from, to }: Scale, { left, width }: Field): number {
  return left + width * (time - from) / (to - from);
}

/** Where a length stands in the field, px. */
export function yOf(length: number, { least, most, isLog }: Scale, { top, height }: Field): number {
  const share = isLog
    ? Math.log(Math.max(least, length) / least) / Math.log(most / least)
    : (length - least) / (most - least);
  return top + height * (1 - share);
}

/** The time at a place of the field, Unix seconds. */
export function timeAt(x: number, { from, to }: Scale, { left, width }: Field): number {
  return from + (to - from) * Math.max(0, Math.min(1, (x - left) / width));
}

/** A mark of an axis: its value, and what stands beside it. */
export interface Mark {
  at: number;
  label: string;
}

/** The marks of the lengths, at most `most` of them. */
export function lengthMarks({ least, most: top, isLog }: Scale, most = 7): Mark[] {
  const values = isLog
    ? decades.filter((one) => one >= least && one <= top)
    : stepsThrough(0, top, lengthSteps, most);
  return values.map((at) => ({
    at,
    label: at === 0 ? "0" : durationWords(at * 1000).replace(".0", "").replace(/ 00 \w$/, ""),
  }));
}

/** The marks of time, at most `most` of them, on the wall clock of a zone. */
export function timeMarks({ from, to }: Scale, { zone, most }: { zone: string; most: number }): Mark[] {
  const values = stepsThrough(from, to, timeSteps, most);
  const step = values.length > 1 ? values[1]! - values[0]! : to - from;
  const labels = timeLabels(values, { step, zone });
  return values.map((at, i) => ({ at, label: labels[i]! }));
}

function stepsThrough(from: number, to: number, steps: readonly number[], most: number): number[] {
  const countOf = (step: number): number => Math.floor(to / step) - Math.ceil(from / step) + 1;
  const step = steps.find((one) => countOf(one) <= most) ?? steps.at(-1)!;
  const [first, count] = [Math.ceil(from / step), countOf(step)];
  // Whole steps add up without the crumbs of binary fractions.
  return Array.from({ length: Math.min(count, 50) }, (_, i) => Math.round((first + i) * step * 1000) / 1000);
}

/** The point nearest to a place, within `reach` px. */
export function nearestPoint(
  places: ReadonlyArray<readonly [x: number, y: number]>,
  { x, y, reach = 24 }: { x: number; y: number; reach?: number },
): number | undefined {
  let best: number | undefined;
  let least = reach ** 2;
  places.forEach(([px, py], i) => {
    const distance = (px - x) ** 2 + (py - y) ** 2;
    if (distance < least) [best, least] = [i, distance];
  });
  return best;
}
