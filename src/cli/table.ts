import type { Role } from "../core/words.ts";
import { withinLine } from "./printable.ts";
import type { Style } from "./style.ts";

/** A column of a table. */
export interface Column {
  title: string;
  /** Columns go in order of their rank, the highest first, where the width is too small; rank 0 stays. */
  rank: number;
  /** May be cut to this many characters before any column goes. */
  least?: number;
  align?: "right";
}

/** A cell; a text alone has no colour. */
export type Cell = string | { text: string; role: Role };

/**
 * The lines of a table, title line first, none wider than `width`. A first column without a title holds marks
 * and stands close to the second.
 */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  { width, style }: { width: number; style: Style },
): string[] {
  const widths = columns.map(({ title }, i) =>
    rows.reduce((most, row) => Math.max(most, lengthOf(textOf(row[i]))), lengthOf(title))
  );
  const shown = fit(columns, widths, width);
  const line = (cells: readonly Cell[]): string =>
    shown.map(({ index, size }, place) => {
      const text = cut(textOf(cells[index]), size, style.ellipsis);
      const painted = paint(cells[index], text, style);
      const pad = " ".repeat(size - lengthOf(text));
      if (columns[index]?.align === "right") return pad + painted;
      return place === shown.length - 1 ? painted : painted + pad;
    }).reduce(
      (all, cell, place) => place === 0 ? cell : all + gap(columns, shown[place - 1]?.index) + cell,
      "",
    )
      .trimEnd();
  const titles = line(columns.map(({ title }): Cell => ({ text: title, role: "muted" })));
  return [titles, ...rows.map(line)];
}

interface Shown {
  index: number;
  size: number;
}

/** Narrows the columns that allow it, then lets the least important go, then cuts those that are left, the widest first. */
function fit(columns: readonly Column[], widths: readonly number[], width: number): Shown[] {
  let shown = columns.map((_, index) => ({ index, size: widths[index] ?? 0 }));
  const excess = (): number => totalOf(columns, shown) - width;
  while (excess() > 0) {
    narrow(columns, shown, excess());
    if (excess() <= 0) break;
    const least = shown.reduce((a, b) =>
      (columns[b.index]?.rank ?? 0) > (columns[a.index]?.rank ?? 0) ? b : a
    );
    if ((columns[least.index]?.rank ?? 0) === 0) {
      for (let left = excess(); left > 0; left--) {
        const widest = shown.reduce((a, b) => b.size > a.size ? b : a);
        if (widest.size <= 1) break;
        widest.size--;
      }
      break;
    }
    // What had to be narrow beside the column that goes may be wide again.
    shown = shown.filter((one) => one !== least).map(({ index }) => ({ index, size: widths[index] ?? 0 }));
  }
  return shown;
}

function narrow(columns: readonly Column[], shown: Shown[], excess: number): void {
  let left = excess;
  for (const one of shown) {
    const least = columns[one.index]?.least;
    if (least === undefined || left <= 0) continue;
    const taken = Math.min(left, Math.max(0, one.size - least));
    one.size -= taken;
    left -= taken;
  }
}

function totalOf(columns: readonly Column[], shown: readonly Shown[]): number {
  return shown.reduce(
    (sum, { size }, place) => sum + size + (place === 0 ? 0 : gap(columns, shown[place - 1]?.index).length),
    0,
  );
}

function gap(columns: readonly Column[], before: number | undefined): string {
  return before === 0 && columns[0]?.title === "" ? " " : "  ";
}

function textOf(cell: Cell | undefined): string {
  return cell === undefined ? "" : withinLine(typeof cell === "string" ? cell : cell.text);
}

function paint(cell: Cell | undefined, text: string, style: Style): string {
  return cell === undefined || typeof cell === "string" ? text : style.paint(text, cell.role);
}

/** Cuts a text to a number of characters; where even the ellipsis has no room, without one. */
function cut(text: string, size: number, ellipsis: string): string {
  if (lengthOf(text) <= size) return text;
  const characters = [...text];
  if (size <= ellipsis.length) return characters.slice(0, size).join("");
  return characters.slice(0, size - ellipsis.length).join("") + ellipsis;
}

function lengthOf(text: string): number {
  return [...text].length;
}
