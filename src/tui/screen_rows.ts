import { withoutControls } from "../core/visible.ts";
import { headRows, layoutOf, partAround } from "./layout.ts";
import { fitRow, highlight, type Row } from "./rows.ts";
import { type State, viewOf } from "./state.ts";
import { homeBody } from "./views/home.ts";
import { daemonLogBody, historyBody, noticesBody, systemBody } from "./views/lists.ts";
import { addressBody, formBody, helpBody } from "./views/overlays.ts";
import type { Body } from "./views/parts.ts";
import { railRows } from "./views/rail.ts";
import { runBody } from "./views/run.ts";
import { statusLine } from "./views/status_line.ts";
import { unitBody } from "./views/unit.ts";

/** The screen as rows: the units, the view beside them, the status line. Undefined is not shown. */
export interface Screen {
  rail?: { width: number; rows: readonly Row[] };
  main?: { width: number; rows: readonly Row[] };
  status: Row;
  height: number;
}

/** What is to be seen of a state. */
export function screenOf(state: State): Screen {
  const isOverlaid = state.help !== undefined || state.form !== undefined || state.address !== undefined;
  // On a narrow screen what lies over the view must not hide behind the units.
  const layout = layoutOf(isOverlaid ? { ...state, focus: "main" } : state);
  const { rail, main, height } = layout;
  return {
    ...(rail === 0
      ? {}
      : { rail: { width: rail, rows: railRows(state, { width: rail, height }).map(harmless) } }),
    ...(main === 0 ? {} : { main: { width: main, rows: mainRows(state, main, height).map(harmless) } }),
    status: harmless(statusLine(state, state.columns)),
    height,
  };
}

/** A row without what steers a terminal: Ink would write links and the like out anew, also from 8-bit spellings. */
function harmless(row: Row): Row {
  return row.map((one) => {
    const text = withoutControls(one.text);
    return text === one.text ? one : { ...one, text };
  });
}

function mainRows(state: State, width: number, height: number): Row[] {
  const body = bodyOf(state, width, height);
  const ellipsis = state.isAscii ? "..." : "…";
  const hasFocus = state.focus === "main" || state.form !== undefined;
  const rows = body.rows.map((row, index) =>
    index === body.at && hasFocus && state.form === undefined ? highlight(row, { width, hasFocus }) : row
  );
  const room = Math.max(0, height - headRows);
  return [body.title, [], ...partAround(rows, body.at ?? 0, room)].slice(0, height)
    .map((row) => fitRow(row, width, { ellipsis }));
}

/** What the right side is made of: an overlay, or the view. */
export function bodyOf(state: State, width: number, height: number): Body {
  if (state.form !== undefined) return formBody(state.form, width);
  if (state.address !== undefined) return addressBody(state.address, width);
  if (state.help !== undefined) {
    return helpBody(state, { top: state.help, width, height: Math.max(1, height - headRows) });
  }
  const view = viewOf(state);
  switch (view.kind) {
    case "home":
      return homeBody(state, view, width);
    case "unit":
      return unitBody(state, view, width);
    case "run":
      return runBody(state, view, width);
    case "history":
      return historyBody(state, view, width);
    case "notices":
      return noticesBody(state, view, width);
    case "daemon log":
      return daemonLogBody(state, view, width);
    case "system":
      return systemBody(state, view);
  }
}
