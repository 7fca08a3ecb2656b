/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { Strip } from "../../parts/strip.tsx";
import { useRecentRuns } from "./recent_runs.ts";

const seen = new WeakMap<Element, (isSeen: boolean) => void>();
let observer: IntersectionObserver | undefined;

/** Calls `listener` when an element comes into sight and when it leaves it, until the result is called. */
export function onSight(
  element: Element,
  listener: (isSeen: boolean) => void,
): () => void {
  observer ??= new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) seen.get(target)?.(isIntersecting);
  });
  seen.set(element, listener);
  observer.observe(element);
  return () => {
    seen.delete(element);
    observer?.unobserve(element);
  };
}

/** The last results of a unit; they are asked for when this comes into sight. */
export function RecentStrip({ name }: { name: string }) {
  const ref = useRef<HTMLSpanElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => onSight(ref.current!, setSeen), []);
  const runs = useRecentRuns(name, isSeen);
  return <span class="recent" ref={ref}>{runs === undefined ? null : <Strip runs={runs} />}</span>;
}
