import { keeperPath } from "../../core/keeper.ts";
import { spoolName } from "../../core/spool.ts";
import { messageOf } from "../../fault.ts";
import { removeIfPossible } from "../folder_lock.ts";
import type { LeftSpools } from "./kept_files.ts";
import { reach } from "./reach.ts";
import type { SpoolReader } from "./spool_readers.ts";

/** A file of a stream, as far as it was read. */
export class FilePart {
  readonly number: number;
  readonly path: string;
  readonly name: string;
  /** Who writes it; absent: nobody. */
  reader: SpoolReader | undefined;
  /** How many reads that makes, where it is one of this daemon's. */
  count = 0;
  #offset: number;
  #file: Deno.FsFile | undefined;

  constructor(
    { number, path, name, offset }: { number: number; path: string; name: string; offset: number },
  ) {
    this.number = number;
    this.path = path;
    this.name = name;
    this.#offset = offset;
  }

  /** Bytes that were read. */
  get offset(): number {
    return this.#offset;
  }

  /** Makes it, this user's alone. Throws what the system says. */
  create(): void {
    Deno.writeFileSync(this.path, new Uint8Array(), { createNew: true, mode: 0o600 });
  }

  /** Reads on; answers how many bytes there were. `gone`: somebody has removed it; `refused`: it can't be read for the moment. */
  read(buffer: Uint8Array): number | "gone" | "refused" {
    try {
      this.#file ??= this.#open();
      const count = this.#file.readSync(buffer) ?? 0;
      this.#offset += count;
      return count;
    } catch (error) {
      this.close();
      return error instanceof Deno.errors.NotFound ? "gone" : "refused";
    }
  }

  remove(): void {
    this.close();
    removeIfPossible(this.path);
  }

  #open(): Deno.FsFile {
    const file = Deno.openSync(this.path);
    file.seekSync(this.#offset, Deno.SeekMode.Start);
    return file;
  }

  /** Gives the file back; it stays. */
  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }
}

/** Why files can't be written to a folder, as far as that can be found out. */
export function reasonOf(folder: string): string {
  const path = `${folder}/.try`;
  try {
    Deno.writeFileSync(path, new Uint8Array(64 * 1024), { mode: 0o600 });
    return "";
  } catch (error) {
    return ` (${messageOf(error)})`;
  } finally {
    removeIfPossible(path);
  }
}

/** The last of what a small file says; "" where there is none. */
export function readSaid(path: string): string {
  try {
    using file = Deno.openSync(path);
    const buffer = new Uint8Array(4096);
    file.seekSync(Math.max(0, file.statSync().size - buffer.length), Deno.SeekMode.Start);
    return new TextDecoder("latin1").decode(buffer.subarray(0, file.readSync(buffer) ?? 0));
  } catch {
    return "";
  }
}

/** Removes what a keeper wrote down. */
export function removeKeptFile(folder: string, runId: string): void {
  removeIfPossible(keeperPath(folder, runId));
}

/** Ends the readers of a run, and removes what they wrote. */
export function removeSpools(folder: string, runId: string, left: LeftSpools): void {
  for (const stream of ["stdout", "stderr"] as const) {
    const { files, readers, counter, isCounted } = left[stream];
    for (const pid of readers.values()) reach(pid, "SIGKILL");
    if (counter !== undefined) reach(counter, "SIGKILL");
    for (const { number } of files) removeIfPossible(`${folder}/${spoolName({ runId, stream, number })}`);
    if (isCounted) removeIfPossible(`${folder}/${spoolName({ runId, stream, number: "lost" })}`);
  }
}
