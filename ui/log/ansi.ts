/** What the escape sequences of a terminal make of a line: pieces of text, each with its look. */

/** A colour: 0 to 15 of the palette, or exact as `[red, green, blue]`, 0 to 255 each. */
export type AnsiColor = number | readonly [number, number, number];

/** A piece of a line that looks the same throughout. */
export interface Span {
  text: string;
  fg?: AnsiColor;
  bg?: AnsiColor;
  isBold?: boolean;
  isDim?: boolean;
  isItalic?: boolean;
  isUnderlined?: boolean;
  isStruck?: boolean;
  isInverse?: boolean;
  /** Where it leads: http or https only. */
  href?: string;
  /** It is part of what was searched for. */
  isHit?: boolean;
}

type Look = Omit<Span, "text">;

// CSI with parameters and final; OSC with its text; other strings; two-character escapes; other controls but tab.
const escapes =
  // deno-lint-ignore no-control-regex -- these are what it is about
  /\x1b(?:\[([0-?]*)[ -/]*([@-~])|\]([^\x07\x1b]*)(?:\x07|\x1b\\)|[PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])|[\x00-\x08\x0a-\x1f\x7f-\x9f]/g;
// deno-lint-ignore no-control-regex -- as above
const special = /[\x00-\x08\x0a-\x1f\x7f-\x9f]/;
const urls = /https?:\/\/[^\s<>"'`|]+/g;

/** The text of a line without its escape sequences. */
export function plainText(text: string): string {
  return special.test(text) ? text.replace(escapes, "") : text;
}

/** The pieces of a line, in order. Colours and styles are read, links are found, all other sequences are left out. */
export function ansiSpans(text: string): Span[] {
  if (!special.test(text)) return linked({ text });
  const spans: Span[] = [];
  let look: Look = {};
  let at = 0;
  for (const match of text.matchAll(escapes)) {
    if (match.index > at) spans.push(...linked({ ...look, text: text.slice(at, match.index) }));
    at = match.index + match[0].length;
    const [, parameters, final, command] = match;
    if (final === "m" && parameters !== undefined) look = styled(look, parameters);
    else if (command?.startsWith("8;")) look = withLink(look, command);
  }
  if (at < text.length) spans.push(...linked({ ...look, text: text.slice(at) }));
  return spans;
}

/** `8;parameters;address`: the text that follows is a link, until one without an address. */
function withLink({ href: _, ...look }: Look, command: string): Look {
  const href = command.slice(command.indexOf(";", 2) + 1);
  return isWebAddress(href) ? { ...look, href } : look;
}

/** Whether a link may be followed: nothing but the web, so that a log can't run anything. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** Takes the addresses in a piece out as pieces of their own. */
function linked(span: Span): Span[] {
  const { text, href } = span;
  if (href !== undefined || !text.includes("://")) return text === "" ? [] : [span];
  const spans: Span[] = [];
  let at = 0;
  for (const match of text.matchAll(urls)) {
    const url = withoutTail(match[0]);
    if (!isWebAddress(url)) continue;
    if (match.index > at) spans.push({ ...span, text: text.slice(at, match.index) });
    spans.push({ ...span, text: url, href: url });
    at = match.index + url.length;
  }
  if (at < text.length) spans.push({ ...span, text: text.slice(at) });
  return spans;
}

/** Punctuation after an address belongs to the sentence, a closing bracket too unless it was opened within. */
function withoutTail(url: string): string {
  const count = (bracket: string): number => url.split(bracket).length;
  for (;;) {
    const last = url.at(-1) ?? "";
    const opening = { ")": "(", "]": "[", "}": "{" }[last];
    const isTail = opening === undefined ? /[.,;:!?*]/.test(last) : count(opening) < count(last);
    if (!isTail) return url;
    url = url.slice(0, -1);
  }
}

/** A look after SGR parameters, such as `1;38;5;208`. */
function styled(before: Look, parameters: string): Look {
  let look = before;
  const list = parameters.split(";");
  for (let i = 0; i < list.length; i++) {
    const parts = (list[i] ?? "").split(":");
    const code = Number(parts[0] || 0);
    if (code === 38 || code === 48) {
      // With colons the colour is in this parameter, with semicolons in those that follow.
      const rest = parts.length > 1 ? parts.slice(1) : list.slice(i + 1);
      const found = extendedColor(rest.map(Number), parts.length > 1);
      if (parts.length === 1) i += found.used;
      if (found.color !== undefined) look = { ...look, [code === 38 ? "fg" : "bg"]: found.color };
    } else look = afterCode(look, { code, isOff: parts[1] === "0" });
  }
  return look;
}

function extendedColor(rest: readonly number[], hasColons: boolean): { color?: AnsiColor; used: number } {
  if (rest[0] === 5) {
    const index = rest[1] ?? 0;
    return index <= 255 ? { color: indexed(index), used: 2 } : { used: 2 };
  }
  if (rest[0] !== 2) return { used: 1 };
  const [r = 0, g = 0, b = 0] = hasColons ? rest.slice(-3) : rest.slice(1, 4);
  const isColor = [r, g, b].every((part) => part >= 0 && part <= 255);
  return isColor ? { color: [r, g, b], used: 4 } : { used: 4 };
}

/** One of 256: the palette, a cube of 6 by 6 by 6, and greys. */
function indexed(index: number): AnsiColor {
  if (index < 16) return index;
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return [grey, grey, grey];
  }
  const level = (step: number): number => step === 0 ? 0 : 55 + step * 40;
  const at = index - 16;
  return [level(Math.floor(at / 36)), level(Math.floor(at / 6) % 6), level(at % 6)];
}

function afterCode(look: Look, { code, isOff }: { code: number; isOff: boolean }): Look {
  const { href } = look;
  if (code === 0) return href === undefined ? {} : { href };
  if (code === 1) return { ...look, isBold: true };
  if (code === 2) return { ...look, isDim: true };
  if (code === 3) return { ...look, isItalic: true };
  if (code === 4 || code === 21) return { ...look, isUnderlined: !isOff };
  if (code === 7) return { ...look, isInverse: true };
  if (code === 9) return { ...look, isStruck: true };
  if (code === 22) return { ...look, isBold: false, isDim: false };
  if (code === 23) return { ...look, isItalic: false };
  if (code === 24) return { ...look, isUnderlined: false };
  if (code === 27) return { ...look, isInverse: false };
  if (code === 29) return { ...look, isStruck: false };
  if (code >= 30 && code <= 37) return { ...look, fg: code - 30 };
  if (code >= 90 && code <= 97) return { ...look, fg: code - 82 };
  if (code >= 40 && code <= 47) return { ...look, bg: code - 40 };
  if (code >= 100 && code <= 107) return { ...look, bg: code - 92 };
  if (code === 39) return without(look, "fg");
  if (code === 49) return without(look, "bg");
  return look;
}

function without(look: Look, part: "fg" | "bg"): Look {
  const rest = { ...look };
  delete rest[part];
  return rest;
}
