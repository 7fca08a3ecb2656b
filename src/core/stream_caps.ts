/** Counts open streams, in all and by client, against their caps. */
export class StreamCaps {
  readonly #most: number;
  readonly #mostEach: number;
  readonly #byClient = new Map<string, number>();
  #open = 0;

  constructor(caps: { inAll: number; perClient: number }) {
    this.#most = caps.inAll;
    this.#mostEach = caps.perClient;
  }

  get open(): number {
    return this.#open;
  }

  /**
   * Takes a place and answers what gives it back (once), or undefined when a cap is reached. A client without a
   * key (the control socket) only counts among all.
   */
  take(client: string | undefined): (() => void) | undefined {
    if (this.#open >= this.#most) return undefined;
    const giveMine = client === undefined ? (): void => {} : this.#takeOf(client);
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

  #takeOf(client: string): (() => void) | undefined {
    const mine = this.#byClient.get(client) ?? 0;
    if (mine >= this.#mostEach) return undefined;
    this.#byClient.set(client, mine + 1);
    return () => {
      const left = (this.#byClient.get(client) ?? 1) - 1;
      if (left === 0) this.#byClient.delete(client);
      else this.#byClient.set(client, left);
    };
  }
}
