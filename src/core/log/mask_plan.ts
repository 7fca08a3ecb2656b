import { beginsUnseen, endOfUnseen, page } from "./unseen.ts";
import { secretForms } from "./secret_forms.ts";

/** The bytes of a form of a secret. */
export interface Pattern {
  readonly bytes: Uint8Array;
  /** It may be broken into lines (see `narrowest`). */
  readonly wraps: boolean;
  /** Nothing in it is hidden by viewers: it is seen whole where what they hide stands in the middle of it. */
  readonly isSeen: boolean;
}

/** What is looked for: the bytes of secrets, and tables that make most of a text be passed over unread. */
export interface MaskPlan {
  /** By first byte, the longest first. */
  readonly patterns: readonly (readonly Pattern[] | undefined)[];
  /** Length of the window that is looked at, at most that of the shortest pattern, and the most bytes that one takes. */
  readonly least: number;
  readonly most: number;
  /** By the last two bytes of a window: how far it may move on before a pattern can begin in it. */
  readonly shifts: Uint8Array;
  /** By two bytes: a bit that is set where they follow each other in a pattern. */
  readonly pairs: Uint8Array;
}

/** Base64 is broken into lines of 76, 64 and the like; shorter ones are none. */
export const narrowest = 32;
export const NEWLINE = 10;
export const RETURN = 13;
const PAIRS = 8192;

/** Where a table has its entry for two bytes that follow each other. */
export function pairOf(first: number, second: number): number {
  return ((second << 5) ^ first) & (PAIRS - 1);
}

/** Plans the search for the values of secrets, in all their forms; undefined where nothing is to be masked. */
export function planMask(secrets: Iterable<string>): MaskPlan | undefined {
  const forms = new Map<string, boolean>();
  for (const value of secrets) for (const [form, wraps] of secretForms(value)) forms.set(form, wraps);
  if (forms.size === 0) return undefined;
  const encoder = new TextEncoder();
  // Of several that begin at one place the longest is taken.
  const sorted = [...forms].map(([form, wraps]) => patternOf(encoder.encode(form), wraps))
    .sort((a, b) => b.bytes.length - a.bytes.length);
  const least = Math.min(sorted.at(-1)!.bytes.length, narrowest);
  const shifts = new Uint8Array(PAIRS).fill(least - 1);
  const pairs = new Uint8Array(PAIRS >> 3);
  const patterns: Pattern[][] = [];
  for (const pattern of sorted) {
    const { bytes } = pattern;
    (patterns[bytes[0]!] ??= []).push(pattern);
    noteShifts(shifts, pattern, least);
    for (let at = 1; at < bytes.length; at++) {
      const pair = pairOf(bytes[at - 1]!, bytes[at]!);
      pairs[pair >> 3]! |= 1 << (pair & 7);
    }
  }
  const longest = sorted[0]!.bytes.length;
  return { patterns, least, most: longest + 2 * Math.ceil(longest / narrowest), shifts, pairs };
}

function patternOf(bytes: Uint8Array, wraps: boolean): Pattern {
  const isSeen = bytes.every((byte, at) => beginsUnseen[byte] === 0 || endOfUnseen(bytes, at, page) === at);
  return { bytes, wraps, isSeen };
}

/** In the first `least` bytes there is one line break at most. */
function noteShifts(shifts: Uint8Array, { bytes, wraps }: Pattern, least: number): void {
  const note = (first: number, second: number, at: number): void => {
    const pair = pairOf(first, second);
    if (at < least) shifts[pair] = Math.min(shifts[pair]!, least - 1 - at);
  };
  for (let at = 1; at < least; at++) {
    const before = bytes[at - 1]!;
    const byte = bytes[at]!;
    note(before, byte, at);
    if (!wraps) continue;
    note(before, NEWLINE, at);
    note(before, RETURN, at);
    note(RETURN, NEWLINE, at + 1);
    for (const more of [1, 2]) {
      note(NEWLINE, byte, at + more);
      if (at > 1) note(before, byte, at + more);
    }
  }
}
