/** Figures of the log store: how fast a flood is stored, and how fast a page of a long log is read. */
import { LogStore } from "../../src/io/logs/store.ts";

interface Figure {
  figure: string;
  value: number;
  unit: string;
  target?: string;
  pass?: boolean;
}

const MB = 1e6;
const CHUNK = 1024 * 1024;
const LINES = 10_000_000;
const REDRAWS = 1_000_000;
const PIPE = 64 * 1024;
const RUN = "01JZZZZZZZZZZZZZZZZZZZZZZZ";
const UNCAPPED = { maxSize: 0, onFull: "drop_old" } as const;
const timer = { after: () => () => {} };

/** Measures in a temporary folder that is removed again; takes some ten seconds and 600 MB of disk. */
// deno-lint-ignore require-await -- the bench runner awaits every bench
export async function benchLogs(): Promise<Figure[]> {
  const folder = Deno.makeTempDirSync({ prefix: "svc-bench-logs-" });
  try {
    const chunks = numberedLines(LINES);
    let run = 0;
    const bare = best(3, () => writeBare(`${folder}/bare${run++}`, chunks));
    run = 0;
    const flood = best(3, () => writeLog(`${folder}/flood${run++}`, chunks));
    const pages = readPages(`${folder}/flood0`);
    const slow = readSlowLog(`${folder}/slow`);
    return [
      { figure: "log flood, bare write of the same bytes", value: bare, unit: "MB/s" },
      {
        figure: "log flood, writer",
        value: flood,
        unit: "MB/s",
        target: "> 500, or half the bare write",
        pass: flood > Math.min(500, bare / 2),
      },
      { figure: "log flood, writer to bare write", value: flood / bare, unit: "ratio" },
      ...drawBar(`${folder}/bar`),
      ...pages,
      slow,
    ];
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** What `seq 1 count` prints, in chunks of a pipe reader's size. */
function numberedLines(count: number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let chunk = new Uint8Array(CHUNK);
  let used = 0;
  const digits = new Uint8Array(16);
  for (let i = 1; i <= count; i++) {
    let length = 0;
    for (let rest = i; rest > 0; rest = Math.floor(rest / 10)) digits[length++] = 48 + rest % 10;
    for (let k = length; k >= 0; k--) {
      chunk[used++] = k === 0 ? 10 : digits[k - 1] ?? 0;
      if (used === CHUNK) {
        chunks.push(chunk);
        chunk = new Uint8Array(CHUNK);
        used = 0;
      }
    }
  }
  chunks.push(chunk.subarray(0, used));
  return chunks;
}

function writeBare(path: string, chunks: readonly Uint8Array[]): number {
  using file = Deno.openSync(path, { write: true, create: true, truncate: true });
  return rate(chunks, (chunk) => file.writeSync(chunk));
}

function writeLog(root: string, chunks: readonly Uint8Array[]): number {
  const store = new LogStore(root, timer);
  const writer = store.writer("flood", RUN, UNCAPPED);
  let at = 1_700_000_000_000;
  const figure = rate(chunks, (chunk) => writer.write("stdout", chunk, at++));
  writer.flush();
  return figure;
}

/** MB/s of handing all chunks to `take`. */
function rate(chunks: readonly Uint8Array[], take: (chunk: Uint8Array) => void): number {
  let bytes = 0;
  const begin = performance.now();
  for (const chunk of chunks) {
    take(chunk);
    bytes += chunk.length;
  }
  return bytes / MB / ((performance.now() - begin) / 1000);
}

/** A progress bar as fast as a process can draw it, in pieces that a pipe holds. */
function drawBar(root: string): Figure[] {
  const encoder = new TextEncoder();
  const bar = Array.from({ length: REDRAWS }, (_, i) => {
    const done = Math.floor(i * 40 / REDRAWS);
    return `\r\x1b[32m${"#".repeat(done)}${" ".repeat(40 - done)}\x1b[0m ${i}/${REDRAWS}`;
  });
  const bytes = encoder.encode(bar.join("") + "\n");
  const store = new LogStore(root, timer);
  const writer = store.writer("bar", RUN, UNCAPPED);
  let longest = 0;
  const begin = performance.now();
  for (let at = 0; at < bytes.length; at += PIPE) {
    const start = performance.now();
    writer.write("stdout", bytes.subarray(at, at + PIPE), 1_700_000_000_000 + start - begin);
    longest = Math.max(longest, performance.now() - start);
  }
  writer.close();
  const rate = REDRAWS / ((performance.now() - begin) / 1000);
  const page = store.page("bar", RUN, { from: 0, limit: 10, finalized: true });
  if (page.lines.length !== 1 || !page.lines[0]?.frameCount) {
    throw new Error("the bar is not one line with frames");
  }
  return [
    { figure: "bar that is redrawn a million times, writer", value: rate, unit: "redraws/s" },
    {
      figure: "longest step of 64 KiB of it",
      value: longest,
      unit: "ms",
      target: "< 50",
      pass: longest < 50,
    },
  ];
}

function readPages(root: string): Figure[] {
  const store = new LogStore(root, timer);
  const read = (from: number) => () => store.page("flood", RUN, { from, limit: 1000, finalized: true });
  const page = read(0)();
  if (page.totalLines !== LINES) throw new Error(`the log has ${page.totalLines} lines, not ${LINES}`);
  const figures = [
    ["first", 0],
    ["middle", LINES / 2 + 3],
    ["last", -1000],
  ] as const;
  return figures.map(([name, from]) => {
    const value = median(read(from));
    return {
      figure: `${name} page of 1000 lines in a log of 10 million`,
      value,
      unit: "ms",
      target: "< 20",
      pass: value < 20,
    };
  });
}

/** A log whose lines came one at a time, so that each has an index record of its own. */
function readSlowLog(root: string): Figure {
  const store = new LogStore(root, timer);
  const writer = store.writer("slow", RUN, UNCAPPED);
  const line = new TextEncoder().encode("2026-01-01T00:00:00Z INFO a line of the usual length\n");
  for (let i = 0; i < 500_000; i++) writer.write("stdout", line, 1_700_000_000_000 + i);
  const value = median(() => store.page("slow", RUN, { from: 250_003, limit: 1000, finalized: false }));
  return {
    figure: "page of 1000 lines with a time each, in a log of 500,000",
    value,
    unit: "ms",
    target: "< 20",
    pass: value < 20,
  };
}

function best(times: number, measure: () => number): number {
  return Math.max(...Array.from({ length: times }, measure));
}

/** Median ms of 15 calls, the first ones not counted. */
function median(work: () => unknown): number {
  work();
  const times = Array.from({ length: 15 }, () => {
    const begin = performance.now();
    work();
    return performance.now() - begin;
  });
  return times.sort((a, b) => a - b)[7] ?? NaN;
}
