/** A binary heap: the entry with the least `at` comes first, of several the one with the least `name`. */
export class Heap<T extends { at: number; name: string }> {
  readonly #items: T[] = [];

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!goesBefore(item, items[parent]!)) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (first === undefined || last === undefined || items.length === 0) return first;
    let at = 0;
    while (true) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && goesBefore(items[child + 1]!, items[child]!)) child++;
      if (!goesBefore(items[child]!, last)) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = last;
    return first;
  }
}

function goesBefore(a: { at: number; name: string }, b: { at: number; name: string }): boolean {
  return a.at < b.at || (a.at === b.at && a.name < b.name);
}
