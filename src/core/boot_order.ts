/** What the order of services depends on. */
export interface Ordered {
  name: string;
  priority: number;
  dependsOn: readonly string[];
}

/** Compares services for boot: lowest priority first, then name (docs/behaviour.md#services). */
export function bootOrder(a: Ordered, b: Ordered): number {
  return a.priority - b.priority || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

/**
 * Groups services for shutdown, the reverse of boot: each group is stopped at once, the next when it has
 * ended. A service goes only after all that depend on it, and among those that may go the highest priority does.
 */
export function shutdownWaves<T extends Ordered>(services: readonly T[]): T[][] {
  const waves: T[][] = [];
  let left = [...services];
  while (left.length > 0) {
    const needed = new Set(left.flatMap((service) => service.dependsOn));
    const free = left.filter((service) => !needed.has(service.name));
    // A cycle can't come from a checked configuration; should there be one, it goes together.
    const candidates = free.length > 0 ? free : left;
    const highest = Math.max(...candidates.map((service) => service.priority));
    const wave = candidates.filter((service) => service.priority === highest).sort((a, b) => bootOrder(b, a));
    waves.push(wave);
    left = left.filter((service) => !wave.includes(service));
  }
  return waves;
}
