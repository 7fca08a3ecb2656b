import { haltWord } from "../../core/daemon_state.ts";
import { contextKeys } from "../key_table.ts";
import { bold, fitRow, type Row, rowWidth, type Span, span } from "../rows.ts";
import type { State } from "../state.ts";
import { asciiKeys } from "./overlays.ts";

/** The last row: a question, what is typed, a message, or the keys of the moment; the daemon's state at the right. */
export function statusLine(state: State, width: number): Row {
  const { question, prompt, message } = state;
  const ellipsis = state.isAscii ? "..." : "…";
  if (question !== undefined) {
    // What is asked may be cut, how to answer never.
    const answer: Span = bold(" y/N", "warn");
    return [...fitRow([bold(question.text, "warn")], Math.max(1, width - 4), { ellipsis }), answer];
  }
  if (prompt !== undefined) {
    const what = prompt.for === "log" ? "search" : prompt.for === "history" ? "runs with" : "filter";
    return fitRow([span(`${what}: `, "accent"), span(`${prompt.text}_`)], width, { ellipsis });
  }
  const right = linkWords(state);
  const room = width - rowWidth(right) - 1;
  const left: Row = message === undefined
    ? keysThatFit(state, room)
    : fitRow([span(message.text, message.role)], Math.max(1, room), { ellipsis });
  const gap = width - rowWidth(left) - rowWidth(right);
  if (gap < 1) return fitRow(left.length === 0 ? right : left, width, { ellipsis });
  return [...left, span(" ".repeat(gap)), ...right];
}

function keysThatFit(state: State, room: number): Span[] {
  const keys = contextKeys(state);
  // Help is the last to go.
  for (let count = keys.length - 1; count >= 0; count--) {
    const spans = [...keys.slice(0, count), keys.at(-1)!].flatMap(({ keys: names, does }, index) => [
      span(index === 0 ? "" : "  "),
      bold(asciiKeys(names, state)),
      span(` ${does}`, "muted"),
    ]);
    if (rowWidth(spans) <= room) return spans;
  }
  return [];
}

function linkWords({ link, unread, daemon }: State): Row {
  if (link === "away") return [bold("daemon away", "bad")];
  if (link === "loading") return [span("connecting", "muted")];
  const halt = daemon === undefined ? undefined : haltWord(daemon);
  if (halt !== undefined) return [bold(halt, "warn")];
  if (unread > 0) return [bold(`${unread} unread`, "accent")];
  return [];
}
