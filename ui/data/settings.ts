/// <reference lib="dom" />
import { effect, type Signal, signal } from "@preact/signals";

/** A choice that this browser remembers. */
function remembered<T extends string>(name: string, values: readonly T[]): Signal<T> {
  const first = values[0]!;
  const choice = signal<T>(first);
  if (typeof localStorage === "undefined") return choice;
  const kept = localStorage.getItem(`svc.${name}`);
  choice.value = values.find((value) => value === kept) ?? first;
  effect(() => localStorage.setItem(`svc.${name}`, choice.value));
  return choice;
}

/** The colours of the page. */
export const theme = remembered("theme", ["system", "light", "dark"]);
/** Whose wall clock times are shown in. */
export const zone = remembered("zone", ["daemon", "browser"]);
/** How a log is shown. */
export const logWrap = remembered("log-wrap", ["on", "off"]);
export const logTimes = remembered("log-times", ["off", "on"]);

/** Puts the theme on the page, and keeps it there. */
export function applyTheme(): void {
  effect(() => {
    const { dataset } = document.documentElement;
    if (theme.value === "system") delete dataset.theme;
    else dataset.theme = theme.value;
  });
}
