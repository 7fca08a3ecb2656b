declare const wall: unique symbol;
declare const monotonic: unique symbol;

/** A moment of the wall clock: whole Unix ms. It may be set, and jump. */
export type WallMs = number & { readonly [wall]: true };

/**
 * A moment of the clock that is never set, ms with fractions since whenever. No number for the compiler: it means
 * nothing beside the wall clock, and its fractions would end up in what is stored.
 */
export interface MonotonicMs {
  readonly [monotonic]: true;
}

/** Says of a reading (ms) that it is one of the wall clock; fractions are dropped. */
export function wallMs(reading: number): WallMs {
  return Math.floor(reading) as WallMs;
}

/** Says of a reading (ms) that it is one of the monotonic clock. */
export function monotonicMs(reading: number): MonotonicMs {
  return reading as unknown as MonotonicMs;
}

/** From one moment to another in whole ms, so that whatever is made of it has no fraction. Timers are true to the ms only. */
export function elapsed(from: MonotonicMs, to: MonotonicMs): number {
  return Math.round(readingOf(to) - readingOf(from));
}

/** Whether a moment has come. */
export function hasCome(at: MonotonicMs, now: MonotonicMs): boolean {
  return elapsed(at, now) >= 0;
}

/** The moment `ms` after another. */
export function later(at: MonotonicMs, ms: number): MonotonicMs {
  return monotonicMs(readingOf(at) + ms);
}

/** A moment as a plain number, for what knows no other clock. */
export function readingOf(at: MonotonicMs): number {
  return at as unknown as number;
}
