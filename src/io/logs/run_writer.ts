import { limitsOf } from "../../core/log/limits.ts";
import { maskText } from "../../core/log/mask.ts";
import { Outputs } from "../../core/log/outputs.ts";
import type { LogLine } from "../../types.ts";
import { Audience } from "./audience.ts";
import { LineStore } from "./line_store.ts";
import type { LiveRegion, LogOptions, LogTimer, LogWriter, OutputStream, PartialLine } from "./writer.ts";

/** Lines reach the disk this many ms after nothing can redraw them any more, at the latest. */
const BATCH_MS = 50;
/** A writer that had nothing to do for this many ms gives back its files and buffers. */
const IDLE_MS = 5000;

/** The writer of one run's log folder. Lines that are there already are kept, and their numbers go on. */
export class RunLogWriter implements LogWriter {
  /** Bytes that the process wrote, stored or not. */
  outputBytes = 0;
  readonly #mask: LogOptions["mask"];
  readonly #timer: LogTimer;
  readonly #onClose: (synced: Promise<void>) => void;
  readonly #outputs: Outputs;
  readonly #store: LineStore;
  readonly #audience = new Audience();
  #closed = false;
  #cancelTick: (() => void) | undefined;
  #cancelBatch: (() => void) | undefined;
  #isIdle = false;

  constructor(
    folder: string,
    { options, timer, hold, onClose }: {
      options: LogOptions;
      timer: LogTimer;
      /** Why so many bytes of output may not be stored at the moment, if so. */
      hold: (bytes: number) => string | undefined;
      /** Called once, with the promise that ends when the disk has taken everything. */
      onClose: (synced: Promise<void>) => void;
    },
  ) {
    this.#mask = options.mask;
    this.#timer = timer;
    this.#onClose = onClose;
    this.#store = new LineStore(folder, { options, hold, audience: this.#audience });
    this.#outputs = new Outputs({
      limits: limitsOf(options),
      mask: options.mask,
      give: (output) => this.#store.append(output),
    });
  }

  get lines(): number {
    return this.#store.lines;
  }

  get firstAvailable(): number {
    return this.#store.first;
  }

  get bytes(): number {
    return this.#store.bytes;
  }

  get droppedLines(): number {
    return this.#store.dropped;
  }

  get failed(): string | undefined {
    return this.#store.failed;
  }

  get overflow(): boolean {
    return this.#store.overflow;
  }

  write(stream: OutputStream, chunk: Uint8Array, at: number): void {
    for (let from = 0; from < chunk.length;) {
      from += this.writeSome(stream, from === 0 ? chunk : chunk.subarray(from), at);
    }
  }

  writeSome(stream: OutputStream, chunk: Uint8Array, at: number): number {
    if (this.#closed) return chunk.length;
    this.#store.at = at;
    const taken = this.#outputs.push(stream, chunk, at);
    this.outputBytes += taken;
    this.#tickLater(at);
    this.#follow(at);
    return taken;
  }

  system(text: string, at: number): void {
    if (this.#closed) return;
    this.#store.at = at;
    // What the process said before stands before it.
    this.#outputs.release();
    this.#store.say(maskText(text, this.#mask), at);
    this.#wake();
    this.#notify();
  }

  flush(): void {
    this.#outputs.releaseIdle();
    this.#store.flush();
  }

  close(): void {
    if (this.#closed) return;
    this.#cancelTick?.();
    this.#cancelTick = undefined;
    this.#outputs.end(this.#store.at);
    for (const text of this.#outputs.unsaid()) this.#store.say(text, this.#store.at);
    const synced = this.#store.end();
    this.#closed = true;
    this.#cancelBatch?.();
    this.#cancelBatch = undefined;
    this.#audience.close();
    this.#onClose(synced);
  }

  subscribe(listener: (lines: LogLine[]) => void): () => void {
    return this.#audience.subscribe(listener);
  }

  watch(listener: () => void): () => void {
    return this.#audience.watch(listener);
  }

  partials(): PartialLine[] {
    return this.#closed ? [] : this.#outputs.partials();
  }

  regions(): LiveRegion[] {
    return this.#closed ? [] : this.#outputs.regions();
  }

  get regionVersion(): number {
    return this.#outputs.version;
  }

  /** What is due after output was taken. */
  #follow(at: number): void {
    this.#store.at = at;
    for (const text of this.#outputs.unsaid()) this.#store.say(text, at);
    this.#store.releaseChunk();
    this.#wake();
    this.#notify();
  }

  #notify(): void {
    this.#audience.notify({ lines: this.#store.lines, version: this.#outputs.version });
  }

  /** Sees to it that what nobody redraws any more becomes lines. */
  #tickLater(now: number): void {
    if (this.#cancelTick !== undefined) return;
    const due = this.#outputs.dueAt;
    if (due === undefined) return;
    const at = Math.max(due, now);
    this.#cancelTick = this.#timer.after(at - now, () => {
      this.#cancelTick = undefined;
      this.#outputs.tick(at);
      this.#follow(Math.max(at, this.#store.at));
      this.#tickLater(at);
    });
  }

  /** Sees to it that the batch is written in time, and that an idle writer gives back what it holds. */
  #wake(): void {
    if (this.#cancelBatch !== undefined && !this.#isIdle) return;
    this.#cancelBatch?.();
    this.#isIdle = false;
    this.#cancelBatch = this.#timer.after(BATCH_MS, () => {
      this.#store.flush();
      this.#isIdle = true;
      this.#cancelBatch = this.#timer.after(IDLE_MS, () => {
        this.#cancelBatch = undefined;
        this.#store.closeFiles();
      });
    });
  }
}
