/// <reference lib="dom" />
import { useEffect, useRef } from "preact/hooks";
import { Strip } from "../../parts/strip.tsx";
import { recentRuns, wantRuns } from "./recent_runs.ts";

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
  useEffect(() => {
    let drop: (() => void) | undefined;
    const stop = onSight(ref.current!, (isSeen) => {
      if (isSeen) drop ??= wantRuns(name);
      else {
        drop?.();
        drop = undefined;
      }
    });
    return () => {
      stop();
      drop?.();
    };
  }, [name]);
  const runs = recentRuns(name).value;
  return <span class="recent" ref={ref}>{runs === undefined ? null : <Strip runs={runs} />}</span>;
}
