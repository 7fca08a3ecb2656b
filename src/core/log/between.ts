import { bytesBeforeWords, concat, wordsOf } from "../bytes.ts";
import { endOfColour, ESC, INCOMPLETE, MAX_ESCAPE } from "./escape.ts";
import { type MaskPlan, pairOf, type Pattern } from "./mask_plan.ts";
import { beginsUnseen, endOfUnseen, page, type Reading, readings } from "./unseen.ts";

/** Where more than this that nobody sees stands between two bytes of a secret, or in all of it, it is none. */
const mostBetweenTwo = MAX_ESCAPE;
const mostBetween = 65_536;
const NONE = new Uint8Array(0);

type Take = (bytes: Uint8Array) => void;

/** A secret with what nobody sees inside: where it begins and ends, and from where to where what is kept. */
interface Spread {
  start: number;
  end: number;
  kept: readonly (readonly [from: number, to: number])[];
}

/**
 * Masks secrets that are whole only to who sees them: control characters, commands to a terminal, or characters
 * without width stand between their bytes. These are kept, behind what stands for the secret. Where nothing of the
 * kind is in a piece it costs a look at each four bytes; where something is, the bytes before it must be the beginning
 * of a secret before anything more is done.
 */
export class BetweenMasker {
  /** Something was masked. */
  hasMasked = false;
  readonly #plan: MaskPlan;
  readonly #replacement: Uint8Array;
  #held = NONE;

  constructor(plan: MaskPlan, replacement: Uint8Array) {
    this.#plan = plan;
    this.#replacement = replacement;
  }

  /** What is held back, for a journal: as base64. */
  get state(): string {
    return this.#held.toBase64();
  }

  restore(held: string): void {
    this.#held = Uint8Array.fromBase64(held);
  }

  /** Takes bytes in which no secret stands as it is, and which don't end with the beginning of one. */
  push(bytes: Uint8Array, take: Take): void {
    const all = concat([this.#held, bytes]);
    this.#held = NONE;
    this.#replace(all, take, { isLast: false });
  }

  /** The stream is over: hands on what was held back. */
  end(take: Take): void {
    const held = this.#held;
    this.#held = NONE;
    if (held.length > 0) this.#replace(held, take, { isLast: true });
  }

  #replace(bytes: Uint8Array, take: Take, { isLast }: { isLast: boolean }): void {
    const words = wordsOf(bytes);
    let after = 0;
    /** Where the bytes begin that are seen right before a place. */
    let seen = 0;
    for (let at = nextUnseen(bytes, words, 0); at < bytes.length; at = nextUnseen(bytes, words, at)) {
      const end = (bytes[at] === ESC && endOfColour(bytes, at)) || endOfUnseen(bytes, at, page);
      if (end === at) {
        at++;
        continue;
      }
      const found = at > seen && this.#mayGoOn(bytes, at)
        ? this.#spreadOver(bytes, { seen, at, isLast })
        : INCOMPLETE;
      if (typeof found === "object") {
        this.#mask(bytes, { after, found, take });
        after = seen = at = found.end;
        continue;
      }
      const held = found !== INCOMPLETE ? found : end === INCOMPLETE && !isLast ? at : INCOMPLETE;
      if (held !== INCOMPLETE) {
        if (held > after) take(bytes.subarray(after, held));
        this.#held = bytes.slice(held);
        return;
      }
      seen = at = end === INCOMPLETE ? bytes.length : end;
    }
    if (after === 0) take(bytes);
    else if (after < bytes.length) take(bytes.subarray(after));
  }

  #mask(bytes: Uint8Array, { after, found, take }: { after: number; found: Spread; take: Take }): void {
    this.hasMasked = true;
    if (found.start > after) take(bytes.subarray(after, found.start));
    take(this.#replacement);
    for (const [from, to] of found.kept) take(bytes.subarray(from, to));
  }

  /** Whether the bytes before a place may be in a pattern: seldom, where they are not. */
  #mayGoOn(bytes: Uint8Array, at: number): boolean {
    const { patterns, pairs } = this.#plan;
    const last = bytes[at - 1]!;
    if (patterns[last] !== undefined) return true;
    if (at === 1) return false;
    const pair = pairOf(bytes[at - 2]!, last);
    return (pairs[pair >> 3]! & (1 << (pair & 7))) !== 0;
  }

