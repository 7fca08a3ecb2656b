/// <reference lib="dom" />
import type { LogSearchJson } from "../../src/http/schemas/log.ts";
import type { LogLineJson } from "../../src/http/schemas/run.ts";
import type { Run } from "../data/runs.ts";
import { ApiError, get, wordsOf } from "../net/api.ts";
import { plainText } from "./ansi.ts";
import { finderOf, indexFrom, type Query, type Ranges, testerOf } from "./hits.ts";

/** No more hits than this are kept: nobody goes through them one by one. */
export const mostHits = 10_000;
const atOnce = 1000;
/** While somebody types nothing is asked, ms. */
const typing = 180;
/** Until the daemon has a search to spare, ms. */
const busy = 1000;

/** A search in the log of one run. */
export class LogSearch {
  query: Query = { text: "", isRegex: false, isCaseSensitive: false };
  /** Numbers of the lines that have it, ascending. */
  hits: number[] = [];
  /** What the daemon has against the query. */
  error = "";
  isSearching = false;
  /** There are more than are kept. */
  isCut = false;
  /** The hit that is shown, an index of `hits`; -1 for none. */
  at = -1;
  readonly #run: Run;
  readonly #onChange: () => void;
  readonly #known = new Set<number>();
  #asked: AbortController | undefined;
  #find: (line: string) => Ranges = () => [];
  #test: ((line: string) => boolean) | undefined;

  constructor(run: Run, onChange: () => void) {
    this.#run = run;
    this.#onChange = onChange;
  }

  /** Looks for something else; an empty text ends the search. */
  set(query: Query): void {
    this.close();
    this.query = query;
    this.hits = [];
    this.#known.clear();
    this.error = "";
    this.isCut = false;
    this.at = -1;
    this.isSearching = query.text !== "";
    this.#find = finderOf(query);
    this.#test = testerOf(query);
    this.#onChange();
    if (query.text === "") return;
    const asked = new AbortController();
    this.#asked = asked;
    this.#searchAll(asked.signal).catch((error) => {
      if (asked.signal.aborted) return;
      this.error = reasonOf(error);
      this.isSearching = false;
      this.#onChange();
    });
  }

  close(): void {
    this.#asked?.abort();
    this.#asked = undefined;
  }

  /** A line that has just come may be a hit, too. */
  see({ n, text }: LogLineJson): void {
    if (this.query.text === "" || this.error !== "" || this.#test === undefined) return;
    if (!this.isSearching && this.#test(plainText(text))) this.#add(n);
  }

  /** The parts of a line to be marked. */
  marks(n: number, plain: string): Ranges {
    return this.#known.has(n) ? this.#find(plain) : [];
  }

  isHit(n: number): boolean {
    return this.#known.has(n);
  }

  /** The line of the hit at or after line `n`, else of the last one; it becomes the current one. */
  startAt(n: number): number | undefined {
    this.at = Math.min(indexFrom(this.hits, n), this.hits.length - 1);
    return this.hits[this.at];
  }

  /** The line of the next hit, or of the one before; around the ends. */
  step(step: 1 | -1): number | undefined {
    const count = this.hits.length;
    if (count === 0) return undefined;
    this.at = this.at < 0 ? (step > 0 ? 0 : count - 1) : (this.at + step + count) % count;
    return this.hits[this.at];
  }

  /** The line of the hit that is shown. */
  get current(): number | undefined {
    return this.hits[this.at];
  }

  async #searchAll(signal: AbortSignal): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, typing));
    for (let cursor: string | undefined = "";;) {
      if (signal.aborted) return;
      const answer = await this.#ask(cursor, signal);
      if (answer === undefined) continue;
      for (const { n } of answer.hits ?? []) this.#add(n);
      cursor = answer.next_cursor;
      this.isSearching = !answer.exhausted && !this.isCut;
      this.#onChange();
      if (!this.isSearching) return;
    }
  }

  /** One step of the search; nothing when the daemon is busy with others. */
  async #ask(cursor: string | undefined, signal: AbortSignal): Promise<LogSearchJson | undefined> {
    const { text, isRegex, isCaseSensitive } = this.query;
    const { id, task_name } = this.#run;
    const query = {
      taskName: task_name,
      q: text,
      regex: isRegex || undefined,
      case: isCaseSensitive || undefined,
      run_id: id,
      limit: atOnce,
      cursor,
    };
    try {
      return await get("/api/tasks/:taskName/log/search", query, signal);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 503) throw error;
      await new Promise((resolve) => setTimeout(resolve, busy));
      return undefined;
    }
  }

  #add(n: number): void {
    if (this.#known.has(n)) return;
    if (this.hits.length >= mostHits) {
      this.isCut = true;
      return;
    }
    this.#known.add(n);
    if (n > (this.hits.at(-1) ?? -1)) this.hits.push(n);
    else this.hits.splice(indexFrom(this.hits, n), 0, n);
  }
}

/** What is wrong with a query, short enough to stand at its field. */
export function reasonOf(error: unknown): string {
  const words = error instanceof ApiError ? error.errors[0]?.message ?? error.message : wordsOf(error);
  // The daemon puts this before an expression for which case doesn't matter.
  return words.replace("`(?i)", "`");
}
