import { firstCount, nextCount, spoolName, type SpoolPlace, type SpoolPlan } from "../../core/spool.ts";
import { messageOf } from "../../fault.ts";
import { removeIfPossible } from "../folder_lock.ts";
import { type OutputPipe, type OutputSource, pump } from "./output.ts";
import { reach } from "./reach.ts";
import { FilePart, reasonOf } from "./spool_file.ts";
import {
  type AdoptedReaders,
  type KeptPipe,
  pipePath,
  startDrain,
  startPipeReader,
  startReader,
} from "./spool_readers.ts";
import type { SpoolWatch } from "./spool_watch.ts";

/** Where spools lie, and who hears of them. */
export interface SpoolPlaces {
  /** Absolute, this user's alone. */
  folder: string;
  watch: SpoolWatch;
  adopted: AdoptedReaders;
}

/** What of a run is read by way of files. */
export interface SpoolOrder extends KeptPipe {
  runId: string;
  plan: SpoolPlan;
  /** False: the keeper is gone, and nothing more is to be had than what stands in files. */
  hasPipe?: boolean;
  /** When to begin. */
  begin?: Promise<void>;
  /** Readers that live already, by the numbers of their files. */
  readers?: ReadonlyMap<number, number>;
  /** Takes as much of a chunk as it can, one byte at least; `position` lies behind all of the chunk. */
  take: (chunk: Uint8Array, position: SpoolPlace) => number;
  /** Hears what was lost, or can't be done. */
  say: (text: string) => void;
}

/** After a file was refused it is tried again so much later, ms. */
const tryFilesEvery = 5_000;
/** So many reads a reader makes that brings them through a pipe: what it holds goes with the daemon. */
const pipeCount = 16;

/** Follows a stream that goes by way of files, to its end. Removes every file that it has done with. */
export function followSpool(order: SpoolOrder, places: SpoolPlaces): OutputPipe {
  return new Spool(order, places);
}

class Spool implements OutputPipe, OutputSource {
  readonly ended: Promise<void>;
  held: Promise<void> | undefined;
  readonly #order: SpoolOrder;
  readonly #places: SpoolPlaces;
  readonly #parts: FilePart[] = [];
  /** Was read to its end, and is removed when the next is there. */
  #stale: FilePart | undefined;
  #next: number;
  #count = firstCount;
  #position: SpoolPlace = { file: 0, offset: 0 };
  #pipe: { child: Deno.ChildProcess; reader: ReadableStreamBYOBReader; bytes: number } | undefined;
  #drain: { ended: Promise<void>; stop: () => void } | undefined;
  #tryFilesAt = 0;
  #isCancelled = false;
  #isMuted = false;
  /** Somebody else goes on: readers and files stay. */
  #isLeft = false;
  /** Something may have happened since it was last looked. */
  #isStirred = false;
  /** Who is done with a file closes it, and that is heard. */
  #mayBeClosed = false;
  #wake: (() => void) | undefined;

  constructor(order: SpoolOrder, places: SpoolPlaces) {
    this.#order = order;
    this.#places = places;
    this.#next = order.plan.next;
    this.#prepare(order);
    this.ended = this.#follow();
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#stopReading();
    this.#drain?.stop();
    this.#stir();
  }

  leave(): void {
    this.#isLeft = true;
    this.#stir();
  }

