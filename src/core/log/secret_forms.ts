/** Shorter values, and lines of values, are not masked: they would be found everywhere (contract 2). */
const shortest = 6;

/**
 * The texts by which the value of a secret is known in output: each of its lines, and these as programs usually write
 * them on the way: in base64 (wherever they begin in what is encoded), in addresses, and in JSON. None is shorter
 * than six characters.
 */
export function secretForms(value: string): Set<string> {
  const forms = new Set<string>();
  const lines = value.split(/\r?\n|\r/).filter((line) => line.length >= shortest);
  for (const line of lines) {
    for (const form of [line, ...jsonForms(line), ...urlForms(line), ...base64Forms(line)]) forms.add(form);
  }
  // A key of several lines is encoded as a whole.
  if (lines.length > 1) { for (const form of base64Forms(value.trimEnd())) forms.add(form); }
  for (const form of forms) if (form.length < shortest) forms.delete(form);
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

/** What is the same in base64 whatever stands before and behind it, in both alphabets. */
function base64Forms(text: string): string[] {
  const bytes = new TextEncoder().encode(text);
  return [0, 1, 2].flatMap((before) => {
    const padded = new Uint8Array(before + bytes.length);
    padded.set(bytes, before);
    const form = padded.toBase64().slice(Math.ceil(before * 8 / 6), Math.floor(padded.length * 8 / 6));
    return [form, form.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
