import { signal } from "@preact/signals";
import type { Run, RunChange } from "../../data/runs.ts";
import { ApiError, wordsOf } from "../../net/api.ts";

/** A page of runs as the API gives it. */
export interface RunsPage {
  runs: Run[] | null;
  total: number;
}

interface Source {
  ask: (offset: number, limit: number) => Promise<RunsPage>;
  /** Whether a run belongs in the list. */
  isMine: (run: Run) => boolean;
  /** New runs come in at the top, and move all others down. */
  isNewestFirst: boolean;
}

const pageSize = 200;
/** Pages that are kept; those farthest from what is seen go first. */
const mostPages = 20;
/** Requests at a time; while they are under way only the newest wish is remembered. */
const mostRequests = 2;
/** Between two readings because of events, ms. */
const apart = 500;
/** Until it is tried again where the daemon did not answer, ms. */
const later = 3000;
/** Ids that were counted as new; beyond that a run may be counted twice. */
const mostCounted = 5000;

/**
 * A list of runs that is known in pages. Rows stand still while it is held: what comes in is counted, and pages are
 * asked for that much further down.
 */
export class RunList {
  /** Goes up with every change. */
  readonly version = signal(0);
  /** Runs that came while the list was held. */
  readonly arrived = signal(0);
  /** Undefined before the first answer. */
  total: number | undefined;
  error: string | undefined;
  /** Rows stand still: somebody reads further down, or has selected some. */
  isHeld = false;
  /** Runs that are gone, and still have a row. */
  gone: ReadonlySet<string> = new Set();
  readonly #source: Source;
  readonly #pages = new Map<number, { runs: readonly Run[]; generation: number }>();
  readonly #loading = new Set<number>();
  readonly #counted = new Set<string>();
  #wanted: [first: number, last: number] = [0, 1];
  #generation = 0;
  #newest = 0;
  #shift = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastRefresh = 0;
  #isClosed = false;

  constructor(source: Source) {
    this.#source = source;
  }

  rowAt(index: number): Run | undefined {
    return this.#pages.get(Math.floor(index / pageSize))?.runs[index % pageSize];
  }

  /** A run of the list, as far as it is known. */
  find(id: string): Run | undefined {
    for (const { runs } of this.#pages.values()) {
      const found = runs.find((run) => run.id === id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Makes sure that rows are known, soon. */
  want(first: number, last: number): void {
    this.#wanted = [first, Math.max(first + 1, last)];
    this.#pump();
  }

  /** The ids of rows, which are read where they aren't known; at most 5000. */
  async idsBetween(a: number, b: number): Promise<string[]> {
    const first = Math.min(a, b);
    const last = Math.min(Math.max(a, b), first + 4999);
    const known = Array.from({ length: last - first + 1 }, (_, i) => this.rowAt(first + i)?.id);
    if (!known.includes(undefined)) return known.filter((id) => id !== undefined);
    const ids: string[] = [];
    for (let at = first; at <= last; at += 1000) {
      const { runs } = await this.#source.ask(at + this.#shift, Math.min(1000, last - at + 1));
      ids.push(...(runs ?? []).map(({ id }) => id));
    }
    return ids;
  }

  /** Takes what events tell; `undefined`: read all again. */
  take(changes: readonly RunChange[] | undefined): void {
    if (changes === undefined) return this.refresh();
    const gone = new Set<string>();
    let isChanged = false;
    let isStale = false;
    for (const change of changes) {
      if ("deleted" in change) {
        gone.add(change.deleted);
        continue;
      }
      const { run } = change;
      if (this.#patch(run)) {
        isChanged = true;
        isStale ||= !this.isHeld && !this.#source.isMine(run);
      } else if (this.#source.isMine(run)) {
        if (!this.isHeld) isStale = true;
        else if (this.#isNew(run)) this.#count(run);
      }
    }
    if (gone.size > 0) this.markGone(gone);
    else if (isChanged) this.version.value++;
    if (isStale || gone.size > 0) this.#refreshSoon();
  }

  /** Says that runs are gone before the daemon has said so. */
  markGone(ids: ReadonlySet<string>): void {
    this.gone = new Set([...this.gone, ...ids]);
    this.version.value++;
  }

  /** Reads what is seen again; what was known stays until the answer is there. */
  refresh(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#lastRefresh = Date.now();
    this.#generation++;
    this.#pump();
  }

  /** Lets in what has come while the list was held. */
  showArrived(): void {
    this.#shift = 0;
    this.#counted.clear();
    this.arrived.value = 0;
    this.refresh();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #patch(run: Run): boolean {
    for (const [number, page] of this.#pages) {
      const at = page.runs.findIndex(({ id }) => id === run.id);
      if (at < 0) continue;
      this.#pages.set(number, { ...page, runs: page.runs.with(at, run) });
      return true;
    }
    return false;
  }

  /** A run on a page that isn't known is none that has just come. */
  #isNew(run: Run): boolean {
    return Date.parse(run.created_at) >= this.#newest || (this.total ?? 0) <= pageSize;
  }

  #count(run: Run): void {
    if (this.#counted.has(run.id)) return;
    if (this.#counted.size >= mostCounted) this.#counted.clear();
    this.#counted.add(run.id);
    if (this.#source.isNewestFirst) this.#shift++;
    this.arrived.value++;
  }

  #refreshSoon(): void {
    const wait = Math.max(50, this.#lastRefresh + apart - Date.now());
    this.#timer ??= setTimeout(() => this.refresh(), wait);
  }

  #pump(): void {
    if (this.#isClosed) return;
    const [first, last] = this.#wanted;
    for (let number = Math.floor(first / pageSize); number * pageSize < last; number++) {
      if (this.#loading.size >= mostRequests) return;
      const isFresh = this.#pages.get(number)?.generation === this.#generation;
      if (!isFresh && !this.#loading.has(number)) void this.#load(number);
    }
  }

  async #load(number: number): Promise<void> {
    const generation = this.#generation;
    const shift = this.#shift;
    this.#loading.add(number);
    try {
      const { runs, total } = await this.#source.ask(number * pageSize + shift, pageSize);
      if (this.#isClosed) return;
      this.#pages.set(number, { runs: runs ?? [], generation });
      this.total = Math.max(0, total - shift);
      this.error = undefined;
      if (number === 0) this.#newest = Math.max(...(runs ?? []).map((run) => Date.parse(run.created_at)), 0);
      if (generation === this.#generation && this.gone.size > 0) this.gone = new Set();
      this.#forget();
    } catch (error) {
      if (this.#isClosed) return;
      this.error = wordsOf(error);
      // It counts as read: nothing is asked again before something happens.
      this.#pages.set(number, { runs: this.#pages.get(number)?.runs ?? [], generation });
      const isAway = error instanceof ApiError && (error.status === 0 || error.status >= 500);
      if (isAway) this.#timer ??= setTimeout(() => this.refresh(), later);
    } finally {
      this.#loading.delete(number);
    }
    this.version.value++;
    this.#pump();
  }

  #forget(): void {
    const middle = (this.#wanted[0] + this.#wanted[1]) / 2 / pageSize;
    const far = [...this.#pages.keys()].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle));
    for (const number of far.slice(0, Math.max(0, far.length - mostPages))) this.#pages.delete(number);
    for (const [number, { generation }] of this.#pages) {
      const isSeen = number >= Math.floor(this.#wanted[0] / pageSize) &&
        number * pageSize < this.#wanted[1];
      if (generation !== this.#generation && !isSeen) this.#pages.delete(number);
    }
  }
}
