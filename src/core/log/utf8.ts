import { BROKEN, INCOMPLETE } from "./escape.ts";

/** True for text without NUL: what a terminal could show. */
export function isShowable(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length;) {
    const byte = bytes[i]!;
    if (byte > 0 && byte < 0x80) {
      i++;
      continue;
    }
    const point = byte === 0 ? BROKEN : codePointAt(bytes, i);
    if (point < 0) return false;
    i += lengthOf(point);
  }
  return true;
}

/** The bytes of a text; those of a short plain one without asking the engine. */
export function encodeText(text: string): Uint8Array {
  if (text.length > SHORT) return encoder.encode(text);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x80) return encoder.encode(text);
    bytes[i] = code;
  }
  return bytes;
}

const encoder = new TextEncoder();
const SHORT = 128;

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
    if (byte < 0x80 || byte > 0xbf || (i === 1 && !isSecond(first, byte))) return BROKEN;
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

/** False for longer spellings of what is shorter, for surrogates, and for what is beyond Unicode. */
function isSecond(first: number, byte: number): boolean {
  if (first === 0xe0) return byte >= 0xa0;
  if (first === 0xed) return byte <= 0x9f;
  if (first === 0xf0) return byte >= 0x90;
  return first !== 0xf4 || byte <= 0x8f;
}

/** How many bytes a text takes in UTF-8. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // Half of a pair counts two, which makes four of both.
    if (code >= 0x80) length += code >= 0x800 && (code & 0xf800) !== 0xd800 ? 2 : 1;
  }
  return length;
}
