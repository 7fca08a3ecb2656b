import {
  decodeJournal,
  encodeAround,
  encodeEntry,
  encodeFront,
  FRONT,
  headOf,
  type Journal,
  type JournalBase,
  type JournalEntry,
  MOST_JOURNAL,
  sizeOfEntry,
  TRIES_AT,
} from "../../core/log/journal.ts";
import { removeIfPossible } from "../folder_lock.ts";
import { readRegular } from "../read_regular.ts";
import { isMissing, removeFile, writeAll } from "./files.ts";

/** After the disk has refused, it is asked again after this many ms. */
const RETRY_MS = 1000;
/** From this size on, bytes are written from the caller's chunk instead of being copied first. */
const LARGE = 16 * 1024;
/** Others are put behind their headers here, so that each is one write. */
let scratch = new Uint8Array(1024);

/**
 * The file with what a run's output became lines by since all of them were on the disk: it outlives the process, which
 * is why nothing is synced. Entries are written over those that are done with, since a page that is there already costs
 * a fifth of a new one. Where the disk refuses there is none, until it is asked again: the log goes on without.
 */
export class RunJournal {
  readonly #path: string;
  #file: Deno.FsFile | undefined;
  #generation = Math.floor(Math.random() * 2 ** 32);
  /** Where entries begin, and where the next goes; 0: there is no journal. */
  #start = 0;
  #end = 0;
  /** Unix ms. */
  #retryAt = -Infinity;

  constructor(path: string) {
    this.#path = path;
  }

  /** Entries can be added. */
  get hasBegun(): boolean {
    return this.#end > 0;
  }

  /** Bytes of the entries. */
  get size(): number {
    return this.#end - this.#start;
  }

  /** Whether the disk may be asked to take one, at a time in Unix ms. */
  mayBegin(at: number): boolean {
    return at >= this.#retryAt || at < this.#retryAt - RETRY_MS;
  }

  /** Adds an entry: a small one by one write, a large one without a copy. */
  add(entry: JournalEntry): void {
    const size = sizeOfEntry(entry);
    const isLarge = "bytes" in entry && entry.bytes.length >= LARGE;
    const copied = isLarge ? size - entry.bytes.length : size;
    if (scratch.length < copied) scratch = new Uint8Array(copied);
    this.#guard("at" in entry ? entry.at : 0, () => {
      const file = this.#opened();
      if (isLarge) {
        encodeAround(entry, this.#generation, scratch);
        const head = headOf(entry);
        writeAll(file, scratch.subarray(0, head));
        writeAll(file, entry.bytes);
        writeAll(file, scratch.subarray(head, copied));
      } else {
        encodeEntry(entry, this.#generation, scratch);
        writeAll(file, scratch.subarray(0, size));
      }
      this.#end += size;
    });
  }

  /**
   * Begins anew with a base. `isSmall`: only where that is done with one small write, else all stays as it was. So it
   * does where the disk takes no other file beside it: what is there is whole, and goes on.
   */
  begin(base: JournalBase, { at, isSmall = false }: { at: number; isSmall?: boolean }): void {
    const generation = (this.#generation + 1) % 2 ** 32;
    const front = encodeFront(base, generation);
    const isLarge = front.length > FRONT;
    if (isSmall && isLarge) return;
    const put = (): void => {
      if (isLarge) this.#replace(front);
      else {
        const file = this.#opened();
        file.seekSync(0, Deno.SeekMode.Start);
        writeAll(file, front);
      }
      this.#generation = generation;
      this.#start = this.#end = front.length;
    };
    if (!isLarge || !this.hasBegun) return this.#guard(at, put);
    try {
      put();
    } catch {
      this.#retryAt = at + RETRY_MS;
      removeIfPossible(`${this.#path}.new`);
    }
  }

  /** Gives the file back until the next entry comes; what is done with is cut off. */
  closeFile(): void {
    if (this.#file === undefined) return;
    this.#guard(-Infinity, () => this.#file?.truncateSync(this.#end));
    this.#close();
  }

  /** Removes the file: there is nothing that the log lacks. */
  remove(): void {
    this.#close();
    if (this.#end > 0) dropJournal(this.#path);
    this.#start = this.#end = 0;
  }

  #opened(): Deno.FsFile {
    if (this.#file !== undefined) return this.#file;
    const file = Deno.openSync(this.#path, { write: true, create: true, mode: 0o600 });
    this.#file = file;
    if (file.statSync().size < this.#end) throw new Error("somebody has cut or removed the journal");
    file.seekSync(this.#end, Deno.SeekMode.Start);
    return file;
  }

  /** A front that takes more than one step is written beside the journal. */
  #replace(front: Uint8Array): void {
    const path = `${this.#path}.new`;
    removeFile(path);
    const file = Deno.openSync(path, { write: true, createNew: true, mode: 0o600 });
    try {
      writeAll(file, front);
      Deno.renameSync(path, this.#path);
    } catch (error) {
      file.close();
      throw error;
    }
    this.#close();
    this.#file = file;
  }

  #close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  /** A journal with a hole is worse than none. */
  #guard(at: number, work: () => void): void {
    try {
      work();
    } catch {
      this.#retryAt = at + RETRY_MS;
      this.#start = this.#end = 0;
      try {
        this.#file?.truncateSync(0);
      } catch {
        // Where it can't be cut it may be removed.
      }
      this.#close();
      dropJournal(this.#path);
    }
  }
}

/** The journal that a daemon left; why it can't be told; undefined where there is none. Counts the tries. */
export function readJournal(path: string): Journal | string | undefined {
  try {
    const bytes = readRegular(path, MOST_JOURNAL);
    if (typeof bytes === "string") return `its journal is ${bytes === "too large" ? bytes : "no file"}`;
    // Nothing was ever in it.
    if (bytes.length === 0) return undefined;
    const journal = decodeJournal(bytes);
    if (typeof journal === "string") return journal;
    using file = Deno.openSync(path, { write: true });
    file.seekSync(TRIES_AT, Deno.SeekMode.Start);
    file.writeSync(new Uint8Array([bytes[TRIES_AT]! + 1]));
    return journal;
  } catch (error) {
    if (isMissing(error)) return undefined;
    return error instanceof Error ? error.message : String(error);
  }
}

/** Removes a journal, and what is left of one that was about to take its place. What can't be removed stays. */
export function dropJournal(path: string): void {
  for (const name of [path, `${path}.new`]) removeIfPossible(name);
}
