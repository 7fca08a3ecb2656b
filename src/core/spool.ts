/**
 * What a run writes goes by way of files (docs/behaviour.md#life-beyond-the-daemon): readers that outlive the daemon
 * copy each stream into one file after the other, numbered from 0, and the daemon reads these and removes them.
 */

/** A stream that is spooled. */
export type SpoolStream = "stdout" | "stderr";

/** A place in a stream: a file of its spool, and bytes of that. */
export interface SpoolPlace {
  file: number;
  offset: number;
}

/** What the name of a file says; `lost`: it holds how much was thrown away while nobody watched. */
export interface SpoolName {
  runId: string;
  stream: SpoolStream;
  number: number | "lost";
}

const digits: Readonly<Record<SpoolStream, "1" | "2">> = { stdout: "1", stderr: "2" };

/** Name of a file of a stream. */
export function spoolName({ runId, stream, number }: SpoolName): string {
  return `${runId}.${digits[stream]}.${number}`;
}

/** What a file's name says; undefined: it is none of ours. */
export function readSpoolName(name: string): SpoolName | undefined {
  const match = /^([0-9A-Za-z]+)\.([12])\.(0|[1-9]\d{0,14}|lost)$/.exec(name);
  if (match === null) return undefined;
  const [, runId, digit, number] = match;
  return {
    runId: runId!,
    stream: digit === "1" ? "stdout" : "stderr",
    number: number === "lost" ? "lost" : Number(number),
  };
}

/** What is there of one stream. */
export interface SpoolFound {
  /** In any order; size in bytes. */
  files: readonly { number: number; size: number }[];
  /** Numbers of the files that a live reader writes. */
  readers: readonly number[];
  /** Behind what is stored already; absent: nothing of the files is. */
  position?: SpoolPlace | undefined;
}

/** How a stream is gone on with. */
export interface SpoolPlan {
  /** Files that are stored as a whole. */
  done: number[];
  /** Where to read on, file by file. */
  parts: SpoolPlace[];
  /** Files that are gone although somebody writes them: what he reads is lost to everybody. */
  astray: number[];
  /** Number of the next new file; none that was ever used, since a place in that one would mean another. */
  next: number;
  /** The stored place lies behind the end of its file: one of the two was torn. */
  isBeyond: boolean;
}

/** How a stream is read by way of files from its beginning. */
export function freshPlan(): SpoolPlan {
  return { done: [], parts: [], astray: [], next: 0, isBeyond: false };
}

/** How to go on with a stream of which this is there. */
export function planSpool({ files, readers, position }: SpoolFound): SpoolPlan {
  const from = position?.file ?? -1;
  const live = new Set(readers);
  const there = [...files].sort((a, b) => a.number - b.number);
  const numbers = new Set(there.map(({ number }) => number));
  const offsetIn = ({ number, size }: { number: number; size: number }): number => {
    if (number > from) return 0;
    // Who still writes an earlier file brings what nobody has, though not what stands there.
    return number < from ? size : Math.min(position?.offset ?? 0, size);
  };
  const isDone = ({ number }: { number: number }): boolean => number < from && !live.has(number);
  const current = there.find(({ number }) => number === from);
  return {
    done: there.filter(isDone).map(({ number }) => number),
    parts: there.filter((file) => !isDone(file)).map((file) => ({
      file: file.number,
      offset: offsetIn(file),
    })),
    astray: readers.filter((number) => !numbers.has(number)),
    next: Math.max(from, ...numbers, ...readers, -1) + 1,
    isBeyond: current !== undefined && position !== undefined && position.offset > current.size,
  };
}

/** A reader reads so many bytes at once at most: a pipe of Linux holds no more. */
export const readSize = 64 * 1024;
/** The first reader of a stream ends after so many reads, any after so many at most. */
export const firstCount = 64;
const mostCount = 1024;
/** Where reads stay as large as they were, a file gets so large, bytes. */
const wantedSize = 16 * 1024 * 1024;

/** How many reads the next reader is to make after one that made `count` and brought so many bytes. */
export function nextCount(count: number, bytes: number): number {
  const wanted = Math.floor(wantedSize / Math.max(1, bytes / count));
  return Math.max(firstCount, Math.min(count * 4, wanted, mostCount));
}

/** How many bytes `dd` says that it has copied; undefined: it has said nothing of the kind. The last word counts. */
export function copiedBytes(said: string): number | undefined {
  const last = [...said.matchAll(/^(\d+) bytes\b/gm)].at(-1)?.[1];
  return last === undefined ? undefined : Number(last);
}
