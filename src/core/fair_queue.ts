/** How many may wait, in all and under one key. */
export interface FairQueueOptions {
  most: number;
  mostEach: number;
}

interface Waiting<T> {
  key: string;
  item: T;
}

/**
 * Who waits for one of few places: the keys take turns, so that many of one key hold none of another up, and those
 * that are suspected come after all others.
 */
export class FairQueue<T> {
  readonly #options: FairQueueOptions;
  /** Trusted ones, then suspects; each in the order in which they came. */
  readonly #lanes: [Waiting<T>[], Waiting<T>[]] = [[], []];
  /** When each key that waits had its last turn. */
  readonly #turns = new Map<string, number>();
  #turn = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#lanes[0].length + this.#lanes[1].length;
  }

  /**
   * Lets one wait and answers true, or false where there is no room. Where all is full, one who isn't suspected takes
   * the place of the newest suspect, which is answered.
   */
  add(key: string, item: T, { isSuspect }: { isSuspect: boolean }): boolean | { evicted: T } {
    const lane = this.#lanes[isSuspect ? 1 : 0];
    const mine = this.#lanes.flat().filter((one) => one.key === key).length;
    if (mine >= this.#options.mostEach) return false;
    const evicted = this.size < this.#options.most ? undefined : isSuspect ? undefined : this.#lanes[1].pop();
    if (this.size >= this.#options.most) return false;
    lane.push({ key, item });
    return evicted === undefined ? true : { evicted: evicted.item };
  }

  /** The one whose turn it is: of the key that waited longest for one, the first that came. */
  next(): T | undefined {
    const lane = this.#lanes.find(({ length }) => length > 0);
    if (lane === undefined) return undefined;
    const at = lane.reduce(
      (best, { key }, i) => this.#lastTurn(key) < this.#lastTurn(lane[best]!.key) ? i : best,
      0,
    );
    const [{ key, item }] = lane.splice(at, 1) as [Waiting<T>];
    this.#turns.set(key, ++this.#turn);
    if (this.size === 0) this.#turns.clear();
    return item;
  }

  /** Takes one out that no longer wants to wait. */
  remove(item: T): void {
    for (const lane of this.#lanes) {
      const at = lane.findIndex((one) => one.item === item);
      if (at >= 0) lane.splice(at, 1);
    }
  }

  #lastTurn(key: string): number {
    return this.#turns.get(key) ?? 0;
  }
}
