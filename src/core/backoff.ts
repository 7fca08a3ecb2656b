import type { Backoff } from "../types.ts";

/** The longest wait between two attempts of a task (docs/behaviour.md#retries), in ms. */
export const longestRetryDelay = 5 * 60_000;
/** The longest wait between two lives of a service (docs/behaviour.md#services), in ms. */
export const longestRestartDelay = 60_000;

/** The wait (ms) before attempt `n` (from 1): delay, delay·n or delay·2^(n-1), at most `cap`. */
export function backoffDelay(backoff: Backoff, delay: number, options: { n: number; cap: number }): number {
  // The exponent is bounded so that the factor is finite: Infinity times no delay is no number.
  const factor = backoff === "constant"
    ? 1
    : backoff === "linear"
    ? options.n
    : 2 ** Math.min(options.n - 1, 60);
  return Math.min(options.cap, delay * factor);
}
