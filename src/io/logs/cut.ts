import { framesHeaders } from "../../core/log/frames.ts";
import { HEADER_SIZE, RECORD_SIZE } from "../../core/log/record.ts";
import { segmentBases, segmentFile, type SegmentPart } from "../../core/log/segment.ts";
import { linesIn } from "./chunk.ts";
import { namesIn, openToRead, readAt, removeFile, sizeOf } from "./files.ts";
import { MAX_FRAMES_FILE } from "./frames_file.ts";
import { SegmentReader } from "./segment_reader.ts";

const parts: readonly SegmentPart[] = ["frames", "sys", "idx", "log"];

/** Whether a log has more than `most` lines of output from a line on; a torn end is repaired. */
export function hasMore(folder: string, { from, most }: { from: number; most: number }): boolean {
  let count = 0;
  for (const segment of segmentsOf(folder)) {
    using reader = SegmentReader.open(segment);
    for (const group of reader.groups(from)) {
      for (const { record, bytes } of group) {
        count += Math.max(0, linesIn(bytes) - Math.max(0, from - record.line));
      }
      if (count > most) return true;
    }
  }
  return false;
}

/**
 * Cuts a log back to the lines before one, which are left as they are. Throws what the disk throws; `RangeError`, and
 * nothing is cut, where that line is not where a batch begins.
 */
export function cutLog(folder: string, line: number): void {
  const segments = segmentsOf(folder);
  const kept = segments.filter(({ base }) => base < line).at(-1);
  const places = kept === undefined ? undefined : placesIn(kept, line);
  for (const { base } of segments.filter(({ base }) => base >= line).reverse()) {
    for (const part of parts) removeFile(`${folder}/${segmentFile(base, part)}`);
  }
  for (const [part, size] of Object.entries(places ?? {})) {
    const path = `${folder}/${segmentFile(kept!.base, part as SegmentPart)}`;
    const now = sizeOf(path);
    if (now !== undefined && now > size) Deno.truncateSync(path, size);
  }
}

interface Place {
  folder: string;
  base: number;
  limit: number;
  mode: "repair";
}

function segmentsOf(folder: string): Place[] {
  const bases = segmentBases(namesIn(folder));
  return bases.map((base, i) => ({ folder, base, limit: bases[i + 1] ?? Infinity, mode: "repair" }));
}

/** How many bytes of each file of a segment belong to lines before one. */
function placesIn(segment: Place, line: number): Record<SegmentPart, number> {
  using reader = SegmentReader.open(segment);
  const output = reader.placeBefore(line);
  if (output === undefined) throw new RangeError(`line ${line} is in the midst of a record`);
  return {
    log: output.end,
    idx: HEADER_SIZE + output.records * RECORD_SIZE,
    sys: systemBytes(segment, line),
    frames: framesBytes(segment, line),
  };
}

function systemBytes({ folder, base }: Place, line: number): number {
  using file = openToRead(`${folder}/${segmentFile(base, "sys")}`);
  if (file === undefined) return 0;
  const bytes = readAt(file, { offset: 0, length: file.statSync().size });
  for (let at = 0; at < bytes.length;) {
    const newline = bytes.indexOf(10, at);
    const end = newline < 0 ? bytes.length : newline + 1;
    const number = Number.parseInt(new TextDecoder().decode(bytes.subarray(at, Math.min(end, at + 16))), 10);
    if (number >= line || newline < 0) return at;
    at = end;
  }
  return bytes.length;
}

function framesBytes({ folder, base }: Place, line: number): number {
  using file = openToRead(`${folder}/${segmentFile(base, "frames")}`);
  if (file === undefined) return 0;
  const bytes = readAt(file, { offset: 0, length: Math.min(file.statSync().size, MAX_FRAMES_FILE) });
  const before = framesHeaders(bytes).filter((header) => header.line < line).at(-1);
  return before === undefined ? 0 : before.offset + before.length;
}
