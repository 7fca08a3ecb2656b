/// <reference lib="dom" />
import { signal } from "@preact/signals";

/** Whether somebody can see this tab. */
export const isSeen = signal(true);

/** Keeps it true. */
export function watchSeen(): void {
  const look = (): void => void (isSeen.value = !document.hidden);
  document.addEventListener("visibilitychange", look);
  look();
}
