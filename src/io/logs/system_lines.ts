import { segmentFile } from "../../core/log/segment.ts";
import { parseSystemLines, type SystemLine } from "../../core/log/system.ts";
import type { LogLine } from "../../types.ts";
import { openToRead, readAt } from "./files.ts";

/** The daemon's own lines of a segment: those with numbers from `base` up to but not including `limit`. */
export function systemLines(
  { folder, base, limit }: { folder: string; base: number; limit: number },
): SystemLine[] {
  using file = openToRead(`${folder}/${segmentFile(base, "sys")}`);
  if (file === undefined) return [];
  const bytes = readAt(file, { offset: 0, length: file.statSync().size });
  return parseSystemLines(new TextDecoder().decode(bytes), { from: base, to: limit });
}

/** Output and the daemon's own lines, by number. */
export function mergeLines(output: readonly LogLine[], system: readonly SystemLine[]): LogLine[] {
  return system
    .map((line): LogLine => ({ ...line, stream: "system", continued: false }))
    .concat(output)
    .sort((a, b) => a.n - b.n);
}
