import { encodeFramesHeader, FRAMES_HEADER, framesHeaders, parseFrames } from "../../core/log/frames.ts";
import { segmentFile } from "../../core/log/segment.ts";
import type { LogLine } from "../../types.ts";
import { makeFolder, openToRead, readAt, sizeOf, writeAll } from "./files.ts";

/** The most bytes of frames that a segment holds: what is looked through to find those of a line. */
export const MAX_FRAMES_FILE = 2 * 1024 * 1024;
/** The most bytes that the frames of a line unpack to. */
const MOST_UNPACKED = 4 * 1024 * 1024;

/** The frames of a line as they are stored. */
export function packFrames(line: number, frames: readonly string[][]): Uint8Array {
  const packed = zlib().deflateSync(JSON.stringify(frames), { level: 1 });
  const bytes = new Uint8Array(FRAMES_HEADER + packed.length);
  bytes.set(encodeFramesHeader({ line, length: packed.length, count: frames.length }));
  bytes.set(packed, FRAMES_HEADER);
  return bytes;
}

/** The frames file of the segment that is being written. No call throws: a disk that refuses costs the frames only. */
export class FramesWriter {
  readonly #folder: string;
  readonly #base: number;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #stored = 0;
  #isBroken = false;

  constructor(folder: string, base: number) {
    this.#folder = folder;
    this.#base = base;
  }

  /** Bytes on the disk. */
  get stored(): number {
    return this.#stored;
  }

  /** Bytes with those that aren't written yet. */
  get bytes(): number {
    return this.#stored + this.#pendingBytes;
  }

  append(packed: Uint8Array): void {
    if (this.#isBroken) return;
    this.#pending.push(packed);
    this.#pendingBytes += packed.length;
  }

  flush(): void {
    if (this.#pending.length === 0) return;
    const path = `${this.#folder}/${segmentFile(this.#base, "frames")}`;
    try {
      if (this.#stored === 0) makeFolder(this.#folder);
      using file = Deno.openSync(path, { append: true, create: true, mode: 0o600 });
      // What others left there isn't ours, and a write that failed half is cut off again.
      if (file.statSync().size !== this.#stored) file.truncateSync(this.#stored);
      for (const packed of this.#pending) writeAll(file, packed);
      this.#stored += this.#pendingBytes;
    } catch {
      this.#isBroken = true;
    }
    if (this.#isBroken) this.#stored = sizeOrNone(path);
    this.discard();
  }

  /** Forgets what isn't written yet. */
  discard(): void {
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}

/** Lines of a segment, with the number of frames of those that have any. */
export function withFrameCounts(
  { folder, base }: { folder: string; base: number },
  lines: LogLine[],
): LogLine[] {
  const [first] = lines;
  const last = lines[lines.length - 1];
  if (first === undefined || last === undefined) return lines;
  const bytes = framesBytes(folder, base);
  if (bytes === undefined) return lines;
  const counts = new Map<number, number>();
  for (const { line, count } of framesHeaders(bytes)) {
    if (line >= first.n && line <= last.n) counts.set(line, count);
  }
  if (counts.size === 0) return lines;
  return lines.map((line) => {
    const frameCount = line.stream === "system" ? undefined : counts.get(line.n);
    return frameCount === undefined ? line : { ...line, frameCount };
  });
}

/** The frames of a line, oldest first; none where there are none, or they can't be read. */
export function framesOf({ folder, base }: { folder: string; base: number }, n: number): string[][] {
  const bytes = framesBytes(folder, base);
  const header = bytes && framesHeaders(bytes).find(({ line }) => line === n);
  if (bytes === undefined || header === undefined) return [];
  const packed = bytes.subarray(header.offset, header.offset + header.length);
  try {
    return parseFrames(unpack(packed));
  } catch {
    return [];
  }
}

/** Throws for what is damaged, or unpacks to more than a line may have. */
function unpack(packed: Uint8Array): string {
  return new TextDecoder().decode(zlib().inflateSync(packed, { maxOutputLength: MOST_UNPACKED }));
}

/** Loaded when it is wanted: it costs a daemon 5 MB, and most have no progress bars. */
function zlib(): typeof import("node:zlib") {
  return globalThis.process.getBuiltinModule("node:zlib");
}

function framesBytes(folder: string, base: number): Uint8Array | undefined {
  try {
    using file = openToRead(`${folder}/${segmentFile(base, "frames")}`);
    return file && readAt(file, { offset: 0, length: Math.min(file.statSync().size, MAX_FRAMES_FILE) });
  } catch {
    return undefined;
  }
}

function sizeOrNone(path: string): number {
  try {
    return sizeOf(path) ?? 0;
  } catch {
    return 0;
  }
}
