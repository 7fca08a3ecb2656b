import type { Effect } from "./effect.ts";
import { itemsOf } from "./items.ts";
import { headRows, layoutOf, topAround } from "./layout.ts";
import type { MouseEvent } from "./mouse.ts";
import { moveMain, moveRail, open } from "./moves.ts";
import { bodyOf } from "./screen_rows.ts";
import { type State, viewOf, withView } from "./state.ts";
import { railIndex, shownUnits } from "./units.ts";

/** Rows that one step of the wheel goes. */
const wheelRows = 3;

/** The state after the mouse did something: the wheel scrolls what it is over, a click selects a row, and opens the one that is selected. */
export function point(state: State, { column, row, wheel }: MouseEvent): [State, readonly Effect[]] {
  const { question, form, prompt, address } = state;
  if ([question, form, prompt, address].some((one) => one !== undefined)) return [state, []];
  if (state.help !== undefined) {
    return [{ ...state, help: Math.max(0, state.help + (wheel ?? 0) * wheelRows) }, []];
  }
  const { rail, height } = layoutOf(state);
  const isRail = column < rail;
  if (wheel !== undefined) {
    return isRail ? [moveRail(state, wheel * wheelRows), []] : moveMain(state, wheel * wheelRows);
  }
  if (row < headRows || row >= height) return [state, []];
  return isRail ? inRail(state, row) : inMain(state, row);
}

function inRail(state: State, row: number): [State, readonly Effect[]] {
  const shown = shownUnits(state);
  const at = railIndex(state);
  const room = layoutOf(state).height - headRows;
  const index = topAround(shown.length, at, room) + row - headRows;
  const name = shown[index]?.name;
  if (name === undefined) return [{ ...state, focus: "rail" }, []];
  if (index === at && state.focus === "rail") return open(state);
  return [{ ...state, focus: "rail", rail: { ...state.rail, cursor: name } }, []];
}

function inMain(state: State, row: number): [State, readonly Effect[]] {
  const focused: State = { ...state, focus: "main" };
  const view = viewOf(state);
  if (!("cursor" in view)) return [focused, []];
  const { main, height } = layoutOf(state);
  const { rows, at = 0, items = [] } = bodyOf(state, main, height);
  const index = items.indexOf(topAround(rows.length, at, height - headRows) + row - headRows);
  if (index < 0 || index >= itemsOf(state, view).length) return [focused, []];
  if (index === view.cursor && state.focus === "main") return open(state);
  return [withView(focused, { ...view, cursor: index }), []];
}
