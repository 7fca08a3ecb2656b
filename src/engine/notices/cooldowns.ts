import { readingOf } from "../../core/time.ts";
import { cooldownAfter, mostSingles } from "../../core/notify/outbox.ts";
import type { Clock } from "../../io/clock.ts";

/** Which receivers are left in peace, and until when (Unix ms): those that were away, and those that heard much. */
export class Cooldowns {
  readonly #clock: Clock;
  readonly #until = new Map<string, number>();
  /** When notifiers were sent the last messages, by the clock that is never set. */
  readonly #sentAt = new Map<string, readonly number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Until when a receiver rests; 0: it does not. */
  of(channel: string): number {
    return this.#until.get(channel) ?? 0;
  }

  set(channel: string, until: number): void {
    this.#until.set(channel, until);
  }

  clear(): void {
    this.#until.clear();
  }

  /** Ends those that last for more than `patience` (ms): the clock was set back. */
  shorten(patience: number): void {
    const most = this.#clock.now() + patience;
    for (const [channel, until] of this.#until) if (until > most) this.#until.delete(channel);
  }

  /** A message more has left; true: there were many, and the receiver rests for a while. */
  noteSent(channel: string): boolean {
    const now = readingOf(this.#clock.monotonic());
    const sent = [...this.#sentAt.get(channel) ?? [], now].slice(-mostSingles);
    this.#sentAt.set(channel, sent);
    const rest = Math.ceil(cooldownAfter(sent, { now }));
    if (rest > 0) this.set(channel, this.#clock.now() + rest);
    return rest > 0;
  }
}
