/// <reference lib="dom" />
import type { LogLineJson, LogPageJson } from "../../src/http/schemas/run.ts";
import type { SseEvent } from "../../src/core/sse_parser.ts";
import type { Run } from "../data/runs.ts";
import { ApiError, get, pathTo, wordsOf } from "../net/api.ts";
import type { QueryOf } from "../net/routes.ts";
import { followStream } from "./follow_stream.ts";
import { LinePages, pageSize } from "./line_pages.ts";

/** What a process redraws: its rows stand below the last line. */
export interface Region {
  stream: string;
  rows: readonly string[];
}

/** So many lines are read first, and at a time. */
const atOnce = 1000;
/** After a page could not be read, ms. */
const retryAfter = 1000;
/** Lines that come faster than this aren't all read: so many in so many ms. */
const flood = { lines: 20_000, ms: 500 };
/** The map at the edge knows no more lines of stderr. */
const mostMarks = 20_000;

/** The lines of a run's log: those that are wanted are read in pages, those that come are told by a stream. */
export class LogSource {
  /** `loading` until the first page is there; `gone` when the run was deleted. */
  state: "loading" | "ready" | "failed" | "gone" = "loading";
  /** Why it failed. */
  why = "";
  /** The oldest line that is there, and the number behind the newest. */
  first = 0;
  end = 0;
  /** No more lines will come. */
  isFinal = false;
  /** Lines came too fast for each of them to be handed to `onLine`. */
  hasSkipped = false;
  /** Lines of stderr that were seen, for the map. */
  readonly errors = new Set<number>();
  readonly #runId: string;
  readonly #pages = new LinePages();
  readonly #regions = new Map<string, Region>();
  readonly #asked = new Map<number, AbortController>();
  readonly #closed = new AbortController();
  readonly #onChange: () => void;
  #onLine: ((line: LogLineJson) => void) | undefined;
  #isStreaming = false;
  /** The stream was left, to go on at the end of the log. */
  #isFlooded = false;
  #flood = { since: 0, lines: 0 };

  /** `onChange` is called after anything has changed, often. */
  constructor(runId: string, onChange: () => void) {
    this.#runId = runId;
    this.#onChange = onChange;
  }

