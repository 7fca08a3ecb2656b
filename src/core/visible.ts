// deno-lint-ignore-file no-control-regex -- control characters are what this file is about

/**
 * Characters that steer what shows a text rather than being shown: C0, DEL, C1 (among them 8-bit spellings of escape
 * sequences), and those that turn the direction of writing, so that a text looks like another one.
 */
const steering = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The characters that turn the direction of writing, as a part of a regular expression. */
export const bidiControls = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069";

/** A text in which each such character is written out, as JSON does: `\n`, `\u001b`, `\u202e`. */
export function visible(text: string): string {
  return text.replace(steering, (character) => {
    const written = JSON.stringify(character).slice(1, -1);
    return written === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}` : written;
  });
}

/** A text without such characters. */
export function withoutControls(text: string): string {
  return text.replace(steering, "");
}
