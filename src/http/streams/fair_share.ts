/** The longest that streams keep the main thread before others have it, ms. */
const longest = 2;

/**
 * Shares the main thread between streams and all else: when reading has taken its share, it rests for as long,
 * and whoever wants to read waits in order.
 */
export class FairShare {
  #used = 0;
  #restUntil = 0;
  #rest: Promise<void> | undefined;

  /** Resolves when there is time to do something. */
  async wait(): Promise<void> {
    for (;;) {
      const left = this.#restUntil - performance.now();
      if (left <= 0) return;
      this.#rest ??= new Promise((resolve) => {
        setTimeout(() => {
          this.#rest = undefined;
          this.#restUntil = 0;
          resolve();
        }, left);
      });
      await this.#rest;
    }
  }

  /** Does something, and remembers how long that took. */
  work<T>(something: () => T): T {
    const begun = performance.now();
    const result = something();
    const end = performance.now();
    this.#used += end - begun;
    if (this.#used >= longest) {
      this.#restUntil = end + this.#used;
      this.#used = 0;
    }
    return result;
  }
}
