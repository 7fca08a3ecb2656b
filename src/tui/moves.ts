import type { Effect } from "./effect.ts";
import { itemsOf, openItem, unitView } from "./items.ts";
import { headRows, layoutOf, logHeight } from "./layout.ts";
import { missingFrom, scrollBy, scrollTo } from "./log_window.ts";
import { type State, viewOf, withMessage, withView } from "./state.ts";
import { railIndex, shownUnits } from "./units.ts";

/** The state after a key that moves; undefined for any other key. */
export function move(state: State, key: string): [State, readonly Effect[]] | undefined {
  if (key === "tab" || key === "shift-tab") {
    return [{ ...state, focus: state.focus === "rail" ? "main" : "rail" }, []];
  }
  if (key === "left" || key === "h") return [{ ...state, focus: "rail" }, []];
  if (key === "right" || key === "l") return [{ ...state, focus: "main" }, []];
  const page = Math.max(1, layoutOf(state).height - headRows - 1);
  const by = stepOf(key, page);
  if (by === undefined) return undefined;
  return state.focus === "rail" ? [moveRail(state, by), []] : moveMain(state, by);
}

function stepOf(key: string, page: number): number | undefined {
  switch (key) {
    case "up":
    case "k":
      return -1;
    case "down":
    case "j":
      return 1;
    case "pageup":
    case "ctrl-b":
      return -page;
    case "pagedown":
    case "ctrl-f":
      return page;
    case "home":
    case "g":
      return -Infinity;
    case "end":
    case "G":
      return Infinity;
  }
  return undefined;
}

/** The state with the cursor of the units moved by rows. */
export function moveRail(state: State, by: number): State {
  const shown = shownUnits(state);
  const at = Math.max(0, Math.min(shown.length - 1, railIndex(state) + by));
  const cursor = shown[at]?.name;
  return cursor === undefined ? state : { ...state, rail: { ...state.rail, cursor } };
}

/** The state with the view moved by rows: its cursor, or what scrolls. */
export function moveMain(state: State, by: number): [State, readonly Effect[]] {
  const view = viewOf(state);
  switch (view.kind) {
    case "run": {
      const height = logHeight(state);
      const log = Number.isFinite(by)
        ? scrollBy(view.log, by, height)
        : scrollTo(view.log, by < 0 ? view.log.first : Infinity, height);
      return withPage(withView(state, { ...view, log }));
    }
    case "daemon log": {
      const most = Math.max(0, view.lines.length - logHeight(state));
      return [withView(state, { ...view, up: Math.max(0, Math.min(most, view.up - by)) }), []];
    }
    case "system":
      return [withView(state, { ...view, top: Number.isFinite(by) ? Math.max(0, view.top + by) : 0 }), []];
    default: {
      const last = Math.max(0, itemsOf(state, view).length - 1);
      const cursor = Math.max(0, Math.min(last, view.cursor + by));
      return more(withView(state, { ...view, cursor }), cursor === last);
    }
  }
}

/** Asks for the lines in sight that aren't held. */
export function withPage(state: State): [State, readonly Effect[]] {
  const view = viewOf(state);
  if (view.kind !== "run") return [state, []];
  const from = missingFrom(view.log, logHeight(state));
  if (from === undefined) return [state, []];
  return [
    withView(state, { ...view, log: { ...view.log, isPaging: true } }),
    [{ do: "page", id: view.id, from }],
  ];
}

/** At the last row the next page is asked for. */
function more(state: State, isLast: boolean): [State, readonly Effect[]] {
  const view = viewOf(state);
  if (!isLast) return [state, []];
  if (view.kind === "history" && !view.isPaging && view.runs !== undefined && view.runs.length < view.total) {
    return [
      withView(state, { ...view, isPaging: true }),
      [{ do: "more runs", offset: view.runs.length, filter: view.filter }],
    ];
  }
  if (view.kind === "notices" && view.next !== "") {
    return [withView(state, { ...view, next: "" }), [{ do: "more notices", before: view.next }]];
  }
  return [state, []];
}

/** Opens what the cursor stands on. */
export function open(state: State): [State, readonly Effect[]] {
  if (state.focus === "rail") {
    const name = shownUnits(state)[railIndex(state)]?.name;
    if (name === undefined) return [state, []];
    const home = state.views[0] ?? { kind: "home", cursor: 0 };
    return [
      { ...state, focus: "main", views: [home, unitView(name)], rail: { ...state.rail, cursor: name } },
      [{ do: "load" }],
    ];
  }
  const view = viewOf(state);
  if (!("cursor" in view)) return [state, []];
  const item = itemsOf(state, view)[view.cursor];
  const opened = item === undefined ? undefined : openItem(item);
  if (opened === undefined) {
    return [item === undefined ? state : withMessage(state, "There is nothing more behind this one."), []];
  }
  const read: Effect[] = item?.kind === "notice" && item.notice.read_at === undefined
    ? [{ do: "mark notice", id: item.notice.id, isRead: true }]
    : [];
  return [{ ...state, views: [...state.views, opened] }, [{ do: "load" }, ...read]];
}
