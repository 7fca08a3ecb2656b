import { eastAsianWidth } from "get-east-asian-width";

/** How many columns of a terminal a code point takes: 0 for accents, joiners and variants, 2 for what is wide. */
export function columnsOf(point: number): 0 | 1 | 2 {
  if (point < 0x300) return 1;
  // Most of what is wide, and nothing else.
  if (point >= 0x3400 && point < 0x4dc0 || point >= 0x4e00 && point < 0xa000) return 2;
  if (marks.test(String.fromCodePoint(point))) return 0;
  return point < 0x1100 || eastAsianWidth(point) === 1 ? 1 : 2;
}

/** Also the vowels and ends of Korean syllables that come in parts, and what turns the direction of writing. */
const marks =
  /^[\p{Mn}\p{Me}\u1160-\u11ff\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]$/u;
