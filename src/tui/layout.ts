import type { State } from "./state.ts";

/** Where things are on the screen, in columns and rows. A width of 0 is not shown. */
export interface Layout {
  rail: number;
  main: number;
  /** Rows above the status line. */
  height: number;
}

/** Below this width there is one column: the rail or the view, whichever has the focus. */
export const narrow = 60;
/** Rows of a view above what scrolls: its title and an empty one. */
export const headRows = 2;

/** The layout for a size of the screen. */
export function layoutOf(
  { columns, rows, focus, isZoomed }: Pick<State, "columns" | "rows" | "focus" | "isZoomed">,
): Layout {
  const height = Math.max(1, rows - 1);
  if (columns < narrow || (isZoomed && focus === "main")) {
    return focus === "rail" ? { rail: columns, main: 0, height } : { rail: 0, main: columns, height };
  }
  const rail = Math.min(36, Math.max(24, Math.floor(columns * 0.3)));
  // One column is the line between them.
  return { rail, main: columns - rail - 1, height };
}

/** Rows that the output of a run has for itself. */
export function logHeight(state: State): number {
  return Math.max(1, layoutOf(state).height - headRows);
}

/** Of rows that are too many the part in which a row is in sight, in the middle where that can be. */
export function partAround<R>(rows: readonly R[], at: number, height: number): readonly R[] {
  const top = topAround(rows.length, at, height);
  return rows.slice(top, top + height);
}

/** Index of the first row of that part. */
export function topAround(count: number, at: number, height: number): number {
  return Math.max(0, Math.min(at - Math.floor(height / 2), count - height));
}
