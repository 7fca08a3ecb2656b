/// <reference lib="dom" />
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

interface NearProps {
  /** How high it is when it is drawn, px. */
  height: number;
  isFirst: boolean;
  children: () => ComponentChildren;
}

/** Something of a long list; far from what is seen only the room that it takes is there. */
export function Near({ height, isFirst, children }: NearProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(isFirst);
  useLayoutEffect(() => {
    const element = ref.current!;
    const observer = new IntersectionObserver(([change]) => {
      if (change === undefined) return;
      // Whoever has the focus stays, however far it was scrolled.
      setNear(change.isIntersecting || element.contains(document.activeElement));
    }, { rootMargin: "800px 0px" });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={ref} role="presentation" style={isNear ? {} : { height: `${height}px` }}>
      {isNear ? children() : null}
    </div>
  );
}