  /**
   * The first secret that stands before and behind something unseen at `at`, of which what is before it begins at
   * `seen` or later; or where one begins of which it isn't known yet; `INCOMPLETE`: neither.
   */
  #spreadOver(
    bytes: Uint8Array,
    { seen, at, isLast }: { seen: number; at: number; isLast: boolean },
  ): Spread | number {
    const { patterns, most } = this.#plan;
    for (let start = Math.max(seen, at - most); start < at; start++) {
      const own = patterns[bytes[start]!];
      if (own === undefined) continue;
      const found = longestOf(own, bytes, { start, at, isLast });
      if (found !== undefined) return found;
    }
    return INCOMPLETE;
  }
}

/** The longest of patterns that begins at `start` and goes on behind `at`; `start` where that isn't known yet. */
function longestOf(
  patterns: readonly Pattern[],
  bytes: Uint8Array,
  { start, at, isLast }: { start: number; at: number; isLast: boolean },
): Spread | number | undefined {
  for (const pattern of patterns) {
    if (!pattern.isSeen || !goesUpTo(pattern, bytes, { start, at })) continue;
    let found: Spread | undefined;
    for (const reading of readings) {
      const one = spreadOf(pattern, bytes, { start, reading });
      if (one === INCOMPLETE && !isLast) return start;
      if (typeof one === "object") found ??= one;
    }
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a pattern begins with all that is seen from `start` up to `at`, and is longer. */
function goesUpTo(
  { bytes: wanted }: Pattern,
  bytes: Uint8Array,
  { start, at }: { start: number; at: number },
): boolean {
  const length = at - start;
  if (wanted.length <= length) return false;
  for (let i = length - 1; i >= 0; i--) if (bytes[start + i] !== wanted[i]) return false;
  return true;
}

/** A pattern as it stands at a place to who reads it so; `INCOMPLETE` where the bytes end inside it, 0 where it doesn't. */
function spreadOf(
  { bytes: wanted }: Pattern,
  bytes: Uint8Array,
  { start, reading }: { start: number; reading: Reading },
): Spread | typeof INCOMPLETE | 0 {
  const kept: [number, number][] = [];
  let between = 0;
  let at = start;
  for (const byte of wanted) {
    const from = at;
    at = endOfAllUnseen(bytes, at, reading);
    if (at === INCOMPLETE) return INCOMPLETE;
    between += at - from;
    if (at - from > mostBetweenTwo || between > mostBetween || bytes[at] !== byte) return 0;
    if (at > from) kept.push([from, at]);
    at++;
  }
  return { start, end: at, kept };
}

/** Where something comes that is seen; `INCOMPLETE` where nothing does, unless so much was passed that it doesn't matter. */
function endOfAllUnseen(bytes: Uint8Array, from: number, reading: Reading): number {
  let at = from;
  while (at - from <= mostBetweenTwo) {
    if (at >= bytes.length) return INCOMPLETE;
    const end = endOfUnseen(bytes, at, reading);
    if (end === at || end === INCOMPLETE) return end;
    at = end;
  }
  return at;
}

/** The first place from `from` on where something unseen may begin: four bytes are looked at in one step. */
function nextUnseen(bytes: Uint8Array, words: Uint32Array, from: number): number {
  const { length } = bytes;
  const offset = bytesBeforeWords(bytes);
  for (let at = from; at < length;) {
    if (((at - offset) & 3) === 0 && at >= offset) {
      at = offset + 4 * skipSeen(words, (at - offset) >> 2);
      if (at >= length) break;
    }
    if (beginsUnseen[bytes[at]!] !== 0) return at;
    at++;
  }
  return length;
}

/** The index of the first word, from `from` on, in which something unseen may begin. */
function skipSeen(words: Uint32Array, from: number): number {
  const { length } = words;
  for (let i = from; i < length; i++) {
    const word = words[i]!;
    // A top bit for each byte below 32, for each newline, and for each from 127 on: nothing is carried over.
    const low = ~(word << 1 | word << 2);
    const newlines = ~((((word & 0x7f7f7f7f) ^ 0x0a0a0a0a) + 0x7f7f7f7f) | word);
    const high = ((word & 0x7f7f7f7f) + 0x01010101) | word;
    if (((low & ~newlines | high) & 0x80808080) === 0) continue;
    if (
      (beginsUnseen[word & 0xff]! | beginsUnseen[word >>> 8 & 0xff]! | beginsUnseen[word >>> 16 & 0xff]! |
        beginsUnseen[word >>> 24]!) !== 0
    ) return i;
  }
  return length;
}
