/// <reference lib="dom" />
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

/** What stands where there is nothing: why, and what to do. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="title">{title}</p>
      {children}
    </div>
  );
}

interface FailedProps {
  what: string;
  why: string;
  onRetry?: () => void;
  /** It stands where the whole view would. */
  isView?: boolean;
}

/** What stands where something could not be read. */
export function Failed({ what, why, onRetry, isView = false }: FailedProps) {
  const Title = isView ? "h1" : "p";
  return (
    <div class="empty" role="alert">
      <Title class="title bad">Cannot read {what}</Title>
      <p>{why}</p>
      {onRetry === undefined ? null : <button type="button" onClick={onRetry}>Try again</button>}
    </div>
  );
}

/** Grey rows while something is read; nothing for the first 150 ms. */
export function Skeleton({ rows = 6 }: { rows?: number }) {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSeen(true), 150);
    return () => clearTimeout(timer);
  }, []);
  if (!isSeen) return <div aria-busy="true" />;
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, i) => <div class="bone" key={i} />)}
    </div>
  );
}
