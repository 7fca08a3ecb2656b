/** Calls a function again and again when asked, but with a pause in between that grows with what a call takes. */
export class Refresher {
  readonly #work: () => Promise<void>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isWorking = false;
  #isAsked = false;
  #isClosed = false;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Asks for one more call, soon; many that ask get one. */
  readonly ask = (): void => {
    this.#isAsked = true;
    if (!this.#isWorking && this.#timer === undefined) void this.#run();
  };

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    if (this.#isClosed) return;
    this.#timer = undefined;
    this.#isAsked = false;
    this.#isWorking = true;
    const begun = performance.now();
    try {
      await this.#work();
    } catch {
      // The events tell that the daemon is away, and ask again when it is back.
    }
    this.#isWorking = false;
    if (this.#isClosed) return;
    const pause = Math.max(shortestPause, 5 * (performance.now() - begun));
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#isAsked) void this.#run();
    }, pause);
  }
}

/** ms */
const shortestPause = 300;
