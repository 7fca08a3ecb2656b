/// <reference lib="dom" />
import { type Signal, signal } from "@preact/signals";

/** A set of words that this browser remembers under a name, the newest `most` of them. */
export function rememberedSet(
  name: string,
  most: number,
): { value: Signal<ReadonlySet<string>>; keep: (next: Iterable<string>) => void } {
  const key = `svc.${name}`;
  const value = signal<ReadonlySet<string>>(new Set(read(key)));
  return {
    value,
    keep: (next) => {
      const words = [...next].slice(-most);
      value.value = new Set(words);
      try {
        localStorage.setItem(key, JSON.stringify(words));
      } catch {
        // No room, or none allowed: it is remembered for as long as the page is open.
      }
    },
  };
}

function read(key: string): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(found) ? found.filter((word) => typeof word === "string") : [];
  } catch {
    return [];
  }
}
