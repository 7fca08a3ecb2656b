import { countNewlines } from "../../core/log/count.ts";
import { type IndexRecord, JOINED, STDERR } from "../../core/log/record.ts";

/** Bytes of a segment as one index record describes them. */
export interface Chunk {
  record: IndexRecord;
  bytes: Uint8Array;
}

/** The number of lines in a chunk's bytes; a last line without its newline counts. */
export function linesIn(bytes: Uint8Array): number {
  return countNewlines(bytes) + (bytes.length > 0 && bytes[bytes.length - 1] !== 10 ? 1 : 0);
}

/** What the process itself wrote of a chunk, and to which stream. */
export function rawOf({ record, bytes }: Chunk): { stream: "stdout" | "stderr"; bytes: Uint8Array } {
  const isAdded = (record.flags & JOINED) !== 0 && bytes[bytes.length - 1] === 10;
  return {
    stream: (record.flags & STDERR) === 0 ? "stdout" : "stderr",
    bytes: isAdded ? bytes.subarray(0, bytes.length - 1) : bytes,
  };
}
