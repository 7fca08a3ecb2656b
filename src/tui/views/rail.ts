import { wordOfUnit } from "../../cli/unit_words.ts";
import { headRows, topAround } from "../layout.ts";
import { bold, cut, fitRow, highlight, type Row, span, widthOf } from "../rows.ts";
import type { State } from "../state.ts";
import { railIndex, shownUnits } from "../units.ts";
import { dot, mark, plural } from "./parts.ts";

/** The units at the left, in so many rows. */
export function railRows(state: State, { width, height }: { width: number; height: number }): Row[] {
  const shown = shownUnits(state);
  const at = railIndex(state);
  const hasFocus = state.focus === "rail" && state.form === undefined && state.help === undefined;
  const ellipsis = state.isAscii ? "..." : "…";
  const room = Math.max(1, height - headRows);
  // With a thousand units only those in sight are worth the work.
  const top = topAround(shown.length, at, room);
  const rows = shown.slice(top, top + room).map((unit, index) => {
    const word = wordOfUnit(unit);
    const isMarked = state.rail.marked.includes(unit.name);
    // The name matters more: the state gets what room it leaves.
    const whole = Math.max(0, width - 4);
    const name = cut(unit.name, whole, ellipsis);
    const left = whole - widthOf(name) - 1;
    const text = left >= 4 ? cut(word.text, left, ellipsis) : "";
    const gap = " ".repeat(Math.max(0, width - 4 - widthOf(name) - widthOf(text)));
    const row: Row = [
      span(isMarked ? "*" : " "),
      mark(word, state),
      span(" "),
      isMarked ? bold(name) : span(name),
      span(gap),
      span(text, word.role),
    ];
    return top + index === at ? highlight(row, { width, hasFocus }) : row;
  });
  const head = [fitRow(headRow(state, shown.length), width, { ellipsis }), []];
  const visible = rows.map((row) => fitRow(row, width, { ellipsis }));
  if (shown.length === 0 && state.link !== "loading") {
    visible.push(
      fitRow([span(state.rail.filter === "" ? " no units yet" : " none matches", "muted")], width),
    );
  }
  return [...head, ...visible].slice(0, height);
}

function headRow(state: State, shown: number): Row {
  const { marked, filter } = state.rail;
  if (marked.length > 0) return [bold(` ${plural(marked.length, "unit")} selected`, "accent")];
  if (filter !== "") {
    return [bold(` /${filter}`, "accent"), span(`${dot(state)}${shown} of ${state.units.length}`, "muted")];
  }
  return [bold(" Units"), span(` ${state.units.length}`, "muted")];
}
