import { rebuildIndex } from "../../core/log/rebuild.ts";
import {
  decodeRecord,
  encodeHeader,
  encodeRecords,
  HEADER_SIZE,
  type IndexRecord,
  isHeader,
  RECORD_SIZE,
} from "../../core/log/record.ts";
import { segmentFile } from "../../core/log/segment.ts";
import { openToRead, readAt, sizeOf, writeAll } from "./files.ts";
import { type LogIndex, MemoryIndex, type SegmentPlace } from "./index_file.ts";

/** The reads of a log file that a rebuild goes through are served from windows of this size. */
const WINDOW = 1024 * 1024;

/**
 * Makes an index that fits the log file, and the number of bytes it covers. In `repair` mode the files are
 * mended: the index replaced, and a torn last line ended.
 */
export function rebuiltIndex(
  place: SegmentPlace,
  { size, read, taken }: {
    size: number;
    read: (offset: number, length: number) => Uint8Array;
    taken: readonly number[];
  },
): { index: LogIndex; size: number } {
  const log = path(place, "log");
  const { records, torn } = rebuildIndex({
    base: place.base,
    limit: place.limit,
    size,
    read: windowed(read, size),
    known: knownRecords(place),
    taken,
    at: timeOf(log),
  });
  if (torn && place.mode === "live") records.pop();
  if (place.mode === "repair") {
    try {
      return mend(place, { records, torn, size });
    } catch {
      // A disk that can't be written can still be read.
      return { index: new MemoryIndex(records), size };
    }
  }
  return { index: new MemoryIndex(records), size };
}

/** First the newline, then the index by a rename: whenever this is cut short, the next repair ends it. */
function mend(
  place: SegmentPlace,
  { records, torn, size }: { records: IndexRecord[]; torn: boolean; size: number },
): { index: LogIndex; size: number } {
  const last = records[records.length - 1];
  const ended = torn && last !== undefined
    ? [...records.slice(0, -1), { ...last, end: last.end + 1 }]
    : records;
  if (torn) {
    using log = Deno.openSync(path(place, "log"), { append: true });
    writeAll(log, new Uint8Array([10]));
  }
  const fresh = `${path(place, "idx")}.new`;
  {
    using file = Deno.openSync(fresh, { write: true, create: true, truncate: true, mode: 0o600 });
    writeAll(file, encodeHeader(place.base));
    writeAll(file, encodeRecords(ended, place.base));
  }
  Deno.renameSync(fresh, path(place, "idx"));
  return { index: new MemoryIndex(ended), size: size + (torn ? 1 : 0) };
}

/** What the index on the disk still holds; nothing of one that belongs elsewhere. */
function knownRecords(place: SegmentPlace): Array<IndexRecord | undefined> {
  const size = sizeOf(path(place, "idx"));
  using file = openToRead(path(place, "idx"));
  if (size === undefined || file === undefined) return [];
  const bytes = readAt(file, { offset: 0, length: size });
  if (!isHeader(bytes, place.base)) return [];
  const count = Math.floor((bytes.length - HEADER_SIZE) / RECORD_SIZE);
  return Array.from(
    { length: count },
    (_, i) => decodeRecord(bytes, HEADER_SIZE + i * RECORD_SIZE, place.base),
  );
}

/** When the file was last written to, in Unix ms. */
function timeOf(path: string): number {
  try {
    return Deno.statSync(path).mtime?.getTime() ?? 0;
  } catch {
    return 0;
  }
}

/** Serves small reads near each other from one larger one. */
function windowed(read: (offset: number, length: number) => Uint8Array, size: number): typeof read {
  let start = 0;
  let window: Uint8Array = new Uint8Array(0);
  return (offset, length) => {
    const end = Math.min(size, offset + length);
    if (offset < start || end > start + window.length) {
      start = offset;
      window = read(offset, Math.min(size - offset, Math.max(WINDOW, length)));
    }
    return window.subarray(offset - start, Math.max(offset, end) - start);
  };
}

function path({ folder, base }: SegmentPlace, part: "log" | "idx"): string {
  return `${folder}/${segmentFile(base, part)}`;
}
