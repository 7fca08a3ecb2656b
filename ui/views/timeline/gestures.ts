/// <reference lib="dom" />
import { useEffect } from "preact/hooks";
import { atX, moved, type Span, zoomed } from "./span.ts";

/** What the pointer does to the chart. */
export interface Gestures {
  span: Span;
  width: number;
  /** Shows another stretch; `isOver`: the gesture has ended, and the address may tell. */
  onSpan: (span: Span, options: { isOver: boolean }) => void;
  /** What is being marked to be zoomed into, px; undefined when that is over. */
  onMark: (mark: { x: number; width: number } | undefined) => void;
  onPoint: (event: PointerEvent | undefined) => void;
  onPress: (event: PointerEvent) => void;
}

/** So far a pointer moves before it drags, px. */
const slack = 4;
/** Turns of a wheel that follow each other within so many ms are one gesture. */
const calm = 200;

/**
 * Drag marks a stretch to zoom into; on the axis, with the shift key, or with a finger, it moves the window. The wheel
 * zooms with ctrl, and moves with shift or sideways.
 */
export function useGestures(ref: { current: HTMLElement | null }, latest: { current: Gestures }): void {
  useEffect(() => {
    const chart = ref.current;
    if (chart === null) return;
    let drag: { id: number; x: number; span: Span; isPan: boolean; isMoved: boolean } | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const xIn = (event: MouseEvent): number => {
      const track = chart.querySelector(".timeline-labels");
      return event.clientX - (track?.getBoundingClientRect().left ?? 0);
    };
    const down = (event: PointerEvent): void => {
      const target = event.target as HTMLElement;
      const onAxis = target.closest(".timeline-axis") !== null;
      if (event.button !== 0 || (!onAxis && target.closest(".timeline-track") === null)) return;
      const isPan = onAxis || event.shiftKey || event.pointerType === "touch";
      drag = { id: event.pointerId, x: xIn(event), span: latest.current.span, isPan, isMoved: false };
    };
    const move = (event: PointerEvent): void => {
      const now = latest.current;
      if (drag === undefined) return now.onPoint(event);
      const x = xIn(event);
      if (!drag.isMoved && Math.abs(x - drag.x) < slack) return;
      if (!drag.isMoved) chart.setPointerCapture(drag.id);
      drag.isMoved = true;
      now.onPoint(undefined);
      if (drag.isPan) now.onSpan(moved(drag.span, (drag.x - x) / now.width), { isOver: false });
      else {
        const [left, right] = [Math.max(0, Math.min(drag.x, x)), Math.min(now.width, Math.max(drag.x, x))];
        now.onMark({ x: left, width: right - left });
      }
    };
    const up = (event: PointerEvent): void => {
      const done = drag;
      drag = undefined;
      const now = latest.current;
      if (done === undefined) return;
      now.onMark(undefined);
      if (!done.isMoved) return now.onPress(event);
      if (done.isPan) return now.onSpan(now.span, { isOver: true });
      const ends = [done.x, Math.max(0, Math.min(now.width, xIn(event)))].sort((a, b) => a - b);
      const [from = 0, to = 0] = ends.map((x) => atX(x, done.span, now.width));
      if (to - from > 1) now.onSpan({ from, to }, { isOver: true });
    };
    const cancel = (): void => {
      if (drag === undefined) return;
      latest.current.onMark(undefined);
      if (drag.isPan && drag.isMoved) latest.current.onSpan(drag.span, { isOver: true });
      drag = undefined;
    };
    const wheel = (event: WheelEvent): void => {
      const now = latest.current;
      const sideways = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX;
      if (!event.ctrlKey && Math.abs(sideways) <= (event.shiftKey ? 0 : Math.abs(event.deltaY))) return;
      event.preventDefault();
      const next = event.ctrlKey
        ? zoomed(now.span, 1.002 ** clamped(event.deltaY), atX(xIn(event), now.span, now.width))
        : moved(now.span, clamped(sideways) / Math.max(200, now.width));
      now.onSpan(next, { isOver: false });
      clearTimeout(timer);
      timer = setTimeout(() => latest.current.onSpan(latest.current.span, { isOver: true }), calm);
    };
    const leave = (): void => latest.current.onPoint(undefined);
    const key = (event: KeyboardEvent): void => {
      if (event.key === "Escape") cancel();
    };
    chart.addEventListener("pointerdown", down);
    chart.addEventListener("pointermove", move);
    chart.addEventListener("pointerup", up);
    chart.addEventListener("pointercancel", cancel);
    chart.addEventListener("pointerleave", leave);
    chart.addEventListener("wheel", wheel, { passive: false });
    addEventListener("keydown", key);
    return () => {
      clearTimeout(timer);
      removeEventListener("keydown", key);
      chart.removeEventListener("pointerdown", down);
      chart.removeEventListener("pointermove", move);
      chart.removeEventListener("pointerup", up);
      chart.removeEventListener("pointercancel", cancel);
      chart.removeEventListener("pointerleave", leave);
      chart.removeEventListener("wheel", wheel);
    };
  }, [ref.current]);
}

function clamped(delta: number): number {
  return Math.max(-240, Math.min(240, delta));
}
