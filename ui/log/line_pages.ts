import type { LogLineJson } from "../../src/http/schemas/run.ts";

/** So many lines are one page. */
export const pageSize = 500;
/** No more is kept, whichever comes first. */
const most = { pages: 24, characters: 24_000_000 };

interface Page {
  lines: Array<LogLineJson | undefined>;
  /** Lines up to here, from the page's first, were asked for: those that are missing aren't there. */
  known: number;
  characters: number;
}

/** The lines of a log that were read lately, in pages; those that nobody wanted for longest go first. */
export class LinePages {
  readonly #pages = new Map<number, Page>();
  #characters = 0;

  line(n: number): LogLineJson | undefined {
    return this.#pages.get(Math.floor(n / pageSize))?.lines[n % pageSize];
  }

  /** Keeps lines, which are all there are from number `from` up to `to`. */
  put(lines: readonly LogLineJson[], { from, to }: { from: number; to: number }): void {
    for (const line of lines) {
      const page = this.#page(Math.floor(line.n / pageSize));
      if (page.lines[line.n % pageSize] === undefined) {
        page.characters += line.text.length;
        this.#characters += line.text.length;
      }
      page.lines[line.n % pageSize] = line;
    }
    for (let at = Math.floor(from / pageSize); at * pageSize < to; at++) {
      const page = this.#page(at);
      // What stands before the first of these lines is known only if it was known before.
      if (page.known < from - at * pageSize) continue;
      page.known = Math.max(page.known, Math.min(pageSize, to - at * pageSize));
      while (page.lines[page.known] !== undefined) page.known++;
    }
    this.#forget();
  }

  /** The number from which page `index` is to be read on, undefined when all of it below `end` is there. */
  missing(index: number, end: number): number | undefined {
    const known = this.#pages.get(index)?.known ?? 0;
    const from = index * pageSize + known;
    return known < pageSize && from < end ? from : undefined;
  }

  /** Marks pages as wanted, so that they stay. */
  touch(index: number): void {
    const page = this.#pages.get(index);
    if (page === undefined) return;
    this.#pages.delete(index);
    this.#pages.set(index, page);
  }

  /** All lines that are there, in no order. */
  *all(): Generator<LogLineJson> {
    for (const { lines } of this.#pages.values()) {
      for (const line of lines) if (line !== undefined) yield line;
    }
  }

  get size(): number {
    return this.#pages.size;
  }

  #page(index: number): Page {
    let page = this.#pages.get(index);
    if (page === undefined) {
      page = { lines: [], known: 0, characters: 0 };
      this.#pages.set(index, page);
    } else this.touch(index);
    return page;
  }

  #forget(): void {
    for (const [index, page] of this.#pages) {
      const isMuch = this.#pages.size > most.pages || this.#characters > most.characters;
      if (!isMuch || this.#pages.size <= 2) return;
      this.#pages.delete(index);
      this.#characters -= page.characters;
    }
  }
}
