/// <reference lib="dom" />
import { useState } from "preact/hooks";

/** Which of many things in one place the Tab key reaches; keys move it, and the focus with it. */
export function useRoving(
  count: number,
  { first, steps }: { first: number; steps: Readonly<Record<string, number>> },
) {
  const [at, setAt] = useState(first);
  const current = Math.max(0, Math.min(count - 1, at));
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "Home" ? -count : event.key === "End" ? count : steps[event.key];
    if (step === undefined || !(event.currentTarget instanceof Element)) return;
    event.preventDefault();
    const next = moved(current, step, count);
    setAt(next);
    event.currentTarget.querySelector<SVGElement>(`[data-at="${next}"]`)?.focus();
  };
  return { current, setAt, onKeyDown };
}

/** Where a step leads: it stays where a long one would leave the place, and a jump goes to its end. */
export function moved(at: number, step: number, count: number): number {
  const next = at + step;
  if (next >= 0 && next < count) return next;
  return Math.abs(step) > 1 && Math.abs(step) < count ? at : Math.max(0, Math.min(count - 1, next));
}
