/** Open files that nobody uses: when no descriptor is left, one is given up so that a connection can be accepted. */
export class SpareDescriptors {
  readonly #most: number;
  readonly #open: () => Disposable;
  readonly #held: Disposable[] = [];

  /** `open` opens something that takes a descriptor; the root folder, unless a test says otherwise. */
  constructor(most: number, open: () => Disposable = () => Deno.openSync("/")) {
    this.#most = most;
    this.#open = open;
    this.refill();
  }

  /** One or more have been given up. */
  get isShort(): boolean {
    return this.#held.length < this.#most;
  }

  /** Gives one up; false: there is none left. */
  giveUp(): boolean {
    const one = this.#held.pop();
    one?.[Symbol.dispose]();
    return one !== undefined;
  }

  /** Takes back what was given up, as far as there is something to take; answers whether all is there. */
  refill(): boolean {
    try {
      while (this.isShort) this.#held.push(this.#open());
      return true;
    } catch {
      return false;
    }
  }

  close(): void {
    while (this.giveUp());
  }
}
