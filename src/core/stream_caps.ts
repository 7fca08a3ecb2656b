/** Counts open streams, in all and by client address, against their caps. */
export class StreamCaps {
  readonly #most: number;
  readonly #mostEach: number;
  readonly #byAddress = new Map<string, number>();
  #open = 0;

  constructor(caps: { inAll: number; perAddress: number }) {
    this.#most = caps.inAll;
    this.#mostEach = caps.perAddress;
  }

  get open(): number {
    return this.#open;
  }

  /**
   * Takes a place and answers what gives it back (once), or undefined when a cap is reached. A client without an
   * address (the control socket) only counts among all.
   */
  take(address: string | undefined): (() => void) | undefined {
    if (this.#open >= this.#most) return undefined;
    const giveMine = address === undefined ? (): void => {} : this.#takeOf(address);
    if (giveMine === undefined) return undefined;
    this.#open++;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#open--;
      giveMine();
    };
  }

  #takeOf(address: string): (() => void) | undefined {
    const mine = this.#byAddress.get(address) ?? 0;
    if (mine >= this.#mostEach) return undefined;
    this.#byAddress.set(address, mine + 1);
    return () => {
      const left = (this.#byAddress.get(address) ?? 1) - 1;
      if (left === 0) this.#byAddress.delete(address);
      else this.#byAddress.set(address, left);
    };
  }
}
