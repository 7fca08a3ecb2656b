import { decodeLines, decodeText } from "../../core/log/text.ts";
import { type LogMatcher, type LogQuery, matcherOf } from "../../core/log/search_query.ts";
import type { LogLine } from "../../types.ts";
import { type Chunk, linesIn } from "./chunk.ts";
import { RunReader } from "./run_reader.ts";
import type { SegmentReader } from "./segment_reader.ts";

/** A run whose log is to be searched, from line `from` on. */
export interface SearchedRun {
  unit: string;
  id: string;
  /** Somebody may be writing it. */
  isLive: boolean;
  from: number;
}

/** A search through the logs of some runs, in the order given, each from its beginning to its end. */
export interface SearchJob {
  runs: readonly SearchedRun[];
  query: LogQuery;
  /** The most hits. */
  limit: number;
  /** How long to search, in ms; a little is searched in any case. */
  budget: number;
}

/** What a search found, in order. */
export interface SearchOutcome {
  hits: { runId: string; line: LogLine }[];
  /** How many of the runs were looked into. */
  scanned: number;
  /** Where to go on: a position in `runs`, and a line. Absent when all were searched to their ends. */
  next?: { run: number; line: number };
  /** What is wrong with the regular expression: nothing was searched. */
  problem?: string;
}

/** Hits hold no more text than this many UTF-16 units, however many were asked for. */
const mostText = 4 * 1024 * 1024;

/**
 * Searches logs under the folder `root`. What it yields means nothing: there a caller can do something else.
 * `now` gives ms.
 */
export function* searchLogs(
  job: SearchJob,
  { root, now }: { root: string; now: () => number },
): Generator<undefined, SearchOutcome> {
  const made = matcherOf(job.query);
  if ("problem" in made) return { hits: [], scanned: 0, problem: made.problem };
  const end = now() + job.budget;
  const hits: SearchOutcome["hits"] = [];
  let text = 0;
  for (const [i, run] of job.runs.entries()) {
    const reader = new RunReader(`${root}/${run.unit}/${run.id}`, run.isLive ? "live" : "ended");
    for (const segment of reader.segments(run.from)) {
      for (const { lines, next } of matchingLines(segment, made.matcher, run.from)) {
        for (const line of lines) {
          hits.push({ runId: run.id, line });
          text += line.text.length;
          if (hits.length >= job.limit || text >= mostText) {
            return { hits, scanned: i + 1, next: { run: i, line: line.n + 1 } };
          }
        }
        if (now() >= end) return { hits, scanned: i + 1, next: { run: i, line: next } };
        yield;
      }
    }
    if (now() >= end && i + 1 < job.runs.length) {
      return { hits, scanned: i + 1, next: { run: i + 1, line: job.runs[i + 1]?.from ?? 0 } };
    }
    yield;
  }
  return { hits, scanned: job.runs.length };
}

/** The lines of a segment that match, piece by piece; `next` is the number of the line behind each piece. */
function* matchingLines(
  segment: SegmentReader,
  matcher: LogMatcher,
  from: number,
): Generator<{ lines: LogLine[]; next: number }> {
  const system = segment.system.filter(({ n, text }) => n >= from && matcher.matches(text))
    .map((line): LogLine => ({ ...line, stream: "system", continued: false }));
  let next = from;
  for (const group of pieces(segment.groups(from), matcher)) {
    const lines = mayMatch(group, matcher) ? linesThatMatch(group, matcher, from) : [];
    next = Math.max(next, endOf(group));
    const before = system.findIndex(({ n }) => n >= next);
    const own = system.splice(0, before < 0 ? system.length : before);
    yield { lines: own.length === 0 ? lines : [...lines, ...own].sort((a, b) => a.n - b.n), next };
  }
  if (system.length > 0) yield { lines: system, next: Math.max(next, system[system.length - 1]!.n + 1) };
}

/** Groups, or single chunks where each may take its time: the clock is looked at between two of them. */
function* pieces(groups: Iterable<readonly Chunk[]>, matcher: LogMatcher): Generator<readonly Chunk[]> {
  for (const group of groups) {
    if (matcher.mayMatch !== undefined) yield group;
    else for (const chunk of group) yield [chunk];
  }
}

/** Looks at all bytes of a group at once: they lie side by side. */
function mayMatch(group: readonly Chunk[], matcher: LogMatcher): boolean {
  const first = group[0];
  if (matcher.mayMatch === undefined || first === undefined) return true;
  const length = group.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const text = decodeText(new Uint8Array(first.bytes.buffer, first.bytes.byteOffset, length));
  return matcher.mayMatch(text, length);
}

function linesThatMatch(group: readonly Chunk[], matcher: LogMatcher, from: number): LogLine[] {
  return group.flatMap(({ record, bytes }) =>
    decodeLines(bytes, { record, from: Math.max(from, record.line), limit: Infinity })
      .filter(({ text }) => matcher.matches(text))
  );
}

/** The number of the line behind the last of a group, as far as the group tells. */
function endOf(group: readonly Chunk[]): number {
  const last = group[group.length - 1];
  return last === undefined ? 0 : last.record.line + linesIn(last.bytes);
}
