import { elapsed, hasCome, later } from "../../core/time.ts";
import { isEnded } from "../../core/run_words.ts";
import type { LogQuery } from "../../core/log/search_query.ts";
import { formatCursor, parseCursor, type SearchCursor } from "../../core/log/search_cursor.ts";
import { sizeProblem } from "../../core/user_regex.ts";
import { Fault } from "../../fault.ts";
import { pause, type RawLog } from "../../io/logs/raw_log.ts";
import type { LiveRegion } from "../../io/logs/writer.ts";
import type { SearchOutcome } from "../../io/logs/searcher.ts";
import type { ScannedRun } from "../../io/store/run_scan.ts";
import type { LogLine, LogPage, Run } from "../../types.ts";
import type { World } from "../world.ts";

/** How the log of a run stands. */
export interface LogState {
  /** Number of the oldest line that is there, and of the next that will be. */
  first: number;
  next: number;
  /** `open` while the run executes, `final` once it has ended, `waiting` before it starts, `gone` when it was deleted. */
  phase: "waiting" | "open" | "final" | "gone";
}

/** What to search for, and where. Without `unit` and `runId` everywhere. */
export interface LogSearch {
  query: LogQuery;
  unit?: string;
  runId?: string;
  limit: number;
  /** `next` of the search before; "" begins anew. */
  cursor: string;
}

export interface LogHit {
  run: ScannedRun;
  line: LogLine;
}

export interface LogHits {
  hits: LogHit[];
  scannedRuns: number;
  /** "" when there is no more. */
  next: string;
}

/** How long one search may take, ms. */
const searchTime = 2000;
/** Runs that are handed to the searcher at once. */
const searchStep = 256;
const mostSearches = 8;
/** Bytes of output that are taken apart at once where nobody waits for them. */
const stride = 128 * 1024;

/** The logs of runs, for those who read them. Methods throw `Fault`; not_found for a run that isn't there. */
export class RunLogs {
  readonly #world: World;
  #searches = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** A page with the lines that have begun but not ended; `from` below 0 counts from the end. */
  page(id: string, options: { from: number; limit: number } | { since: number; limit: number }): LogPage {
    const run = this.#run(id);
    const { logs } = this.#world;
    const from = "since" in options ? logs.since(run.unit, id, options.since) : options.from;
    return logs.page(run.unit, id, { from, limit: options.limit, finalized: isEnded(run) });
  }

  /** Whole lines from number `from` on, as many as hold `bytes` bytes and `limit` at most, but one if there is one. */
  lines(run: Run, options: { from: number; limit: number; bytes: number }): LogLine[] {
    return this.#world.logs.lines(run.unit, run.id, options).lines;
  }

  /** How the log stands; cheap while the run executes. */
  state(run: Run): LogState {
    const { logs, store } = this.#world;
    const writer = logs.open(run.unit, run.id);
    if (writer !== undefined) return { first: writer.firstAvailable, next: writer.lines, phase: "open" };
    const { first, next } = logs.lines(run.unit, run.id, { from: Infinity, limit: 0, bytes: 0 });
    const now = store.runs.get(run.id);
    const phase = now === undefined ? "gone" : isEnded(now) ? "final" : "waiting";
    return { first, next, phase };
  }

  /** Another number whenever `regions` would tell something else; undefined while the run doesn't execute. */
  regionVersion(run: Run): number | undefined {
    return this.#world.logs.open(run.unit, run.id)?.regionVersion;
  }

  /** Calls `listener` when lines have come or a region has changed, without reading them; the result ends that. Nothing while the run doesn't execute. */
  watch(run: Run, listener: () => void): (() => void) | undefined {
    return this.#world.logs.open(run.unit, run.id)?.watch(listener);
  }

  /** What the process wrote so far, byte for byte; to be closed. */
  download(id: string): Promise<RawLog> {
    return this.#world.logs.download(this.#run(id).unit, id);
  }

  /** All lines so far, some at a time; those of the daemon only with `system`. */
  async *everyLine(id: string, { system }: { system: boolean }): AsyncGenerator<LogLine[]> {
    const { unit } = this.#run(id);
    const { next: end } = this.#world.logs.lines(unit, id, { from: Infinity, limit: 0, bytes: 0 });
    for (let from = 0; from < end;) {
      const { lines } = this.#world.logs.lines(unit, id, { from, limit: end - from, bytes: stride });
      const last = lines[lines.length - 1];
      if (last === undefined) return;
      from = last.n + 1;
      yield system ? lines : lines.filter(({ stream }) => stream !== "system");
      await pause();
    }
  }

