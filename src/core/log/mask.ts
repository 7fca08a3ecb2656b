import { endOfEscape, ESC, INCOMPLETE } from "./escape.ts";
import { secretForms } from "./secret_forms.ts";

/** What stands in the place of a secret. */
const replacement = new TextEncoder().encode("[redacted]");
/** More escape sequences than this inside of what could be a secret are none, in bytes. */
const mostBetween = 16_384;
const NONE = new Uint8Array(0);

/** What is looked for: the bytes of secrets, and tables that make most of a text be passed over unread. */
export interface MaskPlan {
  /** By first byte, the longest first. */
  patterns: readonly (readonly Uint8Array[] | undefined)[];
  /** Length of the window that is looked at, that of the shortest pattern, and length of the longest. */
  least: number;
  most: number;
  /** By the last two bytes of a window: how far it may move on before a pattern can begin in it. */
  shifts: Uint8Array;
}

/** Plans the search for the values of secrets, in all their forms; undefined where nothing is to be masked. */
export function planMask(secrets: Iterable<string>): MaskPlan | undefined {
  const texts = new Set<string>();
  for (const value of secrets) for (const form of secretForms(value)) texts.add(form);
  if (texts.size === 0) return undefined;
  const encoder = new TextEncoder();
  // Of several that begin at one place the longest is taken.
  const sorted = [...texts].map((text) => encoder.encode(text)).sort((a, b) => b.length - a.length);
  const least = Math.min(sorted.at(-1)!.length, 255);
  const shifts = new Uint8Array(PAIRS).fill(least - 1);
  const patterns: Uint8Array[][] = [];
  for (const pattern of sorted) {
    (patterns[pattern[0]!] ??= []).push(pattern);
    for (let at = 1; at < least; at++) {
      const pair = pairOf(pattern[at - 1]!, pattern[at]!);
      shifts[pair] = Math.min(shifts[pair]!, least - 1 - at);
    }
  }
  return { patterns, least, most: sorted[0]!.length, shifts };
}

const PAIRS = 8192;

function pairOf(first: number, second: number): number {
  return ((second << 5) ^ first) & (PAIRS - 1);
}

type Take = (bytes: Uint8Array) => void;

/**
 * Masks secrets in a stream of bytes, also where one is spread over several chunks, or escape sequences stand in the
 * middle of it: the end of a chunk that could be the beginning of a secret is held back until what follows is known.
 */
export class Masker {
  /** Something was masked. */
  hasMasked = false;
  readonly #plan: MaskPlan;
  #held = NONE;
  /** The same for what is looked through again without its escape sequences. */
  #between = NONE;

  constructor(plan: MaskPlan) {
    this.#plan = plan;
  }

  /** Takes a chunk, and hands on what is sure; `take` must be done with its bytes when it returns. */
  push(chunk: Uint8Array, take: Take): void {
    const bytes = joined(this.#held, chunk);
    const sure = this.#replace(bytes, undecided(this.#plan, bytes), take);
    this.#held = bytes.slice(sure);
  }

  /** The stream is over: hands on what was held back. */
  end(take: Take): void {
    this.#replace(this.#held, this.#held.length, take);
    this.#held = NONE;
    const between = this.#between;
    this.#between = NONE;
    if (between.length > 0) this.#replaceBetween(between, take, { isLast: true });
  }

  /** Hands bytes on up to `sure`, secrets replaced; answers up to where that came. */
  #replace(bytes: Uint8Array, sure: number, take: Take): number {
    let after = 0;
    const end = search(this.#plan, { bytes, sure }, (start, length) => {
      this.hasMasked = true;
      if (start > after) this.#look(bytes.subarray(after, start), take);
      this.#look(replacement, take);
      after = start + length;
    });
    if (end > after) this.#look(bytes.subarray(after, end), take);
    return end;
  }

  #look(bytes: Uint8Array, take: Take): void {
    if (this.#between.length === 0 && !hasEscape(bytes)) return take(bytes);
    const all = joined(this.#between, bytes);
    this.#between = NONE;
    this.#replaceBetween(all, take, { isLast: false });
  }

  /** Replaces secrets that have escape sequences inside, which are kept behind them. */
  #replaceBetween(bytes: Uint8Array, take: Take, { isLast }: { isLast: boolean }): void {
    const { plain, places, whole } = withoutSequences(bytes);
    let after = 0;
    const decided = isLast ? plain.length : undecided(this.#plan, plain);
    const end = search(this.#plan, { bytes: plain, sure: decided }, (start, length) => {
      this.hasMasked = true;
      take(bytes.subarray(after, places[start]!));
      take(replacement);
      for (let i = start + 1; i < start + length; i++) {
        if (places[i]! > places[i - 1]! + 1) take(bytes.subarray(places[i - 1]! + 1, places[i]!));
      }
      after = places[start + length - 1]! + 1;
    });
    let sure = end < plain.length ? places[end]! : isLast ? bytes.length : whole;
    if (bytes.length - sure > this.#plan.most + mostBetween) sure = bytes.length;
    if (sure > after) take(bytes.subarray(after, sure));
    this.#between = bytes.slice(sure);
  }
}

