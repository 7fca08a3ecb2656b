/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { sizeWords } from "../../../src/core/size.ts";
import { wallTime } from "../../parts/times.tsx";
import { atX, axisOf, type Span, xOf } from "../timeline/span.ts";
import { lineOf, nearest, type Sample, summaryOf } from "./chart_layout.ts";

const height = 160;
const left = 44;
const levels = [0, 50, 100];

interface PlotProps {
  samples: readonly Sample[];
  span: Span;
  zone: string;
  /** Of the plot without the labels at its left, px. */
  width: number;
  /** The sample that is pointed at. */
  chosen: number | undefined;
}

/** CPU and memory over time, in percent. */
export function Plot({ samples, span, zone, width, chosen }: PlotProps) {
  const frame = { span, width, height };
  const sample = chosen === undefined ? undefined : samples[chosen];
  const y = (percent: number): number => (1 - percent / 100) * height;
  const x = sample === undefined ? 0 : xOf(sample.ts * 1000, span, width);
  return (
    <svg width={width + left} height={height + 28} aria-hidden="true" class="system-plot">
      <g transform={`translate(${left} 6)`}>
        {levels.map((level) => (
          <g key={level}>
            <line x1="0" x2={width} y1={y(level)} y2={y(level)} class="line" />
            <text x="-6" y={y(level) + 4} text-anchor="end">{level} %</text>
          </g>
        ))}
        {axisOf(span, { zone, width }).map(({ at, label }) => {
          const x = xOf(at, span, width);
          return (
            <g key={at}>
              <line x1={x} x2={x} y1={height} y2={height + 4} class="line" />
              <text x={Math.min(width - 16, Math.max(16, x))} y={height + 18} text-anchor="middle">
                {label}
              </text>
            </g>
          );
        })}
        <path d={lineOf(samples, "mem", frame)} class="mem" />
        <path d={lineOf(samples, "cpu", frame)} class="cpu" />
        {sample === undefined ? null : (
          <g class="chosen">
            <line x1={x} x2={x} y1="0" y2={height} />
            <circle cx={x} cy={y(sample.mem)} r="3.5" class="mem" />
            <circle cx={x} cy={y(sample.cpu)} r="3.5" class="cpu" />
          </g>
        )}
      </g>
    </svg>
  );
}

/** A sample in words. */
export function sampleWords({ ts, cpu, mem, mem_used }: Sample, zone: string): string {
  return `${wallTime(ts * 1000, zone, { exact: true })}: CPU ${cpu.toFixed(1)} %, memory ${
    mem.toFixed(1)
  } % (${sizeWords(mem_used)})`;
}

/** The chart as one control: the pointer and the arrow keys go through its samples. */
export function LoadChart({ samples, span, zone }: Omit<PlotProps, "width" | "chosen">) {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  /** The time that is pointed at, so that it stays when samples come. */
  const [at, setAt] = useState<number>();
  useEffect(() => {
    const box = ref.current;
    if (box === null) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(80, Math.floor(box.clientWidth) - left)));
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  const chosen = at === undefined ? undefined : nearest(samples, at);
  const sample = chosen === undefined ? undefined : samples[chosen];
  const step = (by: number): void => {
    const from = chosen ?? samples.length;
    const next = samples[Math.max(0, Math.min(samples.length - 1, from + by))];
    if (next !== undefined) setAt(next.ts * 1000);
  };
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    PageUp: -12,
    PageDown: 12,
    Home: -Infinity,
    End: Infinity,
  };
  return (
    <figure>
      <div
        ref={ref}
        class="system-chart"
        role="slider"
        tabIndex={0}
        aria-label="CPU and memory over time"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, samples.length - 1)}
        aria-valuenow={chosen ?? Math.max(0, samples.length - 1)}
        aria-valuetext={sample === undefined ? summaryOf(samples) : sampleWords(sample, zone)}
        onPointerMove={(event) =>
          setAt(atX(event.clientX - event.currentTarget.getBoundingClientRect().left - left, span, width))}
        onPointerLeave={() => setAt(undefined)}
        onBlur={() => setAt(undefined)}
        onKeyDown={(event) => {
          const by = steps[event.key];
          if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
          event.preventDefault();
          step(by);
        }}
      >
        {width === 0
          ? null
          : <Plot samples={samples} span={span} zone={zone} width={width} chosen={chosen} />}
      </div>
      <figcaption class="system-caption">
        <span class="system-key cpu">CPU</span>
        <span class="system-key mem">Memory</span>
        <span class="muted">{sample === undefined ? summaryOf(samples) : sampleWords(sample, zone)}</span>
      </figcaption>
    </figure>
  );
}
