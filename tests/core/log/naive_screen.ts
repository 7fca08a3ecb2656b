/** A screen that is drawn in full after each operation: slow, and as plain as can be. */
export class NaiveScreen {
  #rows: string[][] = [[]];
  #row = 0;
  #column = 0;
  #saved = [0, 0];
  #ended = new Set<number>();

  /** Applies an operation: a text, or a control character or sequence. */
  apply(operation: string): void {
    // deno-lint-ignore no-control-regex -- these are the operations
    const match = /^\x1b\[(\d*)(?:;(\d*))?([A-Za-z])$/.exec(operation);
    const count = Math.max(1, Number(match?.[1] ?? "") || 0);
    switch (match?.[3] ?? operation) {
      case "\r":
        return this.#to(this.#row, 0);
      case "\n":
        this.#ended.add(this.#row);
        return this.#to(this.#row + 1, 0);
      case "\b":
      case "D":
        return this.#to(this.#row, this.#column - count);
      case "\t":
        return this.#to(this.#row, Math.floor(this.#column / 8) * 8 + 8);
      case "\x1b7":
      case "s":
        this.#saved = [this.#row, this.#column];
        return;
      case "\x1b8":
      case "u":
        return this.#to(this.#saved[0]!, this.#saved[1]!);
      case "A":
        return this.#to(this.#row - count, this.#column);
      case "B":
        return this.#to(this.#row + count, this.#column);
      case "C":
        return this.#to(this.#row, this.#column + count);
      case "E":
        return this.#to(this.#row + count, 0);
      case "F":
        return this.#to(this.#row - count, 0);
      case "G":
        return this.#to(this.#row, count - 1);
      case "H":
        return this.#to(count - 1, Math.max(1, Number(match?.[2] ?? "") || 0) - 1);
      case "K":
        return this.#erase(
          Number(match?.[1] || 0),
          (row, column) =>
            row !== this.#row
              ? "keep"
              : column < this.#column
              ? "before"
              : column > this.#column
              ? "after"
              : "at",
        );
      case "J":
        if (!match?.[1]) this.#ended = new Set([...this.#ended].filter((row) => row <= this.#row));
        return this.#erase(Number(match?.[1] || 0), (row, column) => {
          const order = row - this.#row || column - this.#column;
          return order < 0 ? "before" : order > 0 ? "after" : "at";
        });
      default:
        for (const char of operation) {
          this.#rows[this.#row]![this.#column] = char;
          this.#to(this.#row, this.#column + 1);
        }
    }
  }

  /** The row of the cursor. */
  get row(): number {
    return this.#row;
  }

  /** All rows down to the last that holds something or was ended, without blanks at their ends. */
  get lines(): string[] {
    const lines = this.#rows.map((row) => Array.from(row, (char) => char ?? " ").join("").trimEnd());
    while (lines.length > 0 && lines.at(-1) === "" && !this.#ended.has(lines.length - 1)) lines.pop();
    return lines;
  }

  #to(row: number, column: number): void {
    this.#row = Math.max(0, row);
    this.#column = Math.max(0, column);
    while (this.#rows.length <= this.#row) this.#rows.push([]);
  }

  #erase(kind: number, where: (row: number, column: number) => "keep" | "before" | "at" | "after"): void {
    this.#rows = this.#rows.map((cells, row) =>
      Array.from(cells, (char, column) => {
        const place = where(row, column);
        const isGone = place === "at" || (place === "before" && kind > 0) ||
          (place === "after" && kind !== 1);
        return place !== "keep" && isGone ? " " : char ?? " ";
      })
    );
  }
}
