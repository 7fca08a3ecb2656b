import { elapsed, later, type MonotonicMs } from "../core/time.ts";
import type { Clock } from "../io/clock.ts";

/** A timer that has not fired. */
export interface PendingTimer {
  name: string;
  /** Ms until it fires; below 0 where it is late. */
  left: number;
}

/** The named timers of one thing: to set one again begins it anew, and one that has fired is no longer there. */
export class Timers {
  readonly #clock: Clock;
  readonly #pending = new Map<string, { dueAt: MonotonicMs; cancel: () => void }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `fire` once, `ms` from now. */
  set(name: string, ms: number, fire: () => void): void {
    this.clear(name);
    const cancel = this.#clock.after(ms, () => {
      this.#pending.delete(name);
      fire();
    });
    this.#pending.set(name, { dueAt: later(this.#clock.monotonic(), ms), cancel });
  }

  clear(name: string): void {
    this.#pending.get(name)?.cancel();
    this.#pending.delete(name);
  }

  clearAll(): void {
    for (const { cancel } of this.#pending.values()) cancel();
    this.#pending.clear();
  }

  /** Those that have not fired, in the order in which they were set. */
  pending(): PendingTimer[] {
    const now = this.#clock.monotonic();
    return Array.from(this.#pending, ([name, { dueAt }]) => ({ name, left: elapsed(now, dueAt) }));
  }
}
