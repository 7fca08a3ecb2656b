import { BROKEN, INCOMPLETE } from "./escape.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** True for text without NUL: what a terminal could show. */
export function isShowable(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * The code point whose bytes begin at `at`; `INCOMPLETE` when they end early but may go on, `BROKEN` for what
 * isn't UTF-8.
 */
export function codePointAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return first;
  const length = lengthFrom(first);
  if (length === 0) return BROKEN;
  let point = first & (0x7f >> length);
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return INCOMPLETE;
    const [low, high] = i === 1 ? secondRange(first) : continuation;
    if (byte < low || byte > high) return BROKEN;
    point = point * 64 + (byte & 0x3f);
  }
  return point;
}

/** How many bytes a code point takes. */
export function lengthOf(point: number): number {
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}

function lengthFrom(first: number): number {
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

const continuation = [0x80, 0xbf] as const;
const secondRanges = new Map<number, readonly [number, number]>([
  [0xe0, [0xa0, 0xbf]], // shorter spellings exist
  [0xed, [0x80, 0x9f]], // surrogates
  [0xf0, [0x90, 0xbf]], // shorter spellings exist
  [0xf4, [0x80, 0x8f]], // beyond Unicode
]);

function secondRange(first: number): readonly [number, number] {
  return secondRanges.get(first) ?? continuation;
}
