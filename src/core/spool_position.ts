import type { OutputStream } from "./log/recent_lines.ts";

/** A place in what a run wrote to one stream, behind which everything is still to come: a file of its spool, and bytes of it. */
export interface SpoolPosition {
  file: number;
  offset: number;
}

/** Places in what a run wrote; a stream without one was never read by way of files. */
export type SpoolPositions = Partial<Record<OutputStream, SpoolPosition>>;
