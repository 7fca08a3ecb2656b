/** A line of a dotenv file that can't be read: its 1-based number and why, without any value of the file. */
export interface DotenvFault {
  line: number;
  reason: string;
}

/** What a dotenv file says: its variables in order of first mention (a later value wins), and all bad lines. */
export interface Dotenv {
  entries: Record<string, string>;
  faults: DotenvFault[];
}

/**
 * Reads dotenv text: `KEY=VALUE` lines with an optional `export `, `#` comments, literal single quotes, double
 * quotes with `\n \r \t \" \\` that may span lines, CRLF and a byte order mark; nothing is expanded.
 */
export function parseDotenv(text: string): Dotenv {
  const lines = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n").split("\n");
  const entries = new Map<string, string>();
  const faults: DotenvFault[] = [];
  let index = 0;
  while (index < lines.length) {
    const line = index + 1;
    const reading = readEntry(lines, index);
    index = reading.next;
    if ("reason" in reading) faults.push({ line, reason: reading.reason });
    else if ("key" in reading) entries.set(reading.key, reading.value);
  }
  // fromEntries defines what it is given, so that no key can touch a prototype.
  return { entries: Object.fromEntries(entries), faults };
}

/** What begins at one line: an entry, a fault or nothing, and the index of the line to go on with. */
type Reading = { next: number } & ({ key: string; value: string } | { reason: string } | { blank: true });

function readEntry(lines: string[], index: number): Reading {
  const text = lines[index] ?? "";
  const next = index + 1;
  if (/^[ \t]*(#|$)/.test(text)) return { next, blank: true };
  const equals = text.indexOf("=");
  if (equals < 0) return { next, reason: `expected KEY=VALUE, found no "="` };
  const key = text.slice(0, equals).trim().replace(/^export[ \t]+/, "");
  if (!/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(key)) {
    return {
      next,
      reason: 'the name before "=" is not valid: use letters, digits and _, the first no digit',
    };
  }
  const value = readValue(lines, index, equals + 1);
  if ("value" in value && value.value.includes("\0")) {
    return { next: value.next, reason: "the value holds a NUL character" };
  }
  return { key, ...value };
}

type Value = { next: number } & ({ value: string } | { reason: string });

function readValue(lines: string[], index: number, start: number): Value {
  const text = lines[index] ?? "";
  const at = start + (/^[ \t]*/.exec(text.slice(start))?.[0].length ?? 0);
  if (text[at] === '"') return readDoubleQuoted(lines, index, at + 1);
  if (text[at] === "'") {
    const end = text.indexOf("'", at + 1);
    if (end < 0) return { next: index + 1, reason: "the single quote is not closed on its line" };
    return finish(text.slice(at + 1, end), { rest: text.slice(end + 1), next: index + 1 });
  }
  // A "#" inside a word belongs to it; only one after white space begins a comment.
  const rest = text.slice(start);
  const comment = /[ \t]#/.exec(rest);
  const bare = comment === null ? rest : rest.slice(0, comment.index);
  return { next: index + 1, value: bare.trim() };
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };

function readDoubleQuoted(lines: string[], index: number, start: number): Value {
  let value = "";
  let at = start;
  for (let current = index; current < lines.length; current++, at = 0) {
    const text = lines[current] ?? "";
    if (current > index) value += "\n";
    while (at < text.length) {
      const char = text[at] ?? "";
      if (char === '"') return finish(value, { rest: text.slice(at + 1), next: current + 1 });
      const escaped = char === "\\" ? escapes[text[at + 1] ?? ""] : undefined;
      // An unknown escape stands for itself, backslash included: nothing is lost in silence.
      value += escaped ?? char;
      at += escaped === undefined ? 1 : 2;
    }
  }
  // What follows was meant as its inside, so nothing after it can be judged.
  return { next: lines.length, reason: "the double quote is never closed" };
}

/** A quoted value may be followed by white space and a comment, by nothing else. */
function finish(value: string, { rest, next }: { rest: string; next: number }): Value {
  if (/^[ \t]*(#.*)?$/.test(rest)) return { next, value };
  return { next, reason: "unexpected text after the closing quote" };
}
