import type { State } from "./state.ts";
import { viewOf } from "./state.ts";

/** A key as help and the status line name it. */
export interface KeyHelp {
  keys: string;
  does: string;
}

/** All keys, by what they are for, as help shows them. */
export const keyTable: readonly { title: string; keys: readonly KeyHelp[] }[] = [
  {
    title: "Moving",
    keys: [
      { keys: "↑ ↓  k j", does: "one row up or down" },
      { keys: "PgUp PgDn", does: "one screen up or down; also Ctrl-B, Ctrl-F" },
      { keys: "Home End  g G", does: "to the first or the last row; of a log: follow it" },
      { keys: "← →  h l  Tab", does: "to the units at the left, or to the view" },
      { keys: "Enter", does: "open" },
      { keys: "Esc", does: "back; also: end a filter, a search or a selection" },
      { keys: "Mouse", does: "the wheel scrolls; a click selects a row, another opens it" },
      { keys: "c", does: "free the mouse, to select and copy text; mostly Shift does, too" },
    ],
  },
  {
    title: "Views",
    keys: [
      { keys: "1", does: "home" },
      { keys: "2", does: "history: all runs" },
      { keys: "3  n", does: "notifications" },
      { keys: "4", does: "the daemon's own log" },
      { keys: "5", does: "system" },
      { keys: "/", does: "filter the units or the runs; in a log: search" },
      { keys: "w", does: "in a log: wrap long lines, or cut them" },
      { keys: "<  >", does: "in a log: earlier, later frames of a line that was redrawn" },
      { keys: "n  N", does: "in a log that was searched: next, previous hit" },
      { keys: "z", does: "the view on the whole width, or the units beside it" },
      { keys: "o", does: "open the page in a browser" },
    ],
  },
  {
    title: "Acting",
    keys: [
      { keys: "Space", does: "select; actions then mean all that are selected" },
      { keys: "r", does: "run a task, restart a service; of a past run: run it again" },
      { keys: "s", does: "stop" },
      { keys: "p", does: "pause or resume a schedule" },
      { keys: "d", does: "delete runs" },
      { keys: "u", does: "undo that, for ten seconds" },
      { keys: "R", does: "reload the configuration" },
      { keys: "m  M", does: "in notifications: mark as read or unread; all as read" },
      { keys: "?", does: "this help" },
      { keys: "q", does: "quit; also Ctrl-C" },
    ],
  },
];

/** The keys of the moment for the status line: at most six. */
export function contextKeys(state: State): readonly KeyHelp[] {
  if (state.help !== undefined) return [{ keys: "Esc", does: "close" }, { keys: "j k", does: "scroll" }];
  if (state.form !== undefined) {
    return [
      { keys: "Enter", does: "run" },
      { keys: "Tab", does: "next" },
      { keys: "← →", does: "choose" },
      { keys: "Esc", does: "cancel" },
    ];
  }
  const end = { keys: "?", does: "help" };
  const undo = state.undo === undefined ? [] : [{ keys: "u", does: "undo" }];
  return [...undo, ...ownKeys(state)].slice(0, 5).concat(end);
}

function ownKeys(state: State): KeyHelp[] {
  const view = viewOf(state);
  if (state.focus === "rail") {
    return [
      { keys: "Enter", does: "open" },
      { keys: "r", does: "run" },
      { keys: "s", does: "stop" },
      { keys: "/", does: "filter" },
      { keys: "q", does: "quit" },
    ];
  }
  switch (view.kind) {
    case "home":
      return [
        { keys: "Enter", does: "open" },
        { keys: "Tab", does: "units" },
        { keys: "2", does: "runs" },
        { keys: "n", does: "news" },
        { keys: "q", does: "quit" },
      ];
    case "unit":
      return [
        { keys: "Enter", does: "log" },
        { keys: "r", does: "run" },
        { keys: "s", does: "stop" },
        { keys: "p", does: "pause" },
        { keys: "Esc", does: "back" },
      ];
    case "run":
      return view.log.search === ""
        ? [
          { keys: "/", does: "search" },
          { keys: "G", does: "follow" },
          { keys: "r", does: "rerun" },
          ...(view.run?.status === "ended" ? [] : [{ keys: "s", does: "stop" }]),
          { keys: "Esc", does: "back" },
          { keys: "w", does: "wrap" },
        ]
        : [{ keys: "n N", does: "next, previous" }, { keys: "/", does: "search" }, {
          keys: "Esc",
          does: "end search",
        }];
    case "history":
      return [
        { keys: "Enter", does: "log" },
        { keys: "/", does: "filter" },
        { keys: "Space", does: "select" },
        { keys: "d", does: "delete" },
        { keys: "Esc", does: "back" },
      ];
    case "notices":
      return [
        { keys: "Enter", does: "open" },
        { keys: "m", does: "read" },
        { keys: "M", does: "all read" },
        { keys: "Esc", does: "back" },
      ];
    case "daemon log":
    case "system":
      return [{ keys: "j k", does: "scroll" }, { keys: "Esc", does: "back" }];
  }
}
