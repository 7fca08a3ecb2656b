/** Keeps the newest lines of a log, and hands out those that come. */
export class RecentLines {
  readonly #most: number;
  readonly #lines: string[] = [];
  readonly #listeners = new Set<(line: string) => void>();

  constructor(most: number) {
    this.#most = most;
  }

  push(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > this.#most) this.#lines.shift();
    for (const listener of [...this.#listeners]) listener(line);
  }

  /** Oldest first. */
  recent(): readonly string[] {
    return [...this.#lines];
  }

  /** Calls `listener` with each line to come; the result ends that. */
  subscribe(listener: (line: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
