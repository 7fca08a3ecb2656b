/// <reference lib="dom" />
import type { KeyBinding } from "../app/keys.ts";
import { lineHeight, type LogScroller } from "./log_scroller.ts";

interface Handlers {
  follow: () => void;
  wrap: () => void;
  times: () => void;
  step: (step: 1 | -1) => void;
  full: () => void;
}

/** The keys of a log, for the whole page while one is open. */
export function keysOfLog(handlers: () => Handlers): KeyBinding[] {
  return [
    { keys: "f", text: "follow the log", run: () => handlers().follow() },
    { keys: "w", text: "break long lines", run: () => handlers().wrap() },
    { keys: "t", text: "times of lines", run: () => handlers().times() },
    { keys: "n", text: "next hit in the log", run: () => handlers().step(1) },
    { keys: "N", text: "hit before", run: () => handlers().step(-1) },
    { keys: "F", text: "log in full screen", run: () => handlers().full() },
  ];
}

/** Scrolls by the keys that scroll everywhere, exact to the line however long the log is. */
export function scrollByKey(event: KeyboardEvent, scroller: LogScroller): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const moves: Record<string, () => void> = {
    ArrowDown: () => scroller.move(lineHeight),
    ArrowUp: () => scroller.move(-lineHeight),
    PageDown: () => scroller.movePage(1),
    PageUp: () => scroller.movePage(-1),
    " ": () => scroller.movePage(event.shiftKey ? -1 : 1),
    Home: () => scroller.toStart(),
    End: () => scroller.toEnd(),
  };
  // A button in a line has its own space bar.
  if (event.key === " " && event.target !== event.currentTarget) return;
  const move = moves[event.key];
  if (move === undefined) return;
  event.preventDefault();
  move();
}
