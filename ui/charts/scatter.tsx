/// <reference lib="dom" />
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { lengthMarks, nearestPoint, scaleOf, timeAt, timeMarks, xOf, yOf } from "./scatter_layout.ts";
import type { Points } from "./scatter_points.ts";

interface ScatterProps {
  points: Points;
  /** Lines across, in seconds, the lowest first. */
  lines: ReadonlyArray<{ label: string; at: number }>;
  isLog: boolean;
  zone: string;
  /** What it shows, in words. */
  label: string;
  onHover: (index: number | undefined) => void;
  onPick: (index: number) => void;
}

const height = 320;
const room = { left: 64, right: 44, top: 12, bottom: 40 };
/** Half the width of a mark. */
const half = 3;
/** A pointer that was moved less than this, px, has clicked. */
const still = 4;

/** Runs as time by length: a dot for one that went well, a cross for another. A stretch of time is drawn larger by dragging. */
export function Scatter({ points, lines, isLog, zone, label, onHover, onPick }: ScatterProps) {
  const ref = useRef<SVGSVGElement>(null);
  const [width, setWidth] = useState(800);
  const [range, setRange] = useState<readonly [number, number]>();
  const [drag, setDrag] = useState<{ from: number; to: number }>();
  const [hovered, hover] = useState<number>();
  useEffect(() => {
    const sizes = new ResizeObserver(() => setWidth(Math.max(240, ref.current?.clientWidth ?? 800)));
    sizes.observe(ref.current!);
    return () => sizes.disconnect();
  }, []);
  const field = {
    left: room.left,
    top: room.top,
    width: width - room.left - room.right,
    height: height - room.top - room.bottom,
  };
  const { places, drawn, scale } = useMemo(() => {
    const scale = scaleOf(points, {
      lines: lines.map(({ at }) => at),
      isLog,
      ...(range === undefined ? {} : { range }),
    });
    const places = points.times.map((time, i) =>
      [xOf(time, scale, field), yOf(points.lengths[i]!, scale, field)] as const
    );
    const isShown = ([x]: readonly [number, number]): boolean =>
      x >= field.left - half && x <= field.left + field.width + half;
    return {
      scale,
      places,
      drawn: (
        <>
          {lengthMarks(scale).map(({ at, label }) => (
            <g key={at} class="mark">
              <path d={`M${field.left} ${yOf(at, scale, field)}h${field.width}`} />
              <text x={field.left - 8} y={yOf(at, scale, field) + 4} text-anchor="end">{label}</text>
            </g>
          ))}
          {timeMarks(scale, { zone, most: Math.max(2, Math.floor(field.width / 90)) }).map((
            { at, label },
          ) => (
            <text key={at} x={xOf(at, scale, field)} y={field.top + field.height + 18} text-anchor="middle">
              {label.split("\n").map((line, i) => (
                <tspan key={i} x={xOf(at, scale, field)} dy={i * 14}>{line}</tspan>
              ))}
            </text>
          ))}
          {places.map((place, i) =>
            !isShown(place) ? null : points.failed[i]
              ? (
                <path
                  key={i}
                  class="failed"
                  d={`M${place[0] - half} ${place[1] - half}l${2 * half} ${2 * half}m0 ${-2 * half}l${
                    -2 * half
                  } ${2 * half}`}
                />
              )
              : <circle key={i} class="ok" cx={place[0]} cy={place[1]} r={half} />
          )}
          {lines.map(({ label, at }, i) => {
            const y = yOf(at, scale, field);
            const above = i === 0 ? Infinity : yOf(lines[i - 1]!.at, scale, field);
            return (
              <g key={label} class={`line ${label}`}>
                <path d={`M${field.left} ${y}h${field.width}`} />
                <text x={field.left + field.width + 6} y={Math.min(y, above - 12) + 4}>{label}</text>
              </g>
            );
          })}
        </>
      ),
    };
  }, [points, isLog, zone, width, range]);
  const point = hovered === undefined ? undefined : places[hovered];
  const placeOf = (event: PointerEvent): { x: number; y: number } => {
    const box = ref.current!.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const tell = (index: number | undefined): void => {
    if (index === hovered) return;
    hover(index);
    onHover(index);
  };
  return (
    <svg
      ref={ref}
      class="scatter"
      role="img"
      aria-label={label}
      height={height}
      style={{ cursor: point === undefined ? "crosshair" : "pointer" }}
      onPointerDown={(event) => {
        if (event.button !== 0 || event.pointerType === "touch") return;
        const { x } = placeOf(event);
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: x, to: x });
      }}
      onPointerMove={(event) => {
        const place = placeOf(event);
        if (drag !== undefined) setDrag({ ...drag, to: place.x });
        tell(nearestPoint(places, place));
      }}
      onPointerLeave={() => tell(undefined)}
      onPointerCancel={() => setDrag(undefined)}
      onPointerUp={(event) => {
        const isClick = drag === undefined || Math.abs(drag.to - drag.from) < still;
        setDrag(undefined);
        if (isClick) {
          const index = nearestPoint(places, placeOf(event));
          if (index !== undefined) onPick(index);
          return;
        }
        const [from, to] = [drag.from, drag.to].sort((a, b) => a - b).map((x) => timeAt(x, scale, field));
        tell(undefined);
        if (to! - from! >= 1) setRange([from!, to!]);
      }}
      onDblClick={() => setRange(undefined)}
    >
      {drawn}
      {point === undefined ? null : <circle class="here" cx={point[0]} cy={point[1]} r={7} />}
      {drag === undefined ? null : (
        <rect
          class="drag"
          x={Math.min(drag.from, drag.to)}
          y={field.top}
          width={Math.abs(drag.to - drag.from)}
          height={field.height}
        />
      )}
    </svg>
  );
}
