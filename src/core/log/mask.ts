/** What stands in the place of a secret. */
const replacement = new TextEncoder().encode("[redacted]");
/** Shorter values, and lines of values, are not masked: they would be found everywhere (contract 2). */
const shortest = 6;

/** What is looked for: the bytes of secrets, and tables that make most of a text be passed over unread. */
export interface MaskPlan {
  patterns: readonly Uint8Array[];
  /** Length of the shortest and of the longest pattern. */
  least: number;
  most: number;
  /** By byte: how far a window of `least` bytes that ends with it may move on before a pattern can begin in it. */
  shifts: Uint8Array;
  /** By byte: 1 where a pattern begins with it. */
  begins: Uint8Array;
}

/** Plans the search for the values of secrets, each line of a value by itself; undefined where nothing is to be masked. */
export function planMask(secrets: Iterable<string>): MaskPlan | undefined {
  const texts = new Set<string>();
  for (const value of secrets) {
    for (const line of value.split(/\r?\n|\r/)) if (line.length >= shortest) texts.add(line);
  }
  if (texts.size === 0) return undefined;
  const encoder = new TextEncoder();
  // Of several that begin at one place the longest is taken.
  const patterns = [...texts].map((text) => encoder.encode(text)).sort((a, b) => b.length - a.length);
  const most = patterns[0]!.length;
  const least = patterns.at(-1)!.length;
  const window = Math.min(least, 255);
  const shifts = new Uint8Array(256).fill(window);
  const begins = new Uint8Array(256);
  for (const pattern of patterns) {
    begins[pattern[0]!] = 1;
    for (let at = 0; at < window; at++) {
      shifts[pattern[at]!] = Math.min(shifts[pattern[at]!]!, window - 1 - at);
    }
  }
  return { patterns, least: window, most, shifts, begins };
}

/**
 * Masks secrets in a stream of bytes, also where one is spread over several chunks: the end of a chunk that could be
 * the beginning of a secret is held back until what follows is known.
 */
export class Masker {
  readonly #plan: MaskPlan;
  #held = new Uint8Array(0);

  constructor(plan: MaskPlan) {
    this.#plan = plan;
  }

  /** Takes a chunk, and hands on what is sure; `take` must be done with its bytes when it returns. */
  push(chunk: Uint8Array, take: (bytes: Uint8Array) => void): void {
    const bytes = this.#held.length === 0 ? chunk : joined(this.#held, chunk);
    const sure = this.#replace(bytes, this.#undecided(bytes, bytes.length - this.#plan.most + 1), take);
    this.#held = bytes.slice(sure);
  }

  /** The stream is over: hands on what was held back. */
  end(take: (bytes: Uint8Array) => void): void {
    this.#replace(this.#held, this.#held.length, take);
    this.#held = new Uint8Array(0);
  }

  /** Hands bytes on up to `sure`, secrets replaced; answers up to where that came, beyond it where a secret reaches further. */
  #replace(bytes: Uint8Array, sure: number, take: (bytes: Uint8Array) => void): number {
    const { shifts, least } = this.#plan;
    let after = 0;
    for (let end = least - 1; end < bytes.length;) {
      const start = end - least + 1;
      if (start >= sure) break;
      const shift = shifts[bytes[end]!]!;
      const found = shift > 0 ? 0 : this.#patternAt(bytes, start);
      if (found === 0) {
        end += Math.max(1, shift);
        continue;
      }
      if (start > after) take(bytes.subarray(after, start));
      take(replacement);
      after = start + found;
      if (after > sure) sure = this.#undecided(bytes, after);
      end = after + least - 1;
    }
    if (sure > after) take(bytes.subarray(after, sure));
    return sure;
  }

  /** Length of the longest pattern that stands at a place; 0: none. */
  #patternAt(bytes: Uint8Array, at: number): number {
    if (this.#plan.begins[bytes[at]!] === 0) return 0;
    for (const pattern of this.#plan.patterns) {
      if (at + pattern.length <= bytes.length && isAt(pattern, bytes, at)) return pattern.length;
    }
    return 0;
  }

  /** The first place from `from` on at which the rest of the bytes is the beginning of a pattern. */
  #undecided(bytes: Uint8Array, from: number): number {
    const { begins, patterns } = this.#plan;
    for (let at = Math.max(0, from); at < bytes.length; at++) {
      if (begins[bytes[at]!] === 0) continue;
      const left = bytes.length - at;
      if (patterns.some((pattern) => pattern.length > left && isAt(pattern.subarray(0, left), bytes, at))) {
        return at;
      }
    }
    return bytes.length;
  }
}

function isAt(pattern: Uint8Array, bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < pattern.length; i++) if (bytes[at + i] !== pattern[i]) return false;
  return true;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
