/// <reference lib="dom" />
import { markedRows, pathOfRows } from "./minimap.ts";

/** The strip has so many rows, whatever its height. */
const rows = 200;

interface MapProps {
  first: number;
  end: number;
  seen: { from: number; to: number };
  errors: Iterable<number>;
  hits: readonly number[];
  onJump: (n: number) => void;
}

/** The whole log as a strip: lines of stderr at its left, hits at its right, and what is seen. For the mouse: keys do the same. */
export function LogMap({ first, end, seen, errors, hits, onJump }: MapProps) {
  const range = { first, end };
  const count = Math.max(1, end - first);
  const top = (seen.from - first) / count * rows;
  const height = Math.max(3, (seen.to - seen.from) / count * rows);
  return (
    <svg
      class="log-map"
      viewBox={`0 0 10 ${rows}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      onPointerDown={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        onJump(first + Math.floor((event.clientY - box.top) / box.height * count));
      }}
    >
      <rect class="log-map-seen" x="0" width="10" y={Math.min(top, rows - height)} height={height} />
      <path class="log-map-errors" d={pathOfRows(markedRows(errors, range, rows), { x: 1, width: 4 })} />
      <path class="log-map-hits" d={pathOfRows(markedRows(hits, range, rows), { x: 5, width: 4 })} />
    </svg>
  );
}
