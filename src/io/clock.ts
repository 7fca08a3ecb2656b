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
/** One that is in time may be so behind a standstill, too: it is looked for so long before, to have heard for so long, ms. */
const ahead = 10;
/**
 * So long it waits, once, for what is to be heard first, ms: as long again, but no longer than it takes where only the
 * thread was held up. Where all has stood still there is much to be heard, and the machine may be busy as well.
 */
const hearing = (late: number): number => late <= 200 ? Math.min(late, 100) : Math.min(2 * late, 1000);

/** The longest delay that a platform timer takes; a longer one would fire at once. */
const longestTimer = 2 ** 31 - 1;

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => wallMs(Date.now()),
  monotonic: () => monotonicMs(performance.now()),
  after(ms, f) {
    let timer: ReturnType<typeof setTimeout>;
    const due = performance.now() + ms;
    const early = Math.min(ms, ahead);
    const fire = (): void => {
      const late = performance.now() - due;
      timer = setTimeout(f, late <= standstill ? Math.max(early, -late) : hearing(late));
    };
    const arm = (left: number): void => {
      timer = left > longestTimer
        ? setTimeout(() => arm(left - longestTimer), longestTimer)
        : setTimeout(fire, Math.max(0, left));
    };
    arm(ms - early);
    return () => clearTimeout(timer);
  },
  measure(ms, f) {
    const due = performance.now() + ms;
    const timer = setTimeout(() => f(Math.max(0, performance.now() - due)), ms);
    return () => clearTimeout(timer);
  },
};