/** Bytes without the values of secrets: the same ones where there is nothing to mask. */
export function maskBytes(plan: MaskPlan, bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  const take = (part: Uint8Array): void => void parts.push(part);
  const masker = new Masker(plan);
  masker.push(bytes, take);
  masker.end(take);
  if (!masker.hasMasked) return bytes;
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A text without the values of secrets, given as they are or as a plan. */
export function maskText(text: string, secrets: Iterable<string> | MaskPlan | undefined): string {
  const plan = secrets !== undefined && Symbol.iterator in secrets ? planMask(secrets) : secrets;
  if (plan === undefined) return text;
  const bytes = new TextEncoder().encode(text);
  const masked = maskBytes(plan, bytes);
  return masked === bytes ? text : new TextDecoder("utf-8", { ignoreBOM: true }).decode(masked);
}

/** Tells of all patterns that begin before `sure`, which moves on where one reaches further; answers where it came to. */
function search(
  plan: MaskPlan,
  { bytes, sure }: { bytes: Uint8Array; sure: number },
  found: (start: number, length: number) => void,
): number {
  const { shifts, least } = plan;
  const { length } = bytes;
  for (let end = least - 1; end < length;) {
    const shift = shifts[((bytes[end]! << 5) ^ bytes[end - 1]!) & (PAIRS - 1)]!;
    if (shift > 0) {
      end += shift;
      continue;
    }
    const start = end - least + 1;
    if (start >= sure) break;
    const size = patternAt(plan, bytes, start);
    if (size === 0) {
      end++;
      continue;
    }
    found(start, size);
    if (start + size > sure) sure = undecided(plan, bytes, start + size);
    end = start + size + least - 1;
  }
  return sure;
}

/** Length of the longest pattern that stands at a place; 0: none. */
function patternAt({ patterns }: MaskPlan, bytes: Uint8Array, at: number): number {
  for (const pattern of patterns[bytes[at]!] ?? []) {
    if (at + pattern.length <= bytes.length && isAt(pattern, bytes, at)) return pattern.length;
  }
  return 0;
}

/** The first place from `from` on at which the rest of the bytes is the beginning of a pattern. */
function undecided({ patterns, most }: MaskPlan, bytes: Uint8Array, from = 0): number {
  for (let at = Math.max(from, bytes.length - most + 1); at < bytes.length; at++) {
    const left = bytes.length - at;
    for (const pattern of patterns[bytes[at]!] ?? []) {
      if (pattern.length > left && isAt(pattern.subarray(0, left), bytes, at)) return at;
    }
  }
  return bytes.length;
}

/** Whether an escape is among bytes: four are looked at in one step, which is three times as fast as to ask the engine. */
function hasEscape(bytes: Uint8Array): boolean {
  const head = (4 - (bytes.byteOffset & 3)) & 3;
  if (bytes.length < head + 64) return bytes.includes(ESC);
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + head, (bytes.length - head) >>> 2);
  for (let i = 0; i < words.length; i++) {
    const word = words[i]! ^ 0x1b1b1b1b;
    if (((word - 0x01010101) & ~word & 0x80808080) !== 0) return true;
  }
  return bytes.subarray(0, head).includes(ESC) || bytes.subarray(head + 4 * words.length).includes(ESC);
}

/** The bytes that are no escape sequences, where each stood, and where a sequence begins that isn't there as a whole. */
function withoutSequences(bytes: Uint8Array): { plain: Uint8Array; places: Uint32Array; whole: number } {
  let whole = bytes.length;
  const plain = new Uint8Array(bytes.length);
  const places = new Uint32Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length;) {
    if (bytes[at] !== ESC) {
      plain[length] = bytes[at]!;
      places[length++] = at++;
      continue;
    }
    const end = endOfEscape(bytes, at);
    if (end === INCOMPLETE) {
      whole = at;
      break;
    }
    at = end > 0 ? end : endOfBroken(bytes, at);
  }
  return { plain: plain.subarray(0, length), places, whole };
}

/** Where something ends that begins like a sequence and is none: viewers show nothing of it (see `withoutEscapes`). */
function endOfBroken(bytes: Uint8Array, at: number): number {
  const kind = bytes[at + 1] ?? 0;
  const isString = kind === 0x5d || kind === 0x50 || kind === 0x58 || kind === 0x5e || kind === 0x5f;
  const most = isString ? 0xff : kind === 0x5b ? 0x3f : 0x2f;
  let end = at + (isString || kind === 0x5b ? 2 : 1);
  while (
    end < bytes.length && (bytes[end]! >= 0x20 ? bytes[end]! <= most : isString && isInString(bytes[end]!))
  ) end++;
  return end;
}

/** What ends no string, though it is a control character. */
function isInString(byte: number): boolean {
  return byte !== 0x0a && byte !== 0x07 && byte !== ESC;
}

function isAt(pattern: Uint8Array, bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < pattern.length; i++) if (bytes[at + i] !== pattern[i]) return false;
  return true;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
