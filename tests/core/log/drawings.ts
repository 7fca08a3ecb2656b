import type { Random } from "../../simulation/random.ts";

/** The row below which no drawing goes: a terminal of 60 rows shows all of it. */
const LOWEST = 52;

/**
 * A drawing, operation by operation; with colours, or without. Those that plain lines leave on are not known to what
 * is drawn below them, so that with colours nothing is plain.
 */
export function randomDrawing(random: Random, { hasColours }: { hasColours: boolean }): string[] {
  const isAbsolute = hasColours || random.oneIn(2);
  const operations = isAbsolute ? [HOME] : [];
  const cursor = new Cursor();
  for (let count = 1 + random.below(random.pick([6, 20, 60])); count > 0; count--) {
    const operation = randomOperation(random, { isAbsolute, hasColours });
    if (cursor.follow(operation)) operations.push(operation);
  }
  return operations;
}

/** Whether a log can know all that a terminal does of a drawing. */
export function isSound(operations: readonly string[]): boolean {
  const cursor = new Cursor();
  return operations.every((operation, i) => (i === 0 && operation === HOME) || cursor.follow(operation)) &&
    (operations[0] === HOME || !operations.some((operation) => absolute.test(operation)));
}

/** With this at its beginning, a region begins at the top of the screen, where rows have numbers. */
const HOME = "\x1b[H";
// deno-lint-ignore no-control-regex -- these are the operations
const absolute = /^\x1b\[[\d;]*[HfdrST]$|^\x1b\[1J$/;

function randomOperation(
  random: Random,
  { isAbsolute, hasColours }: { isAbsolute: boolean; hasColours: boolean },
): string {
  const number = 1 + random.below(random.pick([2, 4, 12]));
  const row = 1 + random.below(random.pick([4, 12, 30]));
  const column = 1 + random.below(20);
  return random.weighted<() => string>([
    [10, () => random.pick(["a", "bc", "hello", "é", "日本", "語x", "x y", "e\u0301", "100%"])],
    [3, () => random.pick(["\r", "\b", "\t", "\x1b[?25l", "\x1b[?25h"])],
    [5, () => random.pick(["\n", "\r\n", "\n", "\x1bD", "\x1bE"])],
    [3, () => `\x1b[${number}${random.pick([..."CDG`a"])}`],
    [4, () => `\x1b[${number}${random.pick([..."XP@b"])}`],
    [3, () => `\x1b[${random.pick(["K", "1K", "2K", "J"])}`],
    [8, () => `\x1b[${number}${random.pick([..."AAFBEe"])}`],
    [2, () => `\x1b[${number}${random.pick([..."LM"])}`],
    [1, () => "\x1bM"],
    [2, () => random.pick(["\x1b7", "\x1b[s", "\x1b8", "\x1b[u"])],
    [hasColours ? 6 : 0, () => `\x1b[${random.pick(["31", "0", "", "32;1", "1"])}m`],
    [isAbsolute ? 4 : 0, () => `\x1b[${row};${column}${random.pick(["H", "f"])}`],
    [isAbsolute ? 2 : 0, () => random.pick([`\x1b[${row}d`, "\x1b[1J", "\x1b[r"])],
    [isAbsolute ? 2 : 0, () => `\x1b[${number}${random.pick([..."ST"])}`],
    [isAbsolute ? 1 : 0, () => `\x1b[${1 + random.below(4)};${4 + number}r`],
  ])();
}

/**
 * Where the cursor of a drawing is: it refuses what leads where no terminal goes or where a log does not know what is
 * there, which is above the first line and below the last row.
 */
class Cursor {
  #row = 0;
  #saved: number | undefined;
  #top = 0;
  #bottom = Infinity;
  /** No content is below this row. */
  #deepest = 0;

  follow(operation: string): boolean {
    // deno-lint-ignore no-control-regex -- these are the operations
    const match = /^\x1b\[(\d*)(?:;(\d+))?([A-Za-z])$/.exec(operation);
    const count = Math.max(1, Number(match?.[1] ?? "") || 0);
    switch (match?.[3] ?? operation) {
      case "A":
      case "F":
        return this.#row - count >= (this.#row >= this.#top ? this.#top : 0) && this.#to(this.#row - count);
      case "B":
      case "E":
        return this.#down(count);
      case "e":
        return this.#to(this.#row + count);
      case "\n":
      case "\r\n":
      case "\x1bD":
      case "\x1bE":
        return this.#down(1);
      case "\x1bM":
        if (this.#row === this.#top) return this.#top > 0 && this.#goDeeper(1);
        return this.#row > 0 && this.#to(this.#row - 1);
      case "\x1b7":
      case "s":
        this.#saved = this.#row;
        return true;
      case "\x1b8":
      case "u":
        return this.#saved !== undefined && this.#to(this.#saved);
      case "L":
      case "T":
        return this.#goDeeper(count);
      case "S":
        // What goes above the screen is lost to some terminals, but to no log.
        return this.#top > 0;
      case "H":
      case "f":
      case "d":
        return this.#to(count - 1);
      case "r":
        this.#top = match![1] === "" ? 0 : count - 1;
        this.#bottom = match![1] === "" ? Infinity : Number(match![2]) - 1;
        return this.#to(0);
      default:
        return true;
    }
  }

  /** One row for a line feed, or so many for a move. */
  #down(count: number): boolean {
    return this.#to(
      this.#row <= this.#bottom ? Math.min(this.#row + count, this.#bottom) : this.#row + count,
    );
  }

  #to(row: number): boolean {
    if (row > LOWEST) return false;
    this.#row = row;
    this.#deepest = Math.max(this.#deepest, row);
    return true;
  }

  #goDeeper(count: number): boolean {
    if (this.#deepest + count > LOWEST) return false;
    this.#deepest += count;
    return true;
  }
}
