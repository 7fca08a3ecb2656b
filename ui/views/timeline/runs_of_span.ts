/// <reference lib="dom" />
import { signal } from "@preact/signals";
import { activeRuns, type Run, type RunChange } from "../../data/runs.ts";
import { get, wordsOf } from "../../net/api.ts";
import type { QueryOf } from "../../net/routes.ts";
import { barsByUnit, type UnitBars } from "./lanes.ts";
import type { Span } from "./span.ts";

type Ask = (
  query: QueryOf<"/api/runs">,
  signal: AbortSignal,
) => Promise<{ runs: Run[] | null; total: number }>;

const pageSize = 1000;
/** Runs that are shown at most; a few more may come while the page is open. */
const most = { read: 5000, kept: 6000 };
/** Until a stretch that moves is read, ms. */
const calm = 120;
/** How much more than what is seen is read on both sides, as a share of it. */
const margin = 0.3;

/** The runs of a stretch of time, kept true while events come. */
export class RunsOfSpan {
  /** Goes up with every change. */
  readonly version = signal(0);
  error: string | undefined;
  isLoading = false;
  #runs = new Map<string, Run>();
  #bars: ReadonlyMap<string, UnitBars> | undefined;
  #known: Span | undefined;
  #wanted: Span | undefined;
  #asked: Span | undefined;
  #unit: string | undefined;
  /** The unit that what is known is confined to. */
  #knownUnit: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #total: number | undefined;
  #request: AbortController | undefined;
  readonly #ask: Ask;

  constructor(ask: Ask = (query, signal) => get("/api/runs", query, signal)) {
    this.#ask = ask;
  }

  /** The runs as bars. */
  get bars(): ReadonlyMap<string, UnitBars> {
    this.#bars ??= barsByUnit(this.#runs.values());
    return this.#bars;
  }

  /** Whether anything was read yet. */
  isKnown = false;

  /** How many runs there are, where a stretch holds more than are shown of it. */
  totalOf(span: Span): number | undefined {
    return this.#known !== undefined && span.from < this.#known.from ? this.#total : undefined;
  }

  /** Makes sure that the runs of a stretch are known, soon: those of one unit, or of all. `now`: Unix ms. */
  want(span: Span, { now, unit }: { now: number; unit?: string | undefined }): void {
    this.#wanted = span;
    if (unit !== this.#unit) {
      this.#unit = unit;
      this.#asked = undefined;
      // What is known of all units is all there is of one, unless some of it was left out.
      if (this.#total !== undefined || this.#knownUnit !== undefined) this.#known = undefined;
    }
    // New runs are told by events, so nothing is read for a window that only goes along with the clock.
    const known = this.#known;
    if (known !== undefined && known.from <= span.from && (known.to >= span.to || known.to >= now)) return;
    // What was asked for and is not all there is not asked for again: there is too much of it, or it was refused.
    if (this.#asked?.from === span.from && this.#asked.to === span.to) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#wanted !== undefined) void this.#load(this.#wanted);
    }, known === undefined ? 0 : calm);
  }

  /** Reads all again. */
  refresh(): void {
    if (this.#wanted !== undefined) void this.#load(this.#wanted);
  }

  /** Takes what events tell. */
  take(changes: readonly RunChange[] | undefined): void {
    if (changes === undefined) return this.refresh();
    for (const change of changes) {
      if ("deleted" in change) this.#runs.delete(change.deleted);
      else if (this.#runs.has(change.run.id) || this.#isInside(change.run)) {
        this.#runs.set(change.run.id, change.run);
      }
    }
    for (const id of this.#runs.keys()) {
      if (this.#runs.size <= most.kept) break;
      this.#runs.delete(id);
    }
    this.#changed();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#request?.abort();
  }

  #isInside(run: Run): boolean {
    const at = Date.parse(run.created_at);
    if (this.#knownUnit !== undefined && run.task_name !== this.#knownUnit) return false;
    return this.#known !== undefined && at >= this.#known.from && at <= this.#known.to;
  }

  async #load(span: Span): Promise<void> {
    this.#request?.abort();
    const request = this.#request = new AbortController();
    this.isLoading = true;
    this.#asked = span;
    const unit = this.#unit;
    this.version.value++;
    try {
      const more = (span.to - span.from) * margin;
      let read = { from: span.from - more, to: span.to + more };
      let page = await this.#page(read, 0, request.signal);
      if (page.total > most.read) {
        read = span;
        page = await this.#page(read, 0, request.signal);
      }
      const { total } = page;
      const runs = [...page.runs ?? []];
      while (runs.length < Math.min(total, most.read) && (page.runs ?? []).length > 0) {
        page = await this.#page(read, runs.length, request.signal);
        runs.push(...page.runs ?? []);
      }
      const isCut = total > runs.length;
      // The newest come first: what is missing lies at the left.
      const oldest = Date.parse(runs.at(-1)?.created_at ?? "");
      this.isKnown = true;
      this.#knownUnit = unit;
      this.#known = isCut ? { from: Math.min(oldest, span.to), to: read.to } : read;
      this.#total = isCut ? total : undefined;
      this.#runs = new Map(runs.reverse().map((run) => [run.id, run]));
      // What began before the window and still runs reaches into it.
      for (const run of activeRuns.value?.values() ?? []) this.#runs.set(run.id, run);
      this.error = undefined;
    } catch (error) {
      if (request.signal.aborted) return;
      this.error = wordsOf(error);
    }
    this.isLoading = false;
    this.#changed();
  }

  #page({ from, to }: Span, offset: number, signal: AbortSignal) {
    const text = (at: number): string => new Date(Math.floor(at)).toISOString();
    return this.#ask(
      {
        created_after: text(from),
        created_before: text(to),
        task_name: this.#unit,
        limit: pageSize,
        offset,
      },
      signal,
    );
  }

  #changed(): void {
    this.#bars = undefined;
    this.version.value++;
  }
}
