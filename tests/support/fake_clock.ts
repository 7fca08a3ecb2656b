import { type MonotonicMs, monotonicMs, type WallMs, wallMs } from "../../src/core/time.ts";
import type { Clock } from "../../src/io/clock.ts";
import { isQuiet, oneEnds } from "./seams.ts";

/** Where the monotonic clock begins, ms; as on a machine, no moment of it is a whole number. */
const beginning = 1_000_000.137;
/** Fractions of a ms by which it is now behind, now ahead of a timer, one after the other. */
const fractions = [0, 0.31, 0.05, 0.42, 0.17, 0.36, 0.23];

interface Timer {
  /** Ms that have gone by until then. */
  at: number;
  f: () => void;
}

/** A clock that only moves when a test moves it. */
export class FakeClock implements Clock {
  #wall: number;
  #elapsed = 0;
  #moves = 0;
  #timers: Timer[] = [];

  /** `now` is Unix ms. */
  constructor(now: number) {
    this.#wall = now;
  }

  now(): WallMs {
    return wallMs(this.#wall);
  }

  monotonic(): MonotonicMs {
    return monotonicMs(beginning + this.#elapsed + fractions[this.#moves % fractions.length]!);
  }

  /** Ms that have gone by, whatever the wall clock says: exact, as no program can know it. */
  get elapsed(): number {
    return this.#elapsed;
  }

  after(ms: number, f: () => void): () => void {
    const timer = { at: this.#elapsed + Math.max(0, ms), f };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  measure(ms: number, f: (late: number) => void): () => void {
    const due = this.#elapsed + ms;
    return this.after(ms, () => f(this.#elapsed - due));
  }

  /** How many timers are set. */
  get waiting(): number {
    return this.#timers.length;
  }

  /** Time goes by: timers fire in order, each at its own time, and what they set off settles before the next. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    await settle();
    for (let next = this.#due(end); next !== undefined; next = this.#due(end)) {
      this.#move(Math.max(0, next.at - this.#elapsed));
      this.#timers = this.#timers.filter((timer) => timer !== next);
      next.f();
      await settle();
    }
    // What came meanwhile may have taken longer, and no clock goes back for that.
    this.#move(Math.max(0, end - this.#elapsed));
    await settle();
  }

  /** Moves the wall clock alone: somebody set it, or the machine slept. */
  jump(ms: number): void {
    this.#wall += ms;
  }

  /** Time goes by while the process does nothing: what is due fires late, when the test advances next. */
  stall(ms: number): void {
    this.#move(ms);
  }

  /** Forgets all timers, as the death of a process does. */
  clear(): void {
    this.#timers = [];
  }

  #move(ms: number): void {
    this.#elapsed += ms;
    if (ms >= 1) this.#moves++;
    this.#wall += ms;
  }

  #due(end: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= end && (first === undefined || timer.at < first.at)) first = timer;
    }
    return first;
  }
}

/**
 * Waits for quiet: every promise that can go on has done so, however long its chain, and nothing is under way that is
 * counted (`seams.ts`).
 */
export async function settle(): Promise<void> {
  await turn();
  while (!isQuiet()) {
    await oneEnds();
    await turn();
  }
}

/** A turn of the runtime, which it comes to only when no promise is left that can go on. */
function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
