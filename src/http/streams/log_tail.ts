import type { Engine } from "../../engine/engine.ts";
import type { LogState } from "../../engine/runs/run_logs.ts";
import type { Run } from "../../types.ts";
import { logLineJson } from "../run_json.ts";
import { encodeText, eventText } from "./sse.ts";

/** Between two looks at a log that is being written, ms. */
const lookEvery = 50;
/** How much of a log is read and sent at once. */
const mostLines = 500;
const mostBytes = 64 * 1024;
/** How much of the newest is kept for those who read the same, in bytes as sent. */
const keptBytes = 256 * 1024;

/** Some lines, ready to send: those from `from` up to but not including `to`, the first of which is `first`. */
export interface LogChunk {
  from: number;
  first: number;
  to: number;
  bytes: Uint8Array;
}

/** A region that is being redrawn, ready to send. */
export interface TailRegion {
  epoch: number;
  event: string;
}

const none: ReadonlyMap<string, TailRegion> = new Map();

/** The log of one run for all who read it at this moment: what many want is read and encoded once. */
export class LogTail {
  readonly run: Run;
  readonly #engine: Engine;
  readonly #listeners = new Set<() => void>();
  #chunks: LogChunk[] = [];
  #unwatch: (() => void) | undefined;
  #cancelLook: (() => void) | undefined;
  /** Lines have come since the last look. */
  #hasNews = false;
  /** How many looks there have been: a region is sent once in each. */
  #looks = 0;
  #regions: { version: number; byStream: ReadonlyMap<string, TailRegion> } = { version: 0, byStream: none };

  constructor(engine: Engine, run: Run) {
    this.#engine = engine;
    this.run = run;
  }

  /** Calls `listener` when there may be something new, at most 20 times a second; the result ends that. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#watch();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#release();
    };
  }

  get isRead(): boolean {
    return this.#listeners.size > 0;
  }

  state(): LogState {
    return this.#engine.logs.state(this.run);
  }

  /** How many looks there have been, which are 50 ms apart at the least. */
  get looks(): number {
    return this.#looks;
  }

  /** What is being redrawn at this moment, by stream. */
  regions(): ReadonlyMap<string, TailRegion> {
    const version = this.#engine.logs.regionVersion(this.run);
    if (version === undefined) return none;
    if (version !== this.#regions.version) {
      const regions = this.#engine.logs.regions(this.run).map((region) =>
        [region.stream, { epoch: region.epoch, event: eventText("region", region) }] as const
      );
      this.#regions = { version, byStream: new Map(regions) };
    }
    return this.#regions.byStream;
  }

  /** The run has begun, ended or gone. */
  change(): void {
    this.#watch();
    this.#tell();
  }

  /** Lines from number `from` on, when there are any; `next` is the number of the line to come. */
  read(from: number, next: number): LogChunk | undefined {
    const kept = this.#chunks.find((chunk) => chunk.from === from);
    if (kept !== undefined || from >= next) return kept;
    const edge = this.#chunks[this.#chunks.length - 1]?.to ?? from;
    // Who comes from behind ends where a kept chunk begins, and from there on shares.
    if (from < edge) return this.#make(from, this.#borderAfter(from) - from);
    const chunk = this.#make(from, mostLines);
    if (chunk !== undefined) this.#keep(chunk, edge);
    return chunk;
  }

  #make(from: number, limit: number): LogChunk | undefined {
    const lines = this.#engine.logs.lines(this.run, {
      from,
      limit: Math.min(limit, mostLines),
      bytes: mostBytes,
    });
    const [first] = lines;
    const last = lines[lines.length - 1];
    if (first === undefined || last === undefined) return undefined;
    const text = lines.map((line) => eventText("line", logLineJson(line), line.n)).join("");
    return { from, first: first.n, to: last.n + 1, bytes: encodeText(text) };
  }

  #borderAfter(line: number): number {
    for (const { from, to } of this.#chunks) {
      if (line < from) return from;
      if (line < to) return to;
    }
    return line;
  }

  #keep(chunk: LogChunk, edge: number): void {
    if (chunk.from !== edge) this.#chunks = [];
    this.#chunks.push(chunk);
    let size = this.#chunks.reduce((sum, { bytes }) => sum + bytes.length, 0);
    while (size > keptBytes && this.#chunks.length > 1) size -= this.#chunks.shift()!.bytes.length;
  }

  /** The writer is there while the run executes only. */
  #watch(): void {
    this.#unwatch?.();
    this.#unwatch = this.#engine.logs.watch(this.run, () => this.#notice());
  }

  /** The first news are told at once, what follows close behind is told together. */
  #notice(): void {
    if (this.#hasNews) return;
    this.#hasNews = true;
    if (this.#cancelLook === undefined) queueMicrotask(() => this.#look());
  }

  #look(): void {
    this.#cancelLook = undefined;
    if (!this.#hasNews || this.#listeners.size === 0) return;
    this.#hasNews = false;
    this.#looks++;
    this.#cancelLook = this.#engine.after(lookEvery, () => this.#look());
    this.#tell();
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #release(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#cancelLook?.();
    this.#cancelLook = undefined;
    this.#hasNews = false;
    this.#chunks = [];
  }
}
