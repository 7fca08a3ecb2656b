import { type MonotonicMs, monotonicMs, type WallMs, wallMs } from "../core/time.ts";

/** The world's time. Tests hand in a fake one that is advanced by hand. */
export interface Clock {
  now(): WallMs;
  /** Never jumps, stands still while the machine sleeps. */
  monotonic(): MonotonicMs;
  /**
   * Calls `f` once, `ms` from now; the result cancels. Where the process stood still meanwhile, all that came in that
   * time is heard first: the end of a process, an answer.
   */
  after(ms: number, f: () => void): () => void;
  /** Tells `f` once by how many ms a timer of `ms` comes too late, which is not after anything else; the result cancels. */
  measure(ms: number, f: (late: number) => void): () => void;
}

/** A timer that is late by more than this fires after a standstill, or after much that held up the thread, ms. */
const standstill = 20;
/** It waits as long again for what is to be heard first, and this long at most, ms. */
const longestHearing = 100;

/** The longest delay that a platform timer takes; a longer one would fire at once. */
const longestTimer = 2 ** 31 - 1;

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => wallMs(Date.now()),
  monotonic: () => monotonicMs(performance.now()),
  after(ms, f) {
    let timer: ReturnType<typeof setTimeout>;
    const due = performance.now() + ms;
    const fire = (): void => {
      const late = performance.now() - due;
      if (late <= standstill) f();
      else timer = setTimeout(f, Math.min(late, longestHearing));
    };
    const arm = (left: number): void => {
      timer = left > longestTimer
        ? setTimeout(() => arm(left - longestTimer), longestTimer)
        : setTimeout(fire, Math.max(0, left));
    };
    arm(ms);
    return () => clearTimeout(timer);
  },
  measure(ms, f) {
    const due = performance.now() + ms;
    const timer = setTimeout(() => f(Math.max(0, performance.now() - due)), ms);
    return () => clearTimeout(timer);
  },
};
