import type { MaskPlan } from "../../core/log/mask_plan.ts";
import type { LogPolicy } from "../../core/log/limits.ts";
import type { LiveRegion, PartialLine } from "../../core/log/outputs.ts";
import type { OutputStream } from "../../core/log/recent_lines.ts";
import type { SpoolPosition } from "../../core/spool_position.ts";
import type { LogLine } from "../../types.ts";

export type { LiveRegion, OutputStream, PartialLine };

/** The part of the clock that a writer needs: calls `f` after `ms` and returns what cancels it. */
export interface LogTimer {
  after(ms: number, f: () => void): () => void;
}

/** How a log is written. */
export interface LogOptions extends LogPolicy {
  /**
   * What never stands in it, however it was drawn: masked in what the process writes, once more in rows that were
   * redrawn, live or settled, and in the daemon's own words.
   */
  mask?: MaskPlan | undefined;
  /** Hears what the process wrote as it goes on its way, masked. */
  hear?: (stream: OutputStream, bytes: Uint8Array) => void;
  /** Called once when the cap is hit under `kill_task`: the caller stops the run. It may be called by any other call. */
  overflowed?: () => void;
}

/** Stores the output of one run. No call throws. */
export interface LogWriter {
  /** Takes what the process wrote at `at` (Unix ms); the chunk may be reused after the call. */
  write(stream: OutputStream, chunk: Uint8Array, at: number): void;
  /**
   * The same, as far as it can be taken without holding others up; answers how many bytes that were, one at least.
   * `position`: behind all of the chunk, for who goes on when this process is gone; see `LogStore.resume`.
   */
  writeSome(stream: OutputStream, chunk: Uint8Array, at: number, position?: SpoolPosition): number;
  /** Adds the daemon's own words, a line for each line of `text`. */
  system(text: string, at: number): void;
  /** The process will write nothing more: unfinished lines become lines as they are. */
  endOutput(): void;
  /** Ends the output, writes, closes; the disk syncs in the background. Idempotent. */
  close(): void;
  /** Closes without an end of the output: `LogStore.resume` goes on with it. Where that can't be had, as `close`. */
  leave(): void;
  /**
   * Writes what is pending, whole lines that could still be redrawn among it where nothing says that somebody will.
   * Unfinished lines stay unfinished.
   */
  flush(): void;
  /** Calls `listener` with lines as they complete until the returned function is called, or it throws. */
  subscribe(listener: (lines: LogLine[]) => void): () => void;
  /** Calls `listener` when lines have been added or a region has changed, without telling which, until the returned function is called. */
  watch(listener: () => void): () => void;
  /** The lines that have begun but not ended, and those that can still be redrawn, as copies. */
  partials(): PartialLine[];
  /** What is being redrawn: a region of a stream at most. */
  regions(): LiveRegion[];
  /** Another number whenever there is something else to see of the regions; 0 before there was one. */
  readonly regionVersion: number;
  /** Number of the next line: all so far, system lines and dropped old ones included. */
  readonly lines: number;
  /** Number of the oldest line that is still there. */
  readonly firstAvailable: number;
  /** Bytes on disk, index included, and those about to be written. */
  readonly bytes: number;
  /** Lines that are not stored, or no longer: dropped by the policy or by a failing disk. */
  readonly droppedLines: number;
  /** The cap was hit under `kill_task`. */
  readonly overflow: boolean;
  /** What the disk answered, while output can't be stored. */
  readonly failed: string | undefined;
}
