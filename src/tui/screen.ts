import { Box, Text } from "ink";
// @ts-types="@types/react"
import { createElement, memo, type ReactElement } from "react";
import type { Role } from "../core/words.ts";
import type { Row, Span } from "./rows.ts";
import { screenOf } from "./screen_rows.ts";
import type { State } from "./state.ts";

// Without JSX: type checking knows one kind of it in a project, and that is the page's.

/** The whole screen; `isColoured` is false where no colour belongs. */
export function ScreenView({ state, isColoured }: { state: State; isColoured: boolean }): ReactElement {
  const { rail, main, status, height } = screenOf(state);
  const line = state.isAscii ? "|" : "│";
  const border = Array.from({ length: height }, (): Row => [{ text: line, role: "muted" }]);
  const columns = [
    ...(rail === undefined ? [] : [rail]),
    ...(rail === undefined || main === undefined ? [] : [{ width: 1, rows: border }]),
    ...(main === undefined ? [] : [main]),
  ];
  return createElement(
    Box,
    { flexDirection: "column", width: state.columns, height: state.rows },
    createElement(
      Box,
      { height },
      ...columns.map(({ width, rows }, key) => createElement(Column, { key, width, rows, isColoured })),
    ),
    createElement(Line, { row: status, isColoured }),
  );
}

function Column(
  { width, rows, isColoured }: { width: number; rows: readonly Row[]; isColoured: boolean },
): ReactElement {
  return createElement(
    Box,
    { flexDirection: "column", width, flexShrink: 0 },
    rows.map((row, key) => createElement(Line, { key, row, isColoured })),
  );
}

/** A row is drawn anew only when it differs: most of a screen stays as it was. */
const Line = memo(function Line({ row, isColoured }: { row: Row; isColoured: boolean }): ReactElement {
  // An empty text would take no row at all.
  if (row.length === 0) return createElement(Text, null, " ");
  return createElement(
    Text,
    { wrap: "truncate-end" },
    row.map((one, key) => createElement(Text, { key, ...lookOf(one, isColoured) }, one.text)),
  );
}, (before, after) => before.isColoured === after.isColoured && isSame(before.row, after.row));

function isSame(a: Row, b: Row): boolean {
  return a.length === b.length && a.every((one, index) => {
    const other = b[index]!;
    return one.text === other.text && one.role === other.role && one.isBold === other.isBold &&
      one.isInverse === other.isInverse && one.isItalic === other.isItalic && one.colour === other.colour;
  });
}

/** From the 16 colours of the terminal, so that its user's theme holds. */
const roleColours: Readonly<Partial<Record<Role, string>>> = {
  good: "green",
  bad: "red",
  warn: "yellow",
  accent: "cyan",
};

function lookOf(one: Span, isColoured: boolean) {
  const colour = one.colour || (one.role === undefined ? undefined : roleColours[one.role]);
  return {
    ...(isColoured && colour !== undefined ? { color: colour } : {}),
    ...(one.role === "muted" && !one.isInverse ? { dimColor: true } : {}),
    bold: one.isBold ?? false,
    italic: one.isItalic ?? false,
    inverse: one.isInverse ?? false,
  };
}
