import { RateLimit } from "./rate_limit.ts";

/** From how many failures of all keys in `window` ms on keys are held back that have failed within `memory` ms. */
export interface FailureBrakeOptions {
  limit: number;
  window: number;
  memory: number;
}

/**
 * Holds back who has failed while many fail: a limit for each address is none against somebody who has many. Who has
 * not failed is never held back. Times are ms of any clock that never goes back.
 */
export class FailureBrake {
  readonly #all: RateLimit;
  readonly #failed: RateLimit;

  constructor({ limit, window, memory }: FailureBrakeOptions) {
    this.#all = new RateLimit({ limit, window });
    this.#failed = new RateLimit({ limit: 1, window: memory });
  }

  count(key: string, now: number): void {
    this.#all.count("all", now);
    this.#failed.count(key, now);
  }

  /** Whether the key has failed of late. */
  isSuspect(key: string, now: number): boolean {
    return this.#failed.retryAfter(key, now) > 0;
  }

  /** Whole seconds until the key may try again; 0: now. */
  retryAfter(key: string, now: number): number {
    return this.isSuspect(key, now) ? this.#all.retryAfter("all", now) : 0;
  }

  /** The key has succeeded: what it failed before is forgotten. */
  clear(key: string): void {
    this.#failed.clear(key);
  }
}
