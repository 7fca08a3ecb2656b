import type { LogOnFull } from "../../types.ts";
import { type FrameLimits, MAX_LINE, MAX_SPAN } from "./framer.ts";
import { HEADER_SIZE, RECORD_SIZE } from "./record.ts";

/** How much of a run's output is kept: `maxSize` in bytes on disk, index included (0: no cap). */
export interface LogPolicy {
  maxSize: number;
  onFull: LogOnFull;
}

/** What a policy means in bytes. */
export interface LogLimits extends FrameLimits {
  /** The most that all files of the log may take before the policy acts. */
  total: number;
  /** The most that the files of one segment take, unless a single line is larger. */
  segment: number;
  /** Older segments make way for new output. */
  dropsOld: boolean;
}

/** The largest segment, whatever the cap: what is dropped, rebuilt or searched in one go. */
export const MAX_SEGMENT = 16 * 1024 * 1024;

/** Room that is kept free for the system line that says that the log is full. */
const NOTE_ROOM = 512;
const MIN_LINE = 64;

/**
 * The limits that follow from a policy. Segments of an eighth of the cap make that dropping the oldest
 * leaves at least seven eighths; lines are split at 64 KiB, or earlier if the cap itself is smaller.
 */
export function limitsOf({ maxSize, onFull }: LogPolicy): LogLimits {
  const dropsOld = onFull === "drop_old";
  if (maxSize <= 0) {
    return { total: Infinity, segment: MAX_SEGMENT, line: MAX_LINE, span: MAX_SPAN, dropsOld };
  }
  const total = dropsOld ? maxSize : maxSize - Math.min(NOTE_ROOM, maxSize >>> 3);
  const segment = Math.min(MAX_SEGMENT, Math.floor(maxSize / 8));
  const overhead = HEADER_SIZE + RECORD_SIZE + 1;
  const line = Math.min(MAX_LINE, Math.max(MIN_LINE, total - overhead));
  const span = Math.min(MAX_SPAN, Math.max(1, segment - overhead));
  return { total, segment, line, span, dropsOld };
}
