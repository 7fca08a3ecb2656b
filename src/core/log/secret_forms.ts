import { INCOMPLETE } from "./escape.ts";
import { endOfUnseen, page } from "./unseen.ts";

/** Shorter values, and lines of values, are not masked: they would be found everywhere (docs/security.md#a-unit). */
const shortest = 6;

/**
 * The texts by which the value of a secret is known in output: each of its lines, and these as programs usually write
 * them on the way: in base64 (wherever they begin in what is encoded), in addresses, in JSON, in HTML and XML and by
 * shells, and as viewers show them that leave out control characters. None is shorter than six characters. True for those that programs break
 * into lines.
 */
export function secretForms(value: string): Map<string, boolean> {
  const forms = new Map<string, boolean>();
  const lines = value.split(/\r?\n|\r/).filter((line) => line.length >= shortest);
  for (const line of lines) {
    const written = [jsonForms, urlForms, pageForms, shellForms].flatMap((formsOf) => formsOf(line));
    for (const form of [line, seenOf(line), ...written]) forms.set(form, false);
  }
  // A key of several lines is encoded as a whole.
  const whole = lines.length > 1 ? [...lines, value.trimEnd()] : lines;
  for (const text of whole) for (const form of base64Forms(text)) forms.set(form, true);
  for (const form of forms.keys()) if (form.length < shortest) forms.delete(form);
  return forms;
}

/** Characters that writers of JSON escape besides those that they must, and whether they write digits in upper case. */
const jsonHabits = [
  { extra: "", isUpper: false },
  { extra: "<>&", isUpper: false }, // Go
  { extra: "<>&'", isUpper: false }, // pages that carry JSON
  { extra: "<>&'=", isUpper: false }, // Gson
  { extra: "<>&'\"+`", isUpper: true }, // .NET
];

/** As JSON, with the habits of its writers, and as JSON within a text of JSON. */
function jsonForms(text: string): string[] {
  const forms = jsonHabits.flatMap(({ extra, isUpper }) => {
    const code = (unit: string): string => {
      const digits = unit.charCodeAt(0).toString(16).padStart(4, "0");
      return `\\u${isUpper ? digits.toUpperCase() : digits}`;
    };
    const escaped = Array.from(
      text,
      (char) => extra.includes(char) ? code(char) : JSON.stringify(char).slice(1, -1),
    ).join("");
    return [escaped, escaped.replace(/[^\x20-\x7e]/g, code)];
  });
  const must = forms.slice(0, 2);
  const slashes = must.map((form) => form.replaceAll("/", "\\/")); // PHP
  return [...forms, ...slashes, ...must.map((form) => JSON.stringify(form).slice(1, -1))];
}

/** As `encodeURIComponent`, forms and other libraries write it, and as it stands in an address that is otherwise left alone. */
function urlForms(text: string): string[] {
  const sound = text.toWellFormed();
  const whole = encodeURIComponent(sound);
  const strict = whole.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const address = Object.assign(new URL("http://h"), { password: sound, search: sound });
  const inAddress = [encodeURI(sound), address.password, address.search.slice(1)];
  const all = [whole, strict, whole.replaceAll("%2F", "/"), strict.replaceAll("%20", "+"), ...inAddress];
  return [...all, ...all.map((one) => one.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))];
}

/** As the text and as an attribute of HTML or XML. */
function pageForms(text: string): string[] {
  const inText = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return [
    inText,
    ...["&quot;", "&#34;"].flatMap((double) =>
      ["'", "&#39;", "&#x27;", "&#039;", "&apos;"].map((single) =>
        inText.replaceAll('"', double).replaceAll("'", single)
      )
    ),
  ];
}

/** As shells write a word that has a meaning for them, in traces (`set -x`) say. */
function shellForms(text: string): string[] {
  return [
    text.replaceAll("'", `'\\''`),
    text.replaceAll("'", `'"'"'`),
    text.replace(/["$`\\]/g, "\\$&"),
    text.replace(/[^\w%+,./:=@\x80-\uffff-]/g, "\\$&"),
  ];
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