  /** Takes note of how the run stands: one that waits has no log, one that has ended needs no stream. */
  async follow(status: Run["status"]): Promise<void> {
    if (status === "pending" || this.#isStreaming || this.isFinal) return;
    if (this.state === "loading" || this.state === "failed") await this.#begin();
    if (this.state !== "ready" || this.isFinal || this.#isStreaming || this.#closed.signal.aborted) return;
    this.#isStreaming = true;
    let refused: number | undefined;
    do {
      this.#isFlooded = false;
      const path = pathTo("/api/runs/:runId/log/stream", { runId: this.#runId });
      refused = await followStream(path, {
        lastId: () => String(this.end - 1),
        take: (events) => this.#take(events),
        signal: this.#closed.signal,
      });
      if (this.#isFlooded) await this.#begin();
    } while (this.#isFlooded && this.state === "ready" && !this.#closed.signal.aborted);
    this.#isStreaming = false;
    if (refused === 404) this.state = "gone";
    this.#onChange();
  }

  /** Calls `listener` with each line as it comes. */
  onLine(listener: ((line: LogLineJson) => void) | undefined): void {
    this.#onLine = listener;
  }

  /** Ends everything. */
  close(): void {
    this.#closed.abort();
    for (const asked of this.#asked.values()) asked.abort();
  }

  line(n: number): LogLineJson | undefined {
    return this.#pages.line(n);
  }

  /** The rows of stdout, then those of stderr. */
  get regions(): readonly Region[] {
    return ["stdout", "stderr"].flatMap((stream) => this.#regions.get(stream) ?? []);
  }

  /** All lines at hand, by number. */
  loaded(): LogLineJson[] {
    return [...this.#pages.all()].sort((a, b) => a.n - b.n);
  }

  /**
   * Reads the pages of lines `from` up to `to` that aren't there, and the next in the direction in which the reader
   * goes; what else is being read isn't wanted any more.
   */
  want(from: number, to: number, direction: number): void {
    if (this.state !== "ready" || from >= to) return;
    const [lowest, highest] = [Math.floor(from / pageSize), Math.floor((to - 1) / pageSize)];
    for (const [index, asked] of this.#asked) {
      if (index >= lowest - 1 && index <= highest + 1) continue;
      asked.abort();
      this.#asked.delete(index);
    }
    for (let index = lowest; index <= highest; index++) {
      this.#pages.touch(index);
      this.#ask(index);
    }
    if (this.#asked.size === 0) this.#ask(direction < 0 ? lowest - 1 : highest + 1);
  }

  #page(query: QueryOf<"/api/runs/:runId/log">, signal: AbortSignal): Promise<LogPageJson> {
    return get("/api/runs/:runId/log", { runId: this.#runId, ...query }, signal);
  }

  /** Reads the end of the log. */
  async #begin(): Promise<void> {
    if (this.state === "failed") this.state = "loading";
    try {
      const page = await this.#page({ from: -atOnce, limit: atOnce }, this.#closed.signal);
      this.state = "ready";
      // The stream tells the end, unless there is none.
      this.isFinal = page.finalized && !this.#isStreaming;
      const from = Math.max(page.first_available, page.total_lines - atOnce);
      this.#takePage(page, { from, to: page.total_lines });
    } catch (error) {
      if (this.#closed.signal.aborted) return;
      this.state = error instanceof ApiError && error.status === 404 ? "gone" : "failed";
      this.why = wordsOf(error);
    }
    this.#onChange();
  }

  async #ask(index: number): Promise<void> {
    if (index < 0 || this.#asked.has(index)) return;
    if ((index + 1) * pageSize <= this.first) return;
    const from = this.#pages.missing(index, this.end);
    if (from === undefined) return;
    const asked = new AbortController();
    this.#asked.set(index, asked);
    const limit = (index + 1) * pageSize - from;
    try {
      const page = await this.#page({ from, limit }, asked.signal);
      const last = page.lines?.at(-1)?.n;
      const reached = Math.min(from + limit, page.total_lines);
      // A page is cut short where its lines are long; one without any lines has none to give.
      this.#takePage(page, { from, to: last === undefined ? reached : Math.min(reached, last + 1) });
    } catch {
      if (asked.signal.aborted) return;
      await new Promise((resolve) => setTimeout(resolve, retryAfter));
      if (asked.signal.aborted) return;
    }
    this.#asked.delete(index);
    this.#onChange();
  }

  #takePage(page: LogPageJson, range: { from: number; to: number }): void {
    // Unfinished lines have provisional numbers: they come when they are whole, or as a region.
    const lines = (page.lines ?? []).filter(({ n }) => n < page.total_lines);
    this.first = Math.max(this.first, page.first_available);
    this.end = Math.max(this.end, page.total_lines);
    this.#pages.put(lines, range);
    for (const line of lines) this.#mark(line);
  }

  #take(events: readonly SseEvent[]): "done" | undefined {
    const lines: LogLineJson[] = [];
    let isDone = false;
    for (const { name, data } of events) {
      const event = JSON.parse(data);
      if (name === "line") lines.push(event);
      else if (name === "region") this.#regions.set(event.stream, { ...event, rows: event.rows ?? [] });
      else if (name === "rotated") this.first = Math.max(this.first, event.first_available);
      else if (name === "done") {
        isDone = true;
        this.isFinal = event.status === "ended";
        if (event.status === "deleted") this.state = "gone";
        this.#regions.clear();
      }
    }
    this.#takeLines(lines);
    if (!isDone && this.#floods(lines.length)) this.#isFlooded = this.hasSkipped = isDone = true;
    this.#onChange();
    return isDone ? "done" : undefined;
  }

  /** Whether lines come faster than anybody can read them, and than a page should. */
  #floods(lines: number): boolean {
    const now = performance.now();
    if (now - this.#flood.since > flood.ms) this.#flood = { since: now, lines: 0 };
    this.#flood.lines += lines;
    return this.#flood.lines > flood.lines;
  }

  #takeLines(lines: readonly LogLineJson[]): void {
    const [head, tail] = [lines[0], lines.at(-1)];
    if (head === undefined || tail === undefined) return;
    // Lines that were dropped on the way leave a gap, which is no page to wait for.
    this.#pages.put(lines, { from: Math.min(head.n, this.end), to: tail.n + 1 });
    this.end = Math.max(this.end, tail.n + 1);
    for (const line of lines) {
      this.#mark(line);
      this.#onLine?.(line);
    }
  }

  #mark({ n, stream }: LogLineJson): void {
    if (stream !== "stderr") return;
    this.errors.add(n);
    for (const oldest of this.errors) {
      if (this.errors.size <= mostMarks) break;
      this.errors.delete(oldest);
    }
  }
}
