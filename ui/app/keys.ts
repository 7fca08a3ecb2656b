/// <reference lib="dom" />

/** Keys that do something, and what, for the help. */
export interface KeyBinding {
  /** As the help shows it: `g u`, `/`, `?`. */
  keys: string;
  text: string;
  run: () => void;
}

let bindings: readonly KeyBinding[] = [];
const ofViews = new Set<readonly KeyBinding[]>();
let pending = "";
let pendingUntil = 0;
/** Two keys of one binding follow each other within so many ms. */
const between = 1000;

/** All keys at this moment: those of the whole page, then those of the view. */
export function allKeys(): KeyBinding[] {
  return [...bindings, ...[...ofViews].flat()];
}

/** Adds the keys of a view; the result takes them away. For `useEffect`. */
export function bindKeys(keys: readonly KeyBinding[]): () => void {
  ofViews.add(keys);
  return () => void ofViews.delete(keys);
}

/** Listens to the keyboard. `keys` are those of the whole page. */
export function startKeys(keys: readonly KeyBinding[]): void {
  bindings = keys;
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isTyping(event.target) || document.querySelector("dialog[open]") !== null) return;
    const typed = event.timeStamp < pendingUntil ? `${pending} ${event.key}` : event.key;
    const found = allKeys().find(({ keys }) => keys === typed) ??
      allKeys().find(({ keys }) => keys === event.key);
    pending = "";
    pendingUntil = 0;
    if (found !== undefined) {
      event.preventDefault();
      found.run();
    } else if (allKeys().some(({ keys }) => keys.startsWith(`${event.key} `))) {
      pending = event.key;
      pendingUntil = event.timeStamp + between;
    }
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/**
 * Moves the focus among the rows of a list: those that match `selector`, by `step`. From nowhere to the first, or
 * with a negative step to the last.
 */
export function moveFocus(selector: string, step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>(selector)];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = at < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.max(0, Math.min(rows.length - 1, at + step));
  rows[next]?.focus();
  rows[next]?.scrollIntoView({ block: "nearest" });
}
