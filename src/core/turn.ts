/** Other work waits no longer than this for a turn, ms. */
export const longestTurn = 5;

export interface TurnOptions {
  /** Monotonic ms. */
  now: () => number;
  /** Calls back when the event loop has gone round. */
  soon: (callback: () => void) => void;
}

/** What many do in one turn of the event loop, as long as they ask whether it is long already. */
export class Turn {
  readonly #options: TurnOptions;
  #began: number | undefined;
  #over: Promise<void> | undefined;

  constructor(options: TurnOptions) {
    this.#options = options;
  }

  /** Begins a turn unless one has; true when it has lasted long enough. */
  get isLong(): boolean {
    const now = this.#options.now();
    if (this.#began === undefined) {
      this.#began = now;
      void this.end();
    }
    return now - this.#began > longestTurn;
  }

  /** Counts so many ms for work that is only begun now. */
  spend(ms: number): void {
    if (this.#began !== undefined) this.#began -= ms;
  }

  /** Resolves when the event loop has gone round. */
  end(): Promise<void> {
    return this.#over ??= new Promise((resolve) =>
      this.#options.soon(() => {
        this.#began = undefined;
        this.#over = undefined;
        resolve();
      })
    );
  }
}
