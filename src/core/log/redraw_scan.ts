import { bytesBeforeWords, wordsOf } from "../bytes.ts";
import { controlOf, cursorMode, endOfColour, endOfEscape, ESC, INCOMPLETE, isRedraw } from "./escape.ts";

const BACKSPACE = 8;
const NEWLINE = 10;
const RETURN = 13;
const QUESTION = 0x3f;

/**
 * Where the first thing stands, from `from` on, that may change what was written before it: a carriage return
 * that ends no line, a backspace, a sequence that moves or erases; or the beginning of what may be one, where the
 * bytes end inside it; or what shows the cursor where it is hidden, or hides it. The length of `bytes` when there is
 * none, as in nearly all output: four bytes are looked at in one step where none of them is a control character.
 */
export function findRedraw(bytes: Uint8Array, { from = 0, isCursorHidden = false } = {}): number {
  const { length } = bytes;
  const words = wordsOf(bytes);
  const offset = bytesBeforeWords(bytes);
  for (let i = from; i < length;) {
    if (((i - offset) & 3) === 0 && i >= offset) {
      i = offset + 4 * skipPlain(words, (i - offset) >> 2);
      if (i >= length) break;
    }
    const byte = bytes[i]!;
    if (byte === ESC) {
      const end = endOfColour(bytes, i);
      if (end > 0) {
        i = end;
        continue;
      }
      const escapeEnd = endOfEscape(bytes, i);
      if (escapeEnd === INCOMPLETE || (escapeEnd > 0 && isRedraw(bytes, { at: i, end: escapeEnd }))) return i;
      if (bytes[i + 2] === QUESTION && cursorModeAt(bytes, i) === isCursorHidden) return i;
      i = escapeEnd > 0 ? escapeEnd : i + 1;
      continue;
    }
    if (byte === BACKSPACE || (byte === RETURN && bytes[i + 1] !== NEWLINE)) return i;
    i++;
  }
  return length;
}

/** Whether a sequence at a place shows the cursor (true) or hides it (false). */
export function cursorModeAt(bytes: Uint8Array, at: number): boolean | undefined {
  const end = endOfEscape(bytes, at);
  const control = end > 0 ? controlOf(bytes, { at, end }) : undefined;
  return control === undefined ? undefined : cursorMode(control);
}

/** The index of the first word, from `from` on, in which a byte is one of those that count; the number of words if none is. */
function skipPlain(words: Uint32Array, from: number): number {
  const { length } = words;
  for (let i = from; i < length; i++) {
    const word = words[i]!;
    // A top bit for each byte below 32, and sometimes for the one above it.
    const controls = (word - 0x20202020) & ~word & 0x80808080;
    if (controls === 0) continue;
    // Most are newlines alone. (What may be taken for one is 11, behind a newline, and counts as little.)
    if ((controls & ~zeros(word ^ 0x0a0a0a0a)) === 0) continue;
    if ((zeros(word ^ 0x1b1b1b1b) | zeros(word ^ 0x0d0d0d0d) | zeros(word ^ 0x08080808)) !== 0) return i;
  }
  return length;
}

/** A top bit for each zero byte, and sometimes for the one above it. */
function zeros(word: number): number {
  return (word - 0x01010101) & ~word & 0x80808080;
}
