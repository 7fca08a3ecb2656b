import type { Extent } from "./extents.ts";
import type { RunReader } from "./run_reader.ts";
import type { SegmentReader } from "./segment_reader.ts";

/** Bytes that are read at once. */
const pieceSize = 256 * 1024;

interface Part extends Extent {
  segment: SegmentReader;
}

/**
 * What a process wrote, byte for byte, as it stood when this was opened: lines that come later are not part of
 * it, and segments that are dropped meanwhile still are. The main thread only ever does a little of the work at a
 * time. To be closed.
 */
export class RawLog {
  readonly #segments: readonly SegmentReader[];
  readonly #parts: readonly Part[];
  /** Bytes. */
  readonly size: number;

  private constructor(segments: readonly SegmentReader[], parts: readonly Part[]) {
    this.#segments = segments;
    this.#parts = parts;
    this.size = parts.reduce((sum, { start, end }) => sum + end - start, 0);
  }

  static async open(reader: RunReader): Promise<RawLog> {
    const segments = reader.openAll();
    try {
      const parts: Part[] = [];
      for (const segment of segments) {
        const walk = segment.extents();
        let step = walk.next();
        for (; !step.done; step = walk.next()) await pause();
        for (const extent of step.value) parts.push({ ...extent, segment });
      }
      return new RawLog(segments, parts);
    } catch (error) {
      for (const segment of segments) segment[Symbol.dispose]();
      throw error;
    }
  }

  /** The bytes `start` up to but not including `end`. Throws when others cut the files meanwhile. */
  async *bytes({ start, end }: Extent): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    let before = 0;
    for (const part of this.#parts) {
      const length = part.end - part.start;
      const from = Math.max(0, start - before);
      const to = Math.min(length, end - before);
      before += length;
      for (let at = part.start + from; at < part.start + to;) {
        const piece = await part.segment.readAside(at, Math.min(pieceSize, part.start + to - at));
        if (piece.length === 0) throw new Error("a log file was cut while it was read");
        yield piece as Uint8Array<ArrayBuffer>;
        at += piece.length;
      }
    }
  }

  close(): void {
    for (const segment of this.#segments) segment[Symbol.dispose]();
  }
}

/** Lets everything else on the main thread go first. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
