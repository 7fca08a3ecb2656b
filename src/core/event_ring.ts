/** Events kept for clients that come back: the newest `size`, by ids that go up by one. */
export class EventRing<T> {
  readonly #size: number;
  /** By id modulo size. */
  readonly #items: T[] = [];
  readonly #first: number;
  #next: number;

  /** `firstId` must be above every id of an earlier life of the daemon, and not right behind one. */
  constructor(size: number, firstId: number) {
    this.#size = size;
    this.#first = firstId;
    this.#next = firstId;
  }

  /** The id that the next event gets. */
  get nextId(): number {
    return this.#next;
  }

  /** Takes in the event that has the id `nextId`. */
  push(item: T): void {
    this.#items[this.#next % this.#size] = item;
    this.#next++;
  }

  /** What came after an id that a client saw last, in order; undefined when the ring can't tell. */
  after(id: number): T[] | undefined {
    const oldest = Math.max(this.#first, this.#next - this.#size);
    if (!Number.isSafeInteger(id) || id >= this.#next || id < oldest - 1) return undefined;
    return Array.from({ length: this.#next - 1 - id }, (_, i) => this.#items[(id + 1 + i) % this.#size]!);
  }
}
