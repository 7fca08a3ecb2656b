import { INCOMPLETE } from "./escape.ts";
import { endOfUnseen, page } from "./unseen.ts";

/** Shorter values, and lines of values, are not masked: they would be found everywhere (docs/security.md#a-unit). */
const shortest = 6;

/**
 * The texts by which the value of a secret is known in output: each of its lines, and these as programs usually write
 * them on the way: in base64 (wherever they begin in what is encoded), in addresses, and in JSON, and as viewers show
 * them that leave out control characters. None is shorter than six characters. True for those that programs break
 * into lines.
 */
export function secretForms(value: string): Map<string, boolean> {
  const forms = new Map<string, boolean>();
  const lines = value.split(/\r?\n|\r/).filter((line) => line.length >= shortest);
  for (const line of lines) {
    for (const form of [line, seenOf(line), ...jsonForms(line), ...urlForms(line)]) forms.set(form, false);
  }
  // A key of several lines is encoded as a whole.
  const whole = lines.length > 1 ? [...lines, value.trimEnd()] : lines;
  for (const text of whole) for (const form of base64Forms(text)) forms.set(form, true);
  for (const form of forms.keys()) if (form.length < shortest) forms.delete(form);
  return forms;
}

function jsonForms(text: string): string[] {
  const escaped = JSON.stringify(text).slice(1, -1);
  const ascii = escaped.replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return [escaped, ascii];
}

/** As `encodeURIComponent`, forms and other libraries write it. */
function urlForms(text: string): string[] {
  const whole = encodeURIComponent(text.toWellFormed());
  const strict = whole.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const all = [whole, strict, whole.replaceAll("%2F", "/"), strict.replaceAll("%20", "+")];
  return [...all, ...all.map((one) => one.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))];
}

/**
 * What is the same in base64 whatever stands before and behind it, in both alphabets; and with the end that it has
 * where nothing stands behind it, which holds the last bits.
 */
function base64Forms(text: string): string[] {
  const bytes = new TextEncoder().encode(text);
  return [0, 1, 2].flatMap((before) => {
    const padded = new Uint8Array(before + bytes.length);
    padded.set(bytes, before);
    const all = padded.toBase64().slice(Math.ceil(before * 8 / 6));
    const end = Math.floor(padded.length * 8 / 6) - Math.ceil(before * 8 / 6);
    const forms = new Set([all.slice(0, end), all.replace(/=+$/, ""), all]);
    return [...forms].flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
  });
}

/** A text as it is seen where nothing is shown of control characters and the like. */
function seenOf(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const seen: number[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = endOfUnseen(bytes, at, page);
    if (end === INCOMPLETE) break;
    if (end === at) seen.push(bytes[at++]!);
    else at = end;
  }
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array(seen));
}
