import xterm from "@xterm/headless";

/** What of a terminal is used beyond its public interface: the package is pinned, and only this is no promise. */
interface Core {
  _core: { writeSync(data: string): void };
}

/** A real terminal of 60 rows, wide enough for every line. */
export class Screen {
  readonly #terminal = new xterm.Terminal({
    cols: 1000,
    rows: 60,
    scrollback: 1000,
    convertEol: true,
    // Its own warning that it can be used in tests alone.
    logLevel: "off",
    allowProposedApi: true,
  });

  /** Shows a text alone. */
  show(text: string): this {
    this.#terminal.reset();
    (this.#terminal as unknown as Core)._core.writeSync(text);
    return this;
  }

  /** All lines, those that have left the screen too, without blanks at their ends and blank ones at the end. */
  get lines(): string[] {
    const { active } = this.#terminal.buffer;
    const lines: string[] = [];
    for (let i = 0; i < active.length; i++) lines.push(active.getLine(i)!.translateToString(true).trimEnd());
    while (lines.at(-1) === "") lines.pop();
    return lines;
  }

  /** The same with the colour and weight of each character that is no blank: `a31` for a red one. */
  get colours(): string[] {
    const { active } = this.#terminal.buffer;
    return this.lines.map((line, i) => {
      const cells: string[] = [];
      for (let column = 0; column < 2 * line.length; column++) {
        const cell = active.getLine(i)!.getCell(column)!;
        const char = cell.getChars();
        if (char !== "" && char !== " ") {
          cells.push(`${char}${cell.getFgColor()}${cell.isBold() > 0 ? "!" : ""}`);
        }
      }
      return cells.join(" ");
    });
  }
}
