/// <reference lib="dom" />
import { signal } from "@preact/signals";

/** Unix ms, once a second while the page is seen. */
export const now = signal(Date.now());

export function startClock(): void {
  const tick = (): void => {
    if (!document.hidden) now.value = Date.now();
  };
  setInterval(tick, 1000);
  document.addEventListener("visibilitychange", tick);
}
