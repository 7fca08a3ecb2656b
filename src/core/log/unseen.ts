import { INCOMPLETE, MAX_ESCAPE } from "./escape.ts";

const NEWLINE = 0x0a;
const ESC = 0x1b;
const BEL = 0x07;

/** How a viewer reads what it shows nothing of: they differ in 8-bit commands, and in commands that lack their end. */
export interface Reading {
  /** `U+009B` and the like begin commands, and are no single characters. */
  has8Bit: boolean;
  /** What begins a command and lacks its end is left out as far as it goes, and not its first two characters alone. */
  isLenient: boolean;
}

/** The page (see ui/log/ansi.ts): of all that is left out, this leaves out the least. */
export const page: Reading = { has8Bit: false, isLenient: false };

/** `withoutEscapes`, then the command line's `printable`, then the page. */
export const readings: readonly Reading[] = [
  { has8Bit: true, isLenient: true },
  { has8Bit: false, isLenient: true },
  page,
];

/** Not 0 for bytes with which something can begin that no viewer shows: all others need not be looked at. */
export const beginsUnseen: Uint8Array = new Uint8Array(256);
beginsUnseen.fill(1, 0, 0x20);
for (const byte of [0x7f, 0xc2, 0xd8, 0xe2, 0xef]) beginsUnseen[byte] = 1;
// A tab is a blank, and a newline ends what is seen together.
beginsUnseen[0x09] = beginsUnseen[NEWLINE] = 0;

/**
 * Where something ends that begins at `at` and of which a viewer shows nothing: a control character, a command to a
 * terminal, a character without width or one that turns the direction of writing. `at` itself where it is shown,
 * `INCOMPLETE` where the bytes end inside it. Nothing is longer than `MAX_ESCAPE`: what goes on after that is text.
 */
export function endOfUnseen(bytes: Uint8Array, at: number, reading: Reading): number {
  const first = bytes[at]!;
  if (beginsUnseen[first] === 0) return at;
  if (first < 0x80 && first !== ESC) return at + 1;
  const second = bytes[at + 1];
  if (second === undefined) return INCOMPLETE;
  if (first === ESC) return endOfCommand(bytes, { at, kind: second }, reading);
  if (first === 0xc2) {
    const is8Bit = reading.has8Bit && second >= 0x90 && second <= 0x9f;
    if (is8Bit && (commands.has(second - 0x40))) {
      return endOfCommand(bytes, { at, kind: second - 0x40 }, reading);
    }
    return (second >= 0x80 && second <= 0x9f) || second === 0xad ? at + 2 : at;
  }
  if (first === 0xd8) return second === 0x9c ? at + 2 : at;
  if (second !== (first === 0xef ? 0xbb : second & 1 | 0x80)) return at;
  const third = bytes[at + 2];
  if (third === undefined) return INCOMPLETE;
  return isUnseenEnd(first, second, third) ? at + 3 : at;
}

/** The last byte of U+FEFF, of U+200B to U+200F and U+202A to U+202E, and of U+2060 to U+206F. */
function isUnseenEnd(first: number, second: number, third: number): boolean {
  if (first === 0xef) return third === 0xbf;
  if (second === 0x81) return third >= 0xa0 && third <= 0xaf;
  return (third >= 0x8b && third <= 0x8f) || (third >= 0xaa && third <= 0xae);
}

const BRACKET = 0x5b;
/** OSC, DCS, SOS, PM, APC: their text is not shown. */
const strings = new Set([0x5d, 0x50, 0x58, 0x5e, 0x5f]);
const commands = new Set([BRACKET, ...strings]);

function endOfCommand(
  bytes: Uint8Array,
  { at, kind }: { at: number; kind: number },
  reading: Reading,
): number {
  if (kind === BRACKET) return endOfControl(bytes, at, reading);
  if (strings.has(kind)) return endOfString(bytes, at, reading);
  const last = skip(bytes, { at, from: at + 1, low: 0x20, high: 0x2f });
  const byte = bytes[last];
  if (byte === undefined) return INCOMPLETE;
  if (byte >= 0x30 && byte <= 0x7e) return last + 1;
  return reading.isLenient ? last : at + 1;
}

/** Parameters, intermediates, and the last character. */
function endOfControl(bytes: Uint8Array, at: number, { isLenient }: Reading): number {
  const from = skip(bytes, { at, from: at + 2, low: 0x30, high: 0x3f });
  const last = skip(bytes, { at, from, low: 0x20, high: 0x2f });
  const byte = bytes[last];
  if (byte === undefined) return INCOMPLETE;
  if (byte >= 0x40 && byte <= 0x7e && last - at < MAX_ESCAPE) return last + 1;
  return isLenient ? last : at + 2;
}

function skip(
  bytes: Uint8Array,
  { at, from, low, high }: { at: number; from: number; low: number; high: number },
): number {
  let end = from;
  while (end - at < MAX_ESCAPE && bytes[end]! >= low && bytes[end]! <= high) end++;
  return end;
}

function endOfString(bytes: Uint8Array, at: number, { isLenient, has8Bit }: Reading): number {
  let end = at + 2;
  for (; end - at < MAX_ESCAPE; end++) {
    const byte = bytes[end];
    if (byte === undefined) return INCOMPLETE;
    if (byte === BEL) return end + 1;
    if (byte === NEWLINE) break;
    if (byte !== ESC && byte !== 0xc2) continue;
    const next = bytes[end + 1];
    if (next === undefined) return INCOMPLETE;
    if (byte === ESC) {
      if (next === 0x5c) return end + 2;
      break;
    }
    if (has8Bit && next === 0x9c) return end + 2;
  }
  return isLenient ? end : at + 2;
}
