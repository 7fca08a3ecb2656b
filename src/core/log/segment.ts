/** The files of a segment: the bytes, the index, the system lines, and the frames of redrawn lines. */
export type SegmentPart = "log" | "idx" | "sys" | "frames";

const DIGITS = 12;
const PATTERN = /^(\d{12,15})\.(log|idx|sys|frames)$/;

/**
 * The file name of a part of the segment that begins with line `base`: padded, so that a listing by name is
 * a listing by number.
 */
export function segmentFile(base: number, part: SegmentPart): string {
  return `${String(base).padStart(DIGITS, "0")}.${part}`;
}

/** The segment and part that a file name stands for, or undefined for a foreign name. */
export function parseSegmentFile(name: string): { base: number; part: SegmentPart } | undefined {
  const match = PATTERN.exec(name);
  if (match === null) return undefined;
  const base = Number(match[1]);
  const part = match[2] as SegmentPart;
  return segmentFile(base, part) === name ? { base, part } : undefined;
}

/** The first lines of the segments among `names`, ascending. An index or frames alone make no segment. */
export function segmentBases(names: Iterable<string>): number[] {
  const bases = new Set<number>();
  for (const name of names) {
    const file = parseSegmentFile(name);
    if (file !== undefined && (file.part === "log" || file.part === "sys")) bases.add(file.base);
  }
  return [...bases].sort((a, b) => a - b);
}
