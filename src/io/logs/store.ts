import { type Journal, positionsIn } from "../../core/log/journal.ts";
import type { LogPolicy } from "../../core/log/limits.ts";
import { CONTINUED, JOINED, STDERR } from "../../core/log/record.ts";
import { decodeLines } from "../../core/log/text.ts";
import type { SpoolPositions } from "../../core/spool_position.ts";
import type { LogLine, LogPage } from "../../types.ts";
import { isMissing, namesIn, sizeOf } from "./files.ts";
import { dropJournal, RunJournal } from "./journal.ts";
import { leftBehind } from "./left_behind.ts";
import { RawLog } from "./raw_log.ts";
import { RunReader } from "./run_reader.ts";
import { RunLogWriter } from "./run_writer.ts";
import type { LogOptions, LogTimer, LogWriter, PartialLine } from "./writer.ts";

export type { LogPolicy };
export type { LiveRegion, LogOptions, LogTimer, LogWriter, PartialLine } from "./writer.ts";

const UNIT_NAME = /^[a-zA-Z0-9][a-zA-Z0-9._:-]*$/;
const RUN_ID = /^[a-zA-Z0-9][a-zA-Z0-9_-]*$/;

/** What part of a log to read. */
export interface PageOptions {
  /** Number of the first line; negative counts from the end. */
  from: number;
  limit: number;
  finalized: boolean;
  /** False leaves out lines that have begun but not ended (default: they follow the last whole line). */
  partial?: boolean;
}

/** The log of a run whose daemon died while it wrote. */
export interface Resumed {
  writer: LogWriter;
  /** Behind all that was read: what comes from there on is not in the log yet. */
  spooled: SpoolPositions;
  /** False: it can't be told what was read, so that some output may be missing, or stand there twice. */
  isExact: boolean;
}

/** Sums over logs that were written. */
export interface LogTotals {
  /** Bytes that processes wrote, stored or not. */
  outputBytes: number;
  /** Lines that are not stored, or no longer: dropped by the policy or by a failing disk. */
  droppedLines: number;
}

/** The logs of all runs: `<root>/<unit>/<run id>/`. Reads see all that writers of this store have taken. */
export class LogStore {
  readonly #root: string;
  readonly #timer: LogTimer;
  readonly #journals: string | undefined;
  readonly #salt: string = crypto.randomUUID();
  readonly #writers = new Map<string, RunLogWriter>();
  /** Of writers that are closed. */
  readonly #closed: LogTotals = { outputBytes: 0, droppedLines: 0 };
  readonly #syncing = new Set<Promise<void>>();
  #held: string | undefined;
  /** Bytes that may be stored before the free space is looked at again. */
  #budget = Infinity;
  #lookAgain: () => void = () => {};

  /**
   * `root` is made when the first log is written; `timer` is the clock of the writers' batches; `journals`: the folder
   * for what is not on the disk yet as lines, where that is to outlive this process.
   */
  constructor(root: string, timer: LogTimer, { journals }: { journals?: string } = {}) {
    this.#root = root;
    this.#timer = timer;
    this.#journals = journals;
  }

  /**
   * Opens the log of a run for writing and makes its folder; what is there already is kept and continued.
   * A disk that refuses shows in `failed`. Throws `RangeError` for a name that can't be one, or is open.
   */
  writer(unit: string, runId: string, options: LogOptions): LogWriter {
    return this.#open(this.#folder(unit, runId), { runId, options });
  }

