import type { LogLine, LogStream } from "../../types.ts";
import { CONTINUED, type IndexRecord, JOINED, STDERR } from "./record.ts";

const NEWLINE = 10;
// The mark at the start of a line is text like any other: the line must come back as it went in.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Text for people and JSON: what isn't UTF-8 becomes U+FFFD and NUL the visible U+2400. */
export function decodeText(bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
  return text.includes("\0") ? text.replaceAll("\0", "\u2400") : text;
}

/** The stream of a record's lines. */
export function streamOf(record: IndexRecord): LogStream {
  return (record.flags & STDERR) === 0 ? "stdout" : "stderr";
}

/**
 * The lines of a stored chunk, from number `from` (at least the chunk's first) and at most `limit` of them.
 * A last line without its newline counts.
 */
export function decodeLines(
  bytes: Uint8Array,
  { record, from, limit }: { record: IndexRecord; from: number; limit: number },
): LogLine[] {
  let start = 0;
  for (let skip = from - record.line; skip > 0 && start < bytes.length; skip--) {
    const newline = bytes.indexOf(NEWLINE, start);
    start = newline < 0 ? bytes.length : newline + 1;
  }
  if (start >= bytes.length || limit <= 0) return [];
  const ended = bytes[bytes.length - 1] === NEWLINE;
  const wanted = bytes.subarray(start, endOfLines(bytes, { start, limit }));
  const texts = decodeText(wanted).split("\n");
  const whole = wanted.length < bytes.length - start;
  if (whole || ended) texts.pop();
  const stream = streamOf(record);
  // The carriage return before a newline that we added was the process's own and no line end.
  const joinedText = !whole && (!ended || (record.flags & JOINED) !== 0) ? texts.length - 1 : -1;
  return texts.map((text, i) => ({
    n: from + i,
    at: record.at,
    stream,
    text: i !== joinedText && text.endsWith("\r") ? text.slice(0, -1) : text,
    continued: from + i === record.line && (record.flags & CONTINUED) !== 0,
  }));
}

/** Where the `limit`th line after `start` ends; few lines of a large chunk are looked up, many just decoded. */
function endOfLines(bytes: Uint8Array, { start, limit }: { start: number; limit: number }): number {
  let end = start;
  for (let i = 0; i < limit; i++) {
    const newline = bytes.indexOf(NEWLINE, end);
    if (newline < 0) return bytes.length;
    end = newline + 1;
    if (end === bytes.length) break;
  }
  return end;
}
