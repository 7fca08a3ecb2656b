import { withoutEscapes } from "../core/log/plain.ts";
import type { FeedRegion } from "./log_stream.ts";
import type { Output } from "./terminal.ts";

/** The most rows that are shown: a screen holds more, so that all can be taken back. */
const mostRows = 10;

/** What a run is redrawing, below the lines that are printed: it is taken back before anything else is written. */
export class LiveRows {
  readonly #output: Output;
  readonly #width: number;
  readonly #regions = new Map<string, readonly string[]>();
  #shown = 0;

  /** Shows nothing where lines can't be taken back. */
  constructor(output: Output, width: number) {
    this.#output = output;
    this.#width = width;
  }

  /** Shows the regions that have changed, and those that have not. */
  show(changed: readonly FeedRegion[]): void {
    for (const { stream, rows } of changed) this.#regions.set(stream, rows);
    if (this.#output.takeBack === undefined) return;
    const rows = [...this.#regions.values()].flat().slice(-mostRows);
    if (changed.length === 0 && this.#shown === rows.length) return;
    this.hide();
    if (rows.length === 0) return;
    this.#output.write(rows.map((row) => `${cut(row, this.#width - 1)}\n`).join(""));
    this.#shown = rows.length;
  }

  /** Takes back what is shown. */
  hide(): void {
    if (this.#shown > 0) this.#output.takeBack?.(this.#shown);
    this.#shown = 0;
  }
}

/** As much of a row as fits in one row of the screen: a wide character takes two columns. */
function cut(row: string, width: number): string {
  let text = "";
  let columns = 0;
  for (const char of withoutEscapes(row).replaceAll("\t", "    ")) {
    columns += char >= "\u1100" && !(char >= "\u2000" && char < "\u2e80") ? 2 : 1;
    if (columns > width) break;
    text += char;
  }
  return text;
}
