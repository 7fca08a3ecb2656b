import { type MonotonicMs, monotonicMs, type WallMs, wallMs } from "../core/time.ts";

/** The world's time. Tests hand in a fake one that is advanced by hand. */
export interface Clock {
  now(): WallMs;
  /** Never jumps, stands still while the machine sleeps. */
  monotonic(): MonotonicMs;
  /** Calls `f` once, `ms` from now; the result cancels. */
  after(ms: number, f: () => void): () => void;
}

/** The longest delay that a platform timer takes; a longer one would fire at once. */
const longestTimer = 2 ** 31 - 1;

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => wallMs(Date.now()),
  monotonic: () => monotonicMs(performance.now()),
  after(ms, f) {
    let timer: ReturnType<typeof setTimeout>;
    const arm = (left: number): void => {
      timer = left > longestTimer
        ? setTimeout(() => arm(left - longestTimer), longestTimer)
        : setTimeout(f, Math.max(0, left));
    };
    arm(ms);
    return () => clearTimeout(timer);
  },
};