  /**
   * The same for a run whose daemon died while it wrote: with all that was read of its output, to be gone on with from
   * a time on (Unix ms). Where that can't be had a line of the log says so. `mask`: what is known of its secrets now;
   * `maxSize`, `onFull`: what holds where no journal tells it.
   */
  resume(
    unit: string,
    runId: string,
    { at, ...options }: Omit<LogOptions, "maxSize" | "onFull"> & Partial<LogPolicy> & { at: number },
  ): Resumed {
    const folder = this.#folder(unit, runId);
    const path = this.#journalOf(runId);
    const found = path === undefined ? {} : leftBehind(folder, { path, mask: options.mask });
    const { journal } = found;
    const isExact = journal !== undefined || (found.missing === undefined && !this.#hasOutput(folder));
    const { maxSize = 0, onFull = "drop_new" } = journal?.base ?? options;
    const writer = this.#open(folder, {
      runId,
      options: { ...options, maxSize, onFull },
      left: journal && { journal, at },
    });
    if (found.missing !== undefined) writer.system(found.missing, at);
    return { writer, spooled: journal === undefined ? {} : positionsIn(journal), isExact };
  }

  #hasOutput(folder: string): boolean {
    for (const _ of this.#reader(folder).raw()) return true;
    return false;
  }

  /** Removes the journals of runs that nobody went on with. */
  dropJournals(): void {
    const folder = this.#journals;
    const names = folder === undefined ? [] : namesIn(folder).map((name) => name.replace(/\.new$/, ""));
    const open = new Set([...this.#writers.keys()].map((path) => path.slice(path.lastIndexOf("/") + 1)));
    for (const name of names) if (RUN_ID.test(name) && !open.has(name)) dropJournal(`${folder}/${name}`);
  }

  #journalOf(runId: string): string | undefined {
    return this.#journals === undefined ? undefined : `${this.#journals}/${runId}`;
  }

  #open(
    folder: string,
    { runId, options, left }: {
      runId: string;
      options: LogOptions;
      left?: { journal: Journal; at: number } | undefined;
    },
  ): LogWriter {
    if (this.#writers.has(folder)) throw new RangeError(`the log of run "${runId}" is open already`);
    const path = this.#journalOf(runId);
    const writer: RunLogWriter = new RunLogWriter(folder, {
      options,
      timer: this.#timer,
      journal: path === undefined ? undefined : new RunJournal(path),
      salt: this.#salt,
      left,
      hold: (bytes) => this.#holds(bytes),
      onClose: (synced) => {
        this.#writers.delete(folder);
        addTotals(this.#closed, writer);
        const done = synced.then(() => {
          this.#syncing.delete(done);
        });
        this.#syncing.add(done);
      },
    });
    this.#writers.set(folder, writer);
    return writer;
  }

  /**
   * At most `limit` lines from number `from` on, fewer where they hold more than 16 MiB. A folder that isn't
   * there gives an empty page. Unfinished lines have provisional numbers, from `totalLines` on: `totalLines`
   * doesn't count them, and they come again under their own numbers when they are complete.
   */
  page(unit: string, runId: string, { from, limit, finalized, partial = true }: PageOptions): LogPage {
    if (!Number.isInteger(from) || !Number.isInteger(limit)) {
      throw new RangeError(`a page of a log begins and ends with whole numbers, not ${from} and ${limit}`);
    }
    const folder = this.#folder(unit, runId);
    const reader = this.#reader(folder);
    const { first, total } = reader;
    const partials = partial ? this.#writers.get(folder)?.partials() ?? [] : [];
    const start = Math.max(first, from < 0 ? total + partials.length + from : from);
    const isTail = from < 0 && start + limit >= total;
    const lines = limit > 0 && start < total ? reader.lines(isTail ? start - total : start, limit) : [];
    const next = start < total ? (lines[lines.length - 1]?.n ?? start - 1) + 1 : total;
    // Where the page was cut short, unfinished lines would stand after a gap.
    if (next >= total) {
      partials.forEach((line, i) => {
        const n = total + i;
        if (n >= start && n < start + limit) lines.push(showPartial(line, n));
      });
    }
    return {
      lines,
      firstAvailable: first,
      totalLines: total,
      truncated: first > 0,
      finalized,
    };
  }

  /** What all writers of this store have taken so far. */
  get totals(): LogTotals {
    const totals = { ...this.#closed };
    for (const writer of this.#writers.values()) addTotals(totals, writer);
    return totals;
  }

  /** From now on no output is stored, for the reason given. */
  hold(why: string): void {
    this.#held = why;
  }

  /** From now on output is stored; after `bytes` of it `lookAgain` is called, which may allow more or hold it back. */
  allow(bytes: number, lookAgain: () => void): void {
    this.#held = undefined;
    this.#budget = bytes;
    this.#lookAgain = lookAgain;
  }

  /** Bytes on disk of the logs that are being written. */
  get openBytes(): number {
    let bytes = 0;
    for (const writer of this.#writers.values()) bytes += writer.bytes;
    return bytes;
  }

  /** The writer of a run's log, while it is open. */
  open(unit: string, runId: string): LogWriter | undefined {
    return this.#writers.get(this.#folder(unit, runId));
  }

  /**
   * Whole lines from number `from` on, as many as hold `bytes` bytes, `limit` at most, but one if there is one;
   * with the number of the oldest line that is there, and of the next that will be.
   */
  lines(
    unit: string,
    runId: string,
    { from, limit, bytes }: { from: number; limit: number; bytes: number },
  ): { lines: LogLine[]; first: number; next: number } {
    const reader = this.#reader(this.#folder(unit, runId));
    const { first, total: next } = reader;
    return { lines: from < next ? reader.linesFrom(from, { limit, bytes }) : [], first, next };
  }

  /** The earlier frames of a line that was redrawn, oldest first; none where there are none. */
  frames({ unit, id }: { unit: string; id: string }, n: number): string[][] {
    return this.#reader(this.#folder(unit, id)).frames(n);
  }

  /** What the process wrote so far, for a download. */
  download(unit: string, runId: string): Promise<RawLog> {
    return RawLog.open(this.#reader(this.#folder(unit, runId)));
  }

  /** Number of the first line at or after a time in Unix ms; the number of the next line when there is none. */
  since(unit: string, runId: string, at: number): number {
    return this.#reader(this.#folder(unit, runId)).firstSince(at);
  }

  /** What the process wrote, byte for byte: to one stream, or to both in the order of their lines. */
  raw(unit: string, runId: string, stream?: "stdout" | "stderr"): Iterable<Uint8Array> {
    return this.#reader(this.#folder(unit, runId)).raw(stream);
  }

  /** Bytes on disk. */
  size(unit: string, runId: string): number {
    return sizeOfFolder(this.#folder(unit, runId));
  }

  /** Removes the log of a run, and the unit's folder when that was its last. An open writer is closed. */
  remove(unit: string, runId: string): void {
    const folder = this.#folder(unit, runId);
    this.#writers.get(folder)?.close();
    removeIf(folder, { recursive: true });
    if (namesIn(`${this.#root}/${unit}`).length === 0) removeIf(`${this.#root}/${unit}`, {});
  }

  /** All logs on the disk; what isn't a folder of a run is passed over. */
  async *folders(): AsyncIterable<{ unit: string; runId: string }> {
    for await (const unit of foldersIn(this.#root)) {
      if (!UNIT_NAME.test(unit)) continue;
      for await (const runId of foldersIn(`${this.#root}/${unit}`)) {
        if (RUN_ID.test(runId)) yield { unit, runId };
      }
    }
  }

  /** Ends when the disk has taken all logs that were closed. */
  async synced(): Promise<void> {
    await Promise.all(this.#syncing);
  }

  #holds(bytes: number): string | undefined {
    this.#budget -= bytes;
    if (this.#held === undefined && this.#budget < 0) this.#lookAgain();
    return this.#held;
  }

  #reader(folder: string): RunReader {
    const writer = this.#writers.get(folder);
    writer?.flush();
    return new RunReader(folder, writer === undefined ? "repair" : "live");
  }

  #folder(unit: string, runId: string): string {
    if (!UNIT_NAME.test(unit)) throw new RangeError(`"${unit}" can't be the name of a unit`);
    if (!RUN_ID.test(runId)) throw new RangeError(`"${runId}" can't be the id of a run`);
    return `${this.#root}/${unit}/${runId}`;
  }
}

function addTotals(sum: LogTotals, { outputBytes, droppedLines }: LogTotals): void {
  sum.outputBytes += outputBytes;
  sum.droppedLines += droppedLines;
}

function showPartial({ stream, bytes, continued, at }: PartialLine, n: number): LogLine {
  const flags = (stream === "stderr" ? STDERR : 0) | (continued ? CONTINUED : 0) | JOINED;
  const [line] = decodeLines(bytes, { record: { line: n, end: 0, at, flags }, from: n, limit: 1 });
  return line ?? { n, at, stream, text: "", continued };
}

function sizeOfFolder(folder: string): number {
  return namesIn(folder).reduce((sum, name) => sum + (sizeOf(`${folder}/${name}`) ?? 0), 0);
}

async function* foldersIn(folder: string): AsyncIterable<string> {
  try {
    for await (const { name, isDirectory } of Deno.readDir(folder)) if (isDirectory) yield name;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function removeIf(path: string, options: Deno.RemoveOptions): void {
  try {
    Deno.removeSync(path, options);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
