import { endOfEscape, ESC, INCOMPLETE, isRedraw } from "./escape.ts";

const BACKSPACE = 8;
const NEWLINE = 10;
const RETURN = 13;
/** The first window that is looked at; each next one is twice as large. */
const WINDOW = 1024;

/**
 * Where the first thing stands, from `from` on, that may change what was written before it: a carriage return
 * that ends no line, a backspace, a sequence that moves or erases; or the beginning of what may be one, where the
 * bytes end inside it. The length of `bytes` when there is none, as in nearly all output: so this is made of few
 * searches, each of which the engine does at the speed of memory.
 */
export function findRedraw(bytes: Uint8Array, from = 0): number {
  const length = bytes.length;
  // A chunk that begins plain is taken to be plain: one window for all of it. What is near is found near.
  let size = from === 0 ? length : WINDOW;
  for (let start = from; start < length; start += size, size *= 2) {
    const end = Math.min(length, start + size);
    const found = findIn(bytes, start, end);
    if (found < end) return found;
  }
  return length;
}

function findIn(bytes: Uint8Array, start: number, end: number): number {
  const window = bytes.subarray(start, end);
  const backspace = window.indexOf(BACKSPACE);
  let first = backspace < 0 ? end : start + backspace;
  for (let i = window.indexOf(RETURN); i >= 0 && start + i < first; i = window.indexOf(RETURN, i + 1)) {
    if (bytes[start + i + 1] !== NEWLINE) first = start + i;
  }
  for (let i = window.indexOf(ESC); i >= 0 && start + i < first;) {
    const at = start + i;
    const escapeEnd = endOfEscape(bytes, at);
    if (escapeEnd === INCOMPLETE || (escapeEnd > 0 && isRedraw(bytes, { at, end: escapeEnd }))) first = at;
    i = window.indexOf(ESC, escapeEnd > 0 ? escapeEnd - start : i + 1);
  }
  return first;
}
