/// <reference lib="dom" />
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";

const key = "svc.unit-split";
const bounds = { least: 20, most: 70, first: 38 };

/** Where the split may stand, percent of the width. */
export function withinBounds(percent: number): number {
  if (!Number.isFinite(percent)) return bounds.first;
  return Math.round(Math.max(bounds.least, Math.min(bounds.most, percent)));
}

/** Two things side by side with a bar between them that the mouse and the arrow keys move; the browser remembers it. */
export function Split({ left, right }: { left: ComponentChildren; right: ComponentChildren }) {
  const ref = useRef<HTMLDivElement>(null);
  const [percent, setPercent] = useState(() => withinBounds(Number(localStorage.getItem(key) ?? NaN)));
  const move = (to: number): void => {
    const next = withinBounds(to);
    setPercent(next);
    localStorage.setItem(key, String(next));
  };
  const steps: Readonly<Record<string, number>> = { ArrowLeft: -2, ArrowRight: 2, Home: -100, End: 100 };
  return (
    <div class="unit-split" ref={ref} style={{ gridTemplateColumns: `${percent}% 9px minmax(0, 1fr)` }}>
      <div class="left">{left}</div>
      <div
        role="separator"
        aria-label="Width of the list"
        aria-orientation="vertical"
        aria-valuenow={percent}
        aria-valuemin={bounds.least}
        aria-valuemax={bounds.most}
        tabIndex={0}
        onKeyDown={(event) => {
          const step = steps[event.key];
          if (step === undefined) return;
          event.preventDefault();
          move(percent + step);
        }}
        onPointerDown={(event) => {
          event.preventDefault();
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
          const box = ref.current!.getBoundingClientRect();
          move(100 * (event.clientX - box.left) / box.width);
        }}
        onDblClick={() => move(bounds.first)}
      />
      <div class="right">{right}</div>
    </div>
  );
}
