import { parseSegmentFile, segmentBases } from "../../core/log/segment.ts";
import { namesIn, sizeOf } from "./files.ts";
import { SegmentReader } from "./segment_reader.ts";

/** The segments that are on the disk, ascending, their bytes, and the number of the next line. */
export interface KeptLog {
  segments: Array<{ base: number; bytes: number }>;
  bytes: number;
  next: number;
}

/** What a run's folder holds; a torn end is repaired. Nothing, for a folder that isn't there. */
export function keptLog(folder: string): KeptLog {
  const names = namesIn(folder);
  const bases = segmentBases(names);
  const sizes = new Map(bases.map((base) => [base, 0]));
  for (const name of names) {
    const file = parseSegmentFile(name);
    const before = file === undefined ? undefined : sizes.get(file.base);
    if (file !== undefined && before !== undefined) {
      sizes.set(file.base, before + (sizeOf(`${folder}/${name}`) ?? 0));
    }
  }
  const next = nextLine(folder, bases);
  const segments = bases.filter((base) => base < next).map((base) => ({ base, bytes: sizes.get(base) ?? 0 }));
  return { segments, bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0), next };
}

function nextLine(folder: string, bases: readonly number[]): number {
  const base = bases[bases.length - 1];
  if (base === undefined) return 0;
  using segment = SegmentReader.open({ folder, base, limit: Infinity, mode: "repair" });
  return segment.next;
}