  mute(): void {
    if (this.#isMuted || this.#isCancelled) return;
    this.#isMuted = true;
    try {
      const drain = startDrain(this.#order);
      this.held = drain.held;
      this.#drain = drain;
    } catch (error) {
      this.#order.say(`cannot go on reading ${this.#words}, which nobody listens to: ${messageOf(error)}`);
    }
    this.#stir();
  }

  /** The next chunk, or the end. */
  async read(buffer: Uint8Array<ArrayBuffer>): Promise<{ value?: Uint8Array; done: boolean }> {
    while (!this.#isCancelled && !this.#isMuted && !this.#isLeft) {
      this.#isStirred = false;
      const value = this.#pipe === undefined ? this.#readFile(buffer) : await this.#readPipe(buffer.length);
      if (value === "over") break;
      if (value !== "later") return { value, done: false };
      if (!this.#isStirred) await new Promise<void>((wake) => this.#wake = wake);
    }
    return { done: true };
  }

  async #follow(): Promise<void> {
    await this.#order.begin;
    await pump(this, (chunk) => this.#isMuted ? chunk.length : this.#order.take(chunk, this.#position));
    if (this.#isLeft) return this.#letBe();
    await this.held;
    this.#stopReading();
    await this.#parts.at(-1)?.reader?.over;
    this.#removeStale();
    for (const part of this.#parts.splice(0)) this.#remove(part);
    await this.#drain?.ended;
  }

  #letBe(): void {
    for (const part of this.#parts.splice(0)) {
      this.#places.watch.unlisten(part.name);
      part.close();
    }
  }

  #prepare({ plan, readers, runId, stream }: SpoolOrder): void {
    for (const number of plan.done) removeIfPossible(this.#path(number));
    for (const number of plan.astray) {
      const pid = readers?.get(number);
      if (pid !== undefined) reach(pid, "SIGKILL");
      this.#order.say(`a file of ${this.#words} was removed while it was written: some of it is lost`);
    }
    if (plan.isBeyond) this.#order.say(`a file of ${this.#words} is shorter than what was stored of it`);
    for (const { file, offset } of plan.parts) {
      const name = spoolName({ runId, stream, number: file });
      const pid = readers?.get(file);
      const part = new FilePart({ number: file, path: `${this.#places.folder}/${name}`, name, offset });
      if (pid !== undefined) part.reader = this.#places.adopted.take(pid, () => this.#stir());
      this.#places.watch.listen(name, (mayBeClosed) => this.#stir(mayBeClosed));
      this.#parts.push(part);
    }
  }

  /** What the current file has, or what is to be done where it has nothing. */
  #readFile(buffer: Uint8Array): Uint8Array | "later" | "over" {
    while (this.#pipe === undefined) {
      if (this.#parts.length === 0 && this.#order.hasPipe === false) return "over";
      const part = this.#parts[0] ?? this.#begin();
      if (part === undefined) return "later";
      const isOver = part.reader?.isOver ?? true;
      const count = part.read(buffer);
      // The watch looks at all files every second.
      if (count === "refused") return "later";
      if (count === "gone") this.#order.say(`a file of ${this.#words} is gone: what stood there is lost`);
      else if (count > 0) {
        this.#position = { file: part.number, offset: part.offset };
        return buffer.subarray(0, count);
      } else if (!isOver) {
        if (this.#mayBeClosed) part.reader?.look();
        this.#mayBeClosed = false;
        return "later";
      }
      if (this.#leave(part) === "over") return "over";
    }
    return "later";
  }

  /** A file is read to its end, and nobody writes it any more. */
  #leave(part: FilePart): "over" | undefined {
    const { reader } = part;
    // Asked while the file is there: without it there may be room again.
    const why = reader?.failure?.isKilled === false ? reasonOf(this.#places.folder) : "";
    this.#parts.shift();
    this.#removeStale();
    // One file is there at any time: it tells the night watch how far the numbers have come.
    this.#stale = part;
    if (reader?.isOver === false) reach(reader.pid, "SIGKILL"); // its file is gone
    if (reader === undefined || !reader.isOwn) return undefined;
    const { failure } = reader;
    if (failure === undefined) {
      // Each read brings one byte at least: where there are fewer it ended at the end of the stream.
      if (reader.isOver && part.offset < part.count) return "over";
      this.#count = nextCount(this.#count, part.offset);
      return undefined;
    }
    if (this.#isCancelled) return undefined;
    if (!failure.isKilled) this.#tryFilesAt = performance.now() + tryFilesEvery;
    // Where there is no reason to be seen it may not have got as far as the pipe; the next one tells.
    if (failure.isKilled || why !== "" || part.offset > 0) {
      this.#order.say(`what reads ${this.#words} ${failure.words}${why}: up to 64 KiB may be lost`);
    }
    return undefined;
  }

  /** Starts the next reader: with a file, or without one where none can be had. */
  #begin(): FilePart | undefined {
    if (performance.now() < this.#tryFilesAt) return this.#beginPipe();
    const { runId, stream } = this.#order;
    const number = this.#next;
    const name = spoolName({ runId, stream, number });
    const part = new FilePart({ number, path: this.#path(number), name, offset: 0 });
    try {
      part.create();
      this.#places.watch.listen(name, (mayBeClosed) => this.#stir(mayBeClosed));
      const { path } = part;
      const count = part.count = this.#count;
      part.reader = startReader(this.#order, { path, count, ended: () => this.#stir() });
    } catch (error) {
      this.#remove(part);
      this.#removeStale();
      this.#order.say(`${this.#words} can't go by way of files: ${messageOf(error)}`);
      this.#tryFilesAt = performance.now() + tryFilesEvery;
      this.#isStirred = true;
      return undefined;
    }
    this.#removeStale();
    this.#next++;
    this.#parts.push(part);
    return part;
  }

  #beginPipe(): undefined {
    this.#removeStale();
    try {
      const child = startPipeReader(this.#order, pipeCount);
      this.#pipe = { child, reader: child.stdout.getReader({ mode: "byob" }), bytes: 0 };
      this.#position = { file: this.#next, offset: 0 };
      this.#isStirred = true;
    } catch {
      setTimeout(() => this.#stir(), tryFilesEvery); // no process is to be had
    }
  }

  async #readPipe(most: number): Promise<Uint8Array | "later" | "over"> {
    const pipe = this.#pipe!;
    const { value, done } = await pipe.reader.read(new Uint8Array(most));
    if (value !== undefined && value.length > 0) {
      pipe.bytes += value.length;
      return value;
    }
    if (!done) return "later";
    this.#pipe = undefined;
    await pipe.reader.cancel();
    const { code, success } = await pipe.child.status;
    if (!success && pipe.bytes === 0 && !this.#isCancelled) {
      this.#order.say(
        `${pipePath(this.#order)} can't be read (code ${code}): the rest of ${this.#words} is lost`,
      );
    }
    if (pipe.bytes === 0) return "over";
    this.#stir();
    return "later";
  }

  /** Ends what reads; what it has read is given up. */
  #stopReading(): void {
    const reader = this.#parts.find((part) => part.reader?.isOver === false)?.reader;
    if (reader !== undefined) reach(reader.pid, "SIGKILL");
    if (this.#pipe !== undefined) reach(this.#pipe.child.pid, "SIGKILL");
  }

  #removeStale(): void {
    if (this.#stale !== undefined) this.#remove(this.#stale);
    this.#stale = undefined;
  }

  #remove(part: FilePart): void {
    this.#places.watch.unlisten(part.name);
    part.remove();
  }

  #stir(mayBeClosed = false): void {
    this.#isStirred = true;
    this.#mayBeClosed ||= mayBeClosed;
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  #path(number: number): string {
    const { runId, stream } = this.#order;
    return `${this.#places.folder}/${spoolName({ runId, stream, number })}`;
  }

  get #words(): string {
    return `${this.#order.stream} of run ${this.#order.runId}`;
  }
}