  /** The earlier frames of a redrawn line, oldest first. Throws `Fault` not_found for a line that isn't there. */
  history(id: string, n: number): string[][] {
    const run = this.#run(id);
    const [line] = this.#world.logs.lines(run.unit, id, { from: n, limit: 1, bytes: 1 }).lines;
    if (line?.n !== n) throw new Fault("not_found", `run "${id}" has no line ${n}`);
    return line.frameCount === undefined ? [] : this.#world.logs.frames(run, n);
  }

  /** What the run is redrawing at the moment: a region of a stream at most. */
  regions(run: Run): LiveRegion[] {
    return this.#world.logs.open(run.unit, run.id)?.regions() ?? [];
  }

  /** Searches logs, newest run first; gives up after 2 s, to go on with `next`. */
  async search(search: LogSearch): Promise<LogHits> {
    const after = this.#check(search);
    if (this.#searches >= mostSearches) {
      throw new Fault("busy", `${mostSearches} searches are under way: try again in a moment`);
    }
    this.#searches++;
    try {
      return await this.#search(search, after);
    } finally {
      this.#searches--;
    }
  }

  #check({ query, cursor, unit, runId }: LogSearch): SearchCursor | undefined {
    const problem = query.regex ? sizeProblem(query.text) : undefined;
    if (problem !== undefined) throw refusal(query, problem);
    if (runId !== undefined && unit !== undefined && this.#run(runId).unit !== unit) {
      throw new Fault("not_found", `no run "${runId}" of "${unit}"`);
    }
    const after = cursor === "" ? undefined : parseCursor(cursor);
    if (cursor !== "" && (after === undefined || (runId !== undefined && after.runId !== runId))) {
      throw new Fault("invalid", `cannot go on from cursor "${cursor}": hand back next_cursor as it came`, [
        { location: "query.cursor", message: "not a cursor of this search", value: cursor },
      ]);
    }
    return after;
  }

  async #search(search: LogSearch, after: SearchCursor | undefined): Promise<LogHits> {
    const { clock } = this.#world;
    const end = later(clock.monotonic(), searchTime);
    const found: LogHits = { hits: [], scannedRuns: 0, next: "" };
    for (let from = after;;) {
      const { runs, more } = this.#runsFrom(search, from);
      const outcome = await this.#searchIn(runs, {
        query: search.query,
        limit: search.limit - found.hits.length,
        budget: elapsed(clock.monotonic(), end),
        after: from,
      });
      if (outcome.problem !== undefined) throw refusal(search.query, outcome.problem);
      const byId = new Map(runs.map((run) => [run.id, run]));
      for (const { runId, line } of outcome.hits) found.hits.push({ run: byId.get(runId)!, line });
      found.scannedRuns += outcome.scanned;
      from = cursorAt(outcome.next, runs) ?? more;
      if (from === undefined) return found;
      if (outcome.next !== undefined || hasCome(end, clock.monotonic())) {
        return { ...found, next: formatCursor(from) };
      }
    }
  }

  /** Some runs from a place on, and where the rest begins. */
  #runsFrom(
    { unit, runId }: LogSearch,
    from: SearchCursor | undefined,
  ): { runs: ScannedRun[]; more: SearchCursor | undefined } {
    if (runId !== undefined) return { runs: [this.#run(runId)], more: undefined };
    const runs = this.#world.store.scan.back({
      ...(from === undefined ? {} : { from: { createdAt: from.createdAt, id: from.runId } }),
      ...(unit === undefined ? {} : { unit }),
      limit: searchStep + 1,
    });
    const next = runs[searchStep];
    const more = next && { createdAt: next.createdAt, runId: next.id, line: 0 };
    return { runs: runs.slice(0, searchStep), more };
  }

  #searchIn(
    runs: readonly ScannedRun[],
    { after, ...job }: {
      query: LogQuery;
      limit: number;
      budget: number;
      after: SearchCursor | undefined;
    },
  ): Promise<SearchOutcome> {
    const searched = runs.map(({ id, unit }) => {
      const writer = this.#world.logs.open(unit, id);
      writer?.flush();
      return { id, unit, isLive: writer !== undefined, from: id === after?.runId ? after.line : 0 };
    });
    return this.#world.searcher.search({ ...job, runs: searched });
  }

  #run(id: string): Run {
    const run = this.#world.store.runs.get(id);
    if (run === undefined) throw new Fault("not_found", `no run "${id}"`);
    return run;
  }
}

function cursorAt(next: SearchOutcome["next"], runs: readonly ScannedRun[]): SearchCursor | undefined {
  const run = next && runs[next.run];
  return run && { createdAt: run.createdAt, runId: run.id, line: next.line };
}

/** What is wrong with a regular expression is only known once it is made ready, which the main thread has no time for. */
function refusal({ text }: LogQuery, problem: string): Fault {
  return new Fault("invalid", `cannot search for "${text}": ${problem}`, [
    { location: "query.q", message: problem, value: text },
  ]);
}
