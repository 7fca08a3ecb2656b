import type { LogLine } from "../../types.ts";

/** Those who hear of the lines of a log as they are stored. */
export class Audience {
  readonly #listeners = new Set<(lines: LogLine[]) => void>();
  readonly #watchers = new Set<() => void>();
  /** What was told last: the number of lines, and the version of what is being redrawn. */
  #told = { lines: 0, version: 0 };

  /** Calls `listener` with lines until the returned function is called, or it throws. */
  subscribe(listener: (lines: LogLine[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls `listener` when there is something new until the returned function is called. */
  watch(listener: () => void): () => void {
    this.#watchers.add(listener);
    return () => this.#watchers.delete(listener);
  }

  /** Hands lines to those who want them; nothing is decoded for nobody. */
  deliver(decode: () => LogLine[]): void {
    if (this.#listeners.size === 0) return;
    const lines = decode();
    for (const listener of [...this.#listeners]) {
      try {
        listener(lines);
      } catch {
        // A subscriber's failure is not the run's: the output goes on without it.
        this.#listeners.delete(listener);
      }
    }
  }

  /** Tells those who watch, where there is something new. */
  notify(now: { lines: number; version: number }): void {
    if (now.lines === this.#told.lines && now.version === this.#told.version) return;
    this.#told = now;
    for (const watcher of [...this.#watchers]) watcher();
  }

  /** Nobody hears any more. */
  close(): void {
    this.#listeners.clear();
    this.#watchers.clear();
  }
}
