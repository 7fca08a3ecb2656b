/** How many events a key may have in how long, and for how many keys that is remembered. */
export interface RateLimitOptions {
  /** Events in one window. */
  limit: number;
  /** Length of the window, in ms. */
  window: number;
  /** Beyond so many keys the one that was quiet for longest is forgotten. */
  maxKeys?: number;
}

/** Counts events by key in a window that slides; times are ms of any clock that never goes back. */
export class RateLimit {
  readonly #limit: number;
  readonly #window: number;
  readonly #maxKeys: number;
  /** Times of the newest events of each key, oldest first; keys in the order of their newest event. */
  readonly #events = new Map<string, number[]>();

  constructor({ limit, window, maxKeys = 10_000 }: RateLimitOptions) {
    this.#limit = limit;
    this.#window = window;
    this.#maxKeys = maxKeys;
  }

  /** Keys that are remembered. */
  get size(): number {
    return this.#events.size;
  }

  /** True where no key has an event in the window. */
  isQuiet(now: number): boolean {
    this.#forget(now);
    return this.#events.size === 0;
  }

  /** Whole seconds until the key may have another event, at least 1; 0 when it may have one now. */
  retryAfter(key: string, now: number): number {
    const events = this.#recent(key, now);
    if (events.length < this.#limit) return 0;
    const free = events[events.length - this.#limit]! + this.#window;
    return Math.max(1, Math.ceil((free - now) / 1000));
  }

  /** How many events the key may still have now. */
  remaining(key: string, now: number): number {
    return this.#limit - this.#recent(key, now).length;
  }

  /** Counts an event of the key, whether or not it may have one. */
  count(key: string, now: number): void {
    this.#forget(now);
    const events = this.#recent(key, now);
    events.push(now);
    if (events.length > this.#limit) events.shift();
    this.#events.delete(key);
    this.#events.set(key, events);
    if (this.#events.size > this.#maxKeys) this.#events.delete(this.#events.keys().next().value!);
  }

  /** Counts an event if the key may have one; answers as `retryAfter` does. */
  take(key: string, now: number): number {
    const wait = this.retryAfter(key, now);
    if (wait === 0) this.count(key, now);
    return wait;
  }

  /** Forgets all events of the key. */
  clear(key: string): void {
    this.#events.delete(key);
  }

  #recent(key: string, now: number): number[] {
    return (this.#events.get(key) ?? []).filter((at) => at + this.#window > now);
  }

  /** Drops the keys whose events have all left the window: they are the first ones. */
  #forget(now: number): void {
    for (const [key, events] of this.#events) {
      if (events.at(-1)! + this.#window > now) return;
      this.#events.delete(key);
    }
  }
}
