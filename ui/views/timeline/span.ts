import { instantOf, wallOf } from "./wall_clock.ts";

/** A stretch of time, Unix ms. */
export interface Span {
  from: number;
  to: number;
}

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
/** The shortest and the longest stretch that can be shown. */
const bounds = { shortest: 2 * second, longest: 400 * day };

/** Stretches that go along with the clock, by their name in the address: how far they reach back, and on. */
export const presets: Readonly<Record<string, { back: number; ahead: number }>> = {
  "1h": { back: hour, ahead: 5 * minute },
  "6h": { back: 6 * hour, ahead: 30 * minute },
  "24h": { back: day, ahead: 2 * hour },
  "7d": { back: 7 * day, ahead: 12 * hour },
};
/** What is shown where the address says nothing. */
export const usualPreset = "6h";

/**
 * What an address shows: a stretch between two times, or one that goes along with the clock, in steps of what a pixel
 * stands for. `width` in px.
 */
export function spanOf(query: URLSearchParams, { now, width }: { now: number; width: number }): Span {
  const [from, to] = [Date.parse(query.get("from") ?? ""), Date.parse(query.get("to") ?? "")];
  if (from < to) return bounded({ from, to });
  const { back, ahead } = presets[presetOf(query) ?? usualPreset] ?? { back: 6 * hour, ahead: 0 };
  const step = Math.max(second, (back + ahead) / Math.max(1, width));
  const at = Math.floor(now / step) * step;
  return { from: at - back, to: at + ahead };
}

/** The preset that an address names; undefined for a stretch between two times. */
export function presetOf(query: URLSearchParams): string | undefined {
  const [from, to] = [Date.parse(query.get("from") ?? ""), Date.parse(query.get("to") ?? "")];
  if (from < to) return undefined;
  const name = query.get("span") ?? usualPreset;
  return Object.hasOwn(presets, name) ? name : usualPreset;
}

/** The changes of a query that make it show a stretch. */
export function queryOfSpan({ from, to }: Span): Record<string, string | undefined> {
  const text = (at: number): string => new Date(Math.round(at)).toISOString();
  return { from: text(from), to: text(to), span: undefined };
}

/** Shorter (a factor below 1) or longer, with one time staying where it is. */
export function zoomed(span: Span, factor: number, at: number): Span {
  const length = span.to - span.from;
  const wanted = Math.max(bounds.shortest, Math.min(bounds.longest, length * factor));
  const share = (at - span.from) / length;
  return { from: at - share * wanted, to: at + (1 - share) * wanted };
}

/** The same stretch, later or earlier by a share of its length. */
export function moved({ from, to }: Span, share: number): Span {
  const by = (to - from) * share;
  return { from: from + by, to: to + by };
}

/** The years that a run can be of, Unix ms. */
const years = { first: 0, last: Date.parse("9999-01-01T00:00:00Z") };

function bounded({ from, to }: Span): Span {
  const span = { from: Math.max(years.first, Math.min(from, years.last)), to: Math.min(to, years.last) };
  if (span.to <= span.from) span.to = span.from + bounds.shortest;
  const length = span.to - span.from;
  if (length >= bounds.shortest && length <= bounds.longest) return span;
  return zoomed(span, 1, (span.from + span.to) / 2);
}

/** A mark of the axis. */
export interface AxisTick {
  at: number;
  label: string;
  /** A day begins. */
  isDay: boolean;
}

const steps = [
  ...[1, 5, 15, 30].map((n) => n * second),
  ...[1, 5, 15, 30].map((n) => n * minute),
  ...[1, 3, 6, 12].map((n) => n * hour),
  ...[1, 2, 7, 14, 28].map((n) => n * day),
];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
/** What a label needs at least, px. */
const labelWidth = 76;

/**
 * The marks of a time axis at round times of a zone's wall clock. Up to an hour they are even in time, so that an
 * hour that comes twice has its marks twice; beyond that they follow the wall clock.
 */
export function axisOf(span: Span, { zone, width }: { zone: string; width: number }): AxisTick[] {
  const least = (span.to - span.from) * labelWidth / Math.max(labelWidth, width);
  const step = steps.find((step) => step >= least) ?? steps.at(-1) ?? day;
  const ticks: AxisTick[] = [];
  const add = (at: number): void => {
    if (at < span.from || at > span.to || (ticks.at(-1)?.at ?? -Infinity) >= at) return;
    const wall = wallOf(at, zone);
    const isDay = wall % day === 0 || step >= day;
    ticks.push({ at, label: labelOf(wall, { step, isDay }), isDay });
  };
  const start = Math.floor(wallOf(span.from, zone) / step) * step;
  if (step <= hour) {
    // Zones are apart from UTC by whole quarters of an hour.
    const ahead = wallOf(span.from, zone) - span.from;
    for (let at = start - ahead; at <= span.to; at += step) add(at);
  } else {
    for (let wall = start; wall <= wallOf(span.to, zone) + step; wall += step) {
      const at = instantOf(wall, zone);
      // What the clock skips is no mark, except for a day, which begins later then.
      if (step >= day || wallOf(at, zone) === wall) add(at);
    }
  }
  return ticks;
}

function labelOf(wall: number, { step, isDay }: { step: number; isDay: boolean }): string {
  const date = new Date(wall);
  if (isDay) return `${weekdays[date.getUTCDay()]} ${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
  return date.toISOString().slice(11, step < minute ? 19 : 16);
}

/** Where a time stands, px. */
export function xOf(at: number, span: Span, width: number): number {
  return (at - span.from) / (span.to - span.from) * width;
}

/** Which time stands at a place. */
export function atX(x: number, span: Span, width: number): number {
  return span.from + x / Math.max(1, width) * (span.to - span.from);
}
