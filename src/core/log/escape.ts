/** The longest escape sequence, in bytes: what is longer is text. */
export const MAX_ESCAPE = 4096;
/** The bytes end inside a sequence. */
export const INCOMPLETE = -1;
/** No sequence begins here: its first byte means nothing. */
export const BROKEN = -2;

export const ESC = 0x1b;
const BEL = 0x07;

/**
 * Where the escape sequence ends that begins at `at`, or `INCOMPLETE`, or `BROKEN`. No sequence holds a line end
 * or another control character, so that a broken one costs nothing beyond its line.
 */
export function endOfEscape(bytes: Uint8Array, at: number): number {
  const kind = bytes[at + 1];
  if (kind === undefined) return INCOMPLETE;
  if (kind === 0x5b) return endBy(bytes, { at, from: at + 2, through: 0x3f, final: 0x40 });
  // OSC, DCS, SOS, PM, APC
  if (kind === 0x5d || kind === 0x50 || kind === 0x58 || kind === 0x5e || kind === 0x5f) {
    return endOfString(bytes, at);
  }
  return endBy(bytes, { at, from: at + 1, through: 0x2f, final: 0x30 });
}

/** Bytes from space to `through`, then one from `final` to tilde. */
function endBy(
  bytes: Uint8Array,
  { at, from, through, final }: { at: number; from: number; through: number; final: number },
): number {
  for (let i = from; i - at < MAX_ESCAPE; i++) {
    const byte = bytes[i];
    if (byte === undefined) return INCOMPLETE;
    if (byte >= 0x20 && byte <= through) continue;
    return byte >= final && byte <= 0x7e ? i + 1 : BROKEN;
  }
  return BROKEN;
}

function endOfString(bytes: Uint8Array, at: number): number {
  for (let i = at + 2; i - at < MAX_ESCAPE; i++) {
    const byte = bytes[i];
    if (byte === undefined) return INCOMPLETE;
    if (byte >= 0x20) continue;
    if (byte === BEL) return i + 1;
    if (byte !== ESC) return BROKEN;
    if (bytes[i + 1] === undefined) return INCOMPLETE;
    return bytes[i + 1] === 0x5c ? i + 2 : BROKEN;
  }
  return BROKEN;
}

/** Where a colour sequence ends, the only one that plain output is full of; 0 for all else. */
export function endOfColour(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] !== 0x5b) return 0;
  for (let i = at + 2; i < at + 32; i++) {
    const byte = bytes[i]!;
    if (byte === SGR) return i + 1;
    if (!(byte >= 0x30 && byte <= 0x3b)) return 0;
  }
  return 0;
}

/** A whole control sequence: its numbers, and its last character, after `?` where the numbers follow one. */
export interface Control {
  name: string;
  numbers: number[];
}

/** The control sequence (CSI) from `at` up to `end`; undefined for other escapes and spellings we don't know. */
export function controlOf(bytes: Uint8Array, { at, end }: { at: number; end: number }): Control | undefined {
  if (bytes[at + 1] !== 0x5b) return undefined;
  const isPrivate = bytes[at + 2] === 0x3f;
  const numbers: number[] = [];
  let number = 0;
  for (let i = at + (isPrivate ? 3 : 2); i < end - 1; i++) {
    const byte = bytes[i] ?? 0;
    if (byte >= 0x30 && byte <= 0x39) {
      number = Math.min(99_999, number * 10 + byte - 0x30);
    } else if (byte === 0x3b) {
      numbers.push(number);
      number = 0;
    } else {
      return undefined;
    }
  }
  numbers.push(number);
  const final = String.fromCharCode(bytes[end - 1] ?? 0);
  return { name: isPrivate ? `?${final}` : final, numbers };
}

/** Whether a private mode shows the cursor (true) or hides it (false): who hides it will draw over what is there. */
export function cursorMode({ name, numbers }: Control): boolean | undefined {
  return (name === "?h" || name === "?l") && numbers.includes(25) ? name === "?h" : undefined;
}

/** True for the private modes that switch to the alternate screen and back. */
export function isAlternate({ name, numbers }: Control): boolean {
  return (name === "?h" || name === "?l") && numbers.some((n) => n === 47 || n === 1047 || n === 1049);
}

/**
 * True when the sequence from `at` up to `end` may change what was written before it, coming at the end of a line.
 * Colours, titles, links, modes, and what erases behind the end of the line, do not.
 */
export function isRedraw(bytes: Uint8Array, { at, end }: { at: number; end: number }): boolean {
  if (bytes[at + 1] !== 0x5b) return end === at + 2 && shortMovers.has(bytes[at + 1] ?? 0);
  const final = bytes[end - 1] ?? 0;
  if (final === SGR) return false;
  const control = controlOf(bytes, { at, end });
  if (control === undefined) return false;
  const { name, numbers: [first = 0] } = control;
  // To clear the screen begins something new: what was written before stays a line.
  if (name === "J") return first === 1;
  if (name === "K") return first === 1 || first === 2;
  return movers.has(name) || (name === "?h" && isAlternate(control));
}

/** The last byte of a sequence that sets colours or weight. */
export const SGR = 0x6d;
const movers = new Set("ABCDEFGHfdsu`aeXP@LMbSTr");
/** Save and restore the cursor, one down, next line, one up. */
const shortMovers = new Set([..."78DEM"].map((char) => char.charCodeAt(0)));
