import { concat } from "../bytes.ts";
import { BetweenMasker } from "./between.ts";
import { INCOMPLETE } from "./escape.ts";
import { type MaskPlan, narrowest, NEWLINE, pairOf, type Pattern, planMask, RETURN } from "./mask_plan.ts";

/** What stands in the place of a secret. */
const replacement = new TextEncoder().encode("[redacted]");
const NONE = new Uint8Array(0);

/** Takes bytes, with which it must be done when it returns. */
type Take = (bytes: Uint8Array) => void;

/**
 * Masks secrets in a stream of bytes, also where one is spread over several chunks, or something that nobody sees
 * stands in the middle of it: the end of a chunk that could be the beginning of a secret is held back until what
 * follows is known.
 */
export class Masker {
  readonly #plan: MaskPlan;
  readonly #between: BetweenMasker;
  #hasMasked = false;
  #held = NONE;

  constructor(plan: MaskPlan) {
    this.#plan = plan;
    this.#between = new BetweenMasker(plan, replacement);
  }

  /** What is held back, for a journal: as base64. */
  get state(): { held: string; between: string } {
    return { held: this.#held.toBase64(), between: this.#between.state };
  }

  restore({ held, between }: { held: string; between: string }): void {
    this.#held = Uint8Array.fromBase64(held);
    this.#between.restore(between);
  }

  /** Something was masked. */
  get hasMasked(): boolean {
    return this.#hasMasked || this.#between.hasMasked;
  }

  /** Takes a chunk, and hands on what is sure; `take` must be done with its bytes when it returns. */
  push(chunk: Uint8Array, take: Take): void {
    const bytes = concat([this.#held, chunk]);
    const sure = this.#replace(bytes, undecided(this.#plan, bytes), take);
    this.#held = bytes.slice(sure);
  }

  /** The stream is over: hands on what was held back. */
  end(take: Take): void {
    this.#replace(this.#held, this.#held.length, take);
    this.#held = NONE;
    this.#between.end(take);
  }

  /** Hands bytes on up to `sure`, secrets replaced; answers up to where that came. */
  #replace(bytes: Uint8Array, sure: number, take: Take): number {
    let after = 0;
    const end = search(this.#plan, { bytes, sure }, (start, end) => {
      this.#hasMasked = true;
      if (start > after) this.#between.push(bytes.subarray(after, start), take);
      this.#between.push(replacement, take);
      // The lines stay as many as they were.
      const breaks = bytes.subarray(start, end).filter((byte) => byte === NEWLINE || byte === RETURN);
      if (breaks.length > 0) this.#between.push(breaks, take);
      after = end;
    });
    if (end > after) this.#between.push(bytes.subarray(after, end), take);
    return end;
  }
}

/** Bytes without the values of secrets: the same ones where there is nothing to mask. */
export function maskBytes(plan: MaskPlan, bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  const take = (part: Uint8Array): void => void parts.push(part);
  const masker = new Masker(plan);
  masker.push(bytes, take);
  masker.end(take);
  return masker.hasMasked ? concat(parts) : bytes;
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
  found: (start: number, end: number) => void,
): number {
  const { shifts, least } = plan;
  const { length } = bytes;
  for (let at = least - 1; at < length;) {
    const shift = shifts[pairOf(bytes[at - 1]!, bytes[at]!)]!;
    if (shift > 0) {
      at += shift;
      continue;
    }
    const start = at - least + 1;
    if (start >= sure) break;
    const end = endOfAny(plan, bytes, start);
    if (end <= 0) {
      at++;
      continue;
    }
    found(start, end);
    if (end > sure) sure = undecided(plan, bytes, end);
    at = end + least - 1;
  }
  return sure;
}

/** Where the longest pattern ends that stands at a place as a whole; 0: none. */
function endOfAny({ patterns }: MaskPlan, bytes: Uint8Array, at: number): number {
  for (const pattern of patterns[bytes[at]!] ?? []) {
    const end = endOfPattern(pattern, bytes, at);
    if (end > 0) return end;
  }
  return 0;
}

/**
 * The first place from `from` on at which the rest of the bytes is the beginning of a pattern. A return at their end
 * may break one into lines, or stand unseen inside another that begins before it: what is before it decides.
 */
function undecided({ patterns, most }: MaskPlan, bytes: Uint8Array, from = 0): number {
  const known = bytes.at(-1) === RETURN ? bytes.subarray(0, -1) : bytes;
  for (let at = Math.max(from, known.length - most + 1); at < known.length; at++) {
    for (const pattern of patterns[known[at]!] ?? []) {
      if (endOfPattern(pattern, known, at) === INCOMPLETE) return at;
    }
  }
  return bytes.length;
}

/** Where a pattern ends that stands at a place; 0 where it doesn't, `INCOMPLETE` where the bytes end inside it. */
function endOfPattern({ bytes: wanted, wraps }: Pattern, bytes: Uint8Array, from: number): number {
  let at = from;
  let line = -1;
  for (let i = 0; i < wanted.length; i++) {
    if (bytes[at] !== wanted[i]) {
      if (at >= bytes.length) return INCOMPLETE;
      if (!wraps || i === 0 || (line >= 0 && at - line < narrowest)) return 0;
      if (bytes[at] === RETURN && ++at === bytes.length) return INCOMPLETE;
      if (bytes[at] !== NEWLINE) return 0;
      line = ++at;
      if (at === bytes.length) return INCOMPLETE;
      if (bytes[at] !== wanted[i]) return 0;
    }
    at++;
  }
  return at;
}
