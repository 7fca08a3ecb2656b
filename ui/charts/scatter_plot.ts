/// <reference lib="dom" />
import uPlot from "uplot";
import { durationWords } from "../../src/core/time_words.ts";
import { type Points, timeLabels } from "./scatter_points.ts";

interface ScatterOptions {
  points: Points;
  /** Lines across, in seconds. */
  lines: ReadonlyArray<{ label: string; at: number }>;
  isLog: boolean;
  zone: string;
  /** Which point the pointer is at; undefined where there is none. */
  onHover: (index: number | undefined) => void;
  onPick: (index: number) => void;
}

const height = 320;
/** Half the width of a mark, CSS pixels. */
const half = 3.5;

/** Draws runs as time by length into a place, as wide as it is; the result takes it away. */
export function drawScatter(place: HTMLElement, options: ScatterOptions): () => void {
  const { points, lines, isLog, zone, onHover, onPick } = options;
  let colors = colorsOf(place);
  let hovered: number | undefined;
  const plot = new uPlot(
    {
      width: Math.max(200, place.clientWidth),
      height,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), zone),
      padding: [12, 56, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: true, y: false }, points: { show: false } },
      scales: {
        x: { time: true },
        y: isLog
          ? { distr: 3 }
          : { range: (_plot, _least, most) => [0, Math.max(most, ...lines.map(({ at }) => at)) * 1.08] },
      },
      axes: [
        {
          stroke: () => colors.muted,
          grid: { show: false },
          ticks: { stroke: () => colors.line, width: 1 },
          space: 80,
          values: (_plot, splits, _axis, _space, step) => timeLabels(splits, { step, zone }),
        },
        {
          size: 72,
          stroke: () => colors.muted,
          grid: { stroke: () => colors.line, width: 1 },
          ticks: { show: false },
          values: (_plot, splits) => splits.map((value) => value === null ? "" : durationWords(value * 1000)),
        },
      ],
      series: [{}, { paths: () => null, points: { show: false } }],
      hooks: {
        draw: [(plot) => {
          drawLines(plot, lines, colors);
          drawPoints(plot, points, colors);
        }],
        setCursor: [(plot) => {
          const index = nearestPoint(plot, points);
          if (index === hovered) return;
          hovered = index;
          onHover(index);
        }],
      },
    },
    [points.times, points.lengths],
    place,
  );
  const pick = (): void => {
    if (hovered !== undefined) onPick(hovered);
  };
  plot.over.addEventListener("click", pick);
  const recolor = (): void => {
    colors = colorsOf(place);
    plot.redraw(false);
  };
  const media = matchMedia("(prefers-color-scheme: dark)");
  media.addEventListener("change", recolor);
  const themes = new MutationObserver(recolor);
  themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  const sizes = new ResizeObserver(() => plot.setSize({ width: Math.max(200, place.clientWidth), height }));
  sizes.observe(place);
  return () => {
    media.removeEventListener("change", recolor);
    themes.disconnect();
    sizes.disconnect();
    plot.destroy();
  };
}

interface Colors {
  good: string;
  bad: string;
  muted: string;
  line: string;
  text: string;
}

/** A canvas knows no tokens: what they come to is asked of the browser. */
function colorsOf(place: HTMLElement): Colors {
  const probe = document.createElement("i");
  place.append(probe);
  const color = (token: string): string => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  };
  const colors = {
    good: color("good"),
    bad: color("bad"),
    muted: color("muted"),
    line: color("line"),
    text: color("text"),
  };
  probe.remove();
  return colors;
}

/** What went well is a dot, a failure a cross. */
function drawPoints(plot: uPlot, { times, lengths, failed }: Points, colors: Colors): void {
  const { ctx } = plot;
  const size = half * devicePixelRatio;
  ctx.save();
  clip(plot);
  ctx.lineWidth = 1.75 * devicePixelRatio;
  for (let i = 0; i < times.length; i++) {
    const x = plot.valToPos(times[i]!, "x", true);
    const y = plot.valToPos(lengths[i]!, "y", true);
    ctx.beginPath();
    if (failed[i]) {
      ctx.strokeStyle = colors.bad;
      ctx.moveTo(x - size, y - size);
      ctx.lineTo(x + size, y + size);
      ctx.moveTo(x + size, y - size);
      ctx.lineTo(x - size, y + size);
      ctx.stroke();
    } else {
      ctx.fillStyle = colors.good;
      ctx.arc(x, y, size * 0.8, 0, 7);
      ctx.fill();
    }
  }
  ctx.restore();
}

function drawLines(plot: uPlot, lines: ScatterOptions["lines"], colors: Colors): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  ctx.strokeStyle = colors.text;
  ctx.fillStyle = colors.text;
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  let above = -Infinity;
  for (const { label, at } of [...lines].sort((a, b) => b.at - a.at)) {
    const y = plot.valToPos(at, "y", true);
    if (y < bbox.top || y > bbox.top + bbox.height) continue;
    ctx.setLineDash(label === "p50" ? [] : [5 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    // Labels of lines that nearly meet stand below each other.
    above = Math.max(y, above + 12 * devicePixelRatio);
    ctx.fillText(label, bbox.left + bbox.width + 6 * devicePixelRatio, above);
  }
  ctx.restore();
}

function clip({ ctx, bbox }: uPlot): void {
  const room = half * devicePixelRatio;
  ctx.beginPath();
  ctx.rect(bbox.left - room, bbox.top - room, bbox.width + 2 * room, bbox.height + 2 * room);
  ctx.clip();
}

/** The point next to the pointer, within reach. */
function nearestPoint(plot: uPlot, { times, lengths }: Points): number | undefined {
  const { left = -1, top = -1 } = plot.cursor;
  if (left < 0 || top < 0) return undefined;
  let best: number | undefined;
  let least = 24 ** 2;
  for (let i = 0; i < times.length; i++) {
    const dx = plot.valToPos(times[i]!, "x") - left;
    const dy = plot.valToPos(lengths[i]!, "y") - top;
    const distance = dx * dx + dy * dy;
    if (distance < least) [best, least] = [i, distance];
  }
  return best;
}
