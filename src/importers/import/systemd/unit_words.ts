import type { Piece, Word } from "../words.ts";
import { latePieces } from "./late.ts";
import { type Specifiers, substitute } from "./specifiers.ts";

/** A command of an `Exec` line. */
export interface UnitCommand {
  words: Word[];
  /** Its failure is ignored (`-`). */
  isIgnored: boolean;
  notes: string[];
}

/** Words of a value as systemd splits it: quotes of both kinds and escapes as in C; or what is wrong. */
export function unitWords(value: string): { words: RawWord[] } | { fault: string } {
  const words: RawWord[] = [];
  let word: RawWord | undefined;
  let quote = "";
  const add = (text: string): void => {
    word ??= { text: "", raw: "" };
    word.text += text;
  };
  for (let at = 0; at < value.length; at++) {
    const char = value[at] ?? "";
    if (quote === "" && /[ \t\n\r]/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    const from = at;
    if (char === "\\") {
      const { text, length } = unescape(value.slice(at + 1, at + 10));
      add(text);
      at += length;
    } else if (char === quote) quote = "";
    else if (quote === "" && (char === '"' || char === "'")) {
      quote = char;
      add("");
    } else add(char);
    if (word !== undefined) word.raw += value.slice(from, at + 1);
  }
  if (quote !== "") return { fault: `its ${quote === "'" ? "single" : "double"} quote is never closed` };
  if (word !== undefined) words.push(word);
  return { words };
}

/** A word, and how it is written. */
export interface RawWord {
  text: string;
  raw: string;
}

/** What is known of the variables of a command. */
export interface KnownVariables {
  /** Those that the unit itself gives. */
  env: ReadonlyMap<string, string>;
  /** Files that are read at each start may give others, or other values. */
  hasFiles: boolean;
}

/** The commands of an `Exec` line, with all that systemd puts in; or what is wrong. */
export function unitCommands(
  value: string,
  { specifiers, variables }: { specifiers: Specifiers; variables: KnownVariables },
): { commands: UnitCommand[]; fixed: string[] } | { fault: string } {
  const split = unitWords(value);
  if ("fault" in split) return split;
  const commands: UnitCommand[] = [];
  const fixed: string[] = [];
  let command: (UnitCommand & { expands: boolean; dropsNext: boolean }) | undefined;
  for (const { text, raw } of split.words) {
    if (raw === ";") {
      command = undefined;
      continue;
    }
    const written = raw === "\\;" ? ";" : text;
    if (command === undefined) {
      const [, prefix = "", program = ""] = /^([-@:+!|]*)([^]*)$/.exec(written) ?? [];
      const read = substitute(program, specifiers);
      if ("fault" in read) return read;
      fixed.push(...read.fixed);
      command = {
        words: [latePieces(read.text)],
        isIgnored: prefix.includes("-"),
        notes: prefixNotes(prefix),
        expands: !prefix.includes(":"),
        dropsNext: prefix.includes("@"),
      };
      commands.push(command);
      continue;
    }
    if (command.dropsNext) {
      command.dropsNext = false;
      command.notes.push(`"@" has the program called ${JSON.stringify(written)}: here it has its own name`);
      continue;
    }
    const read = substitute(written, specifiers);
    if ("fault" in read) return read;
    fixed.push(...read.fixed);
    const { words, note } = command.expands
      ? expand(read.text, variables)
      : { words: [latePieces(read.text)] };
    command.words.push(...words);
    if (note !== undefined) command.notes.push(note);
  }
  return { commands, fixed };
}

/**
 * A word with its variables: `$X` alone is split at blanks outside of quotes, `${X}` never is, and anything else is
 * text, such as what a shell would understand by a colon (`${X:-y}`): what stands in it is read on.
 */
function expand(text: string, { env, hasFiles }: KnownVariables): { words: Word[]; note?: string } {
  const alone = /^\$(?![{$])(.+)$/.exec(text)?.[1];
  if (alone !== undefined) {
    if (!/^[A-Za-z_]\w*$/.test(alone)) {
      return { words: [], note: `${JSON.stringify(text)} is no variable, so systemd leaves the word out` };
    }
    const known = env.get(alone);
    // Without quotes a shell splits it just like that, also when somebody gives it another value.
    if (known !== undefined && !hasFiles && /["'\\]/.test(known)) {
      return { words: looseWords(known).map(latePieces) };
    }
    const note =
      `${text} is split at its blanks, and its quotes stay: systemd splits outside of them, and takes them away`;
    return { words: [[{ shell: `\${${alone}}`, isQuoted: false }]], ...(hasFiles ? { note } : {}) };
  }
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(/\$\$|\$\{([^}:]*)(?:\}|$)/g)) {
    if (match[0] !== "$$" && !match[0].endsWith("}")) break;
    pieces.push(...latePieces(text.slice(at, match.index)));
    at = match.index + match[0].length;
    const [all, name] = match;
    if (all === "$$") pieces.push("$");
    else if (/^[A-Za-z_]\w*$/.test(name ?? "")) pieces.push({ shell: all, isQuoted: true });
  }
  pieces.push(...latePieces(text.slice(at)));
  return { words: [joined(pieces)] };
}

/** The words of a variable's value: quotes hold together, a backslash protects what follows, and neither stays. */
function looseWords(value: string): string[] {
  const found = value.match(/(?:\\[^]?|"(?:\\[^]?|[^"\\])*(?:"|$)|'(?:\\[^]?|[^'\\])*(?:'|$)|[^\s"'\\])+/g) ??
    [];
  return found.map((word) =>
    word.replaceAll(
      /\\([^]?)|(["'])((?:\\[^]?|(?!\2)[^\\])*)(?:\2|$)/g,
      (_, escaped, quote, inner) => quote === undefined ? escaped : inner.replaceAll(/\\([^]?)/g, "$1"),
    )
  );
}

function joined(pieces: readonly Piece[]): Word {
  const word: Piece[] = [];
  for (const piece of pieces) {
    const last = word.at(-1);
    if (typeof piece === "string" && typeof last === "string") word[word.length - 1] = last + piece;
    else if (piece !== "") word.push(piece);
  }
  return word;
}

function prefixNotes(prefix: string): string[] {
  const sign = /[+!|]/.exec(prefix)?.[0];
  if (sign === undefined) return [];
  return [
    sign === "|"
      ? '"|" has a login shell run it: here the shell of the unit does'
      : `"${sign}" has it run with rights that the unit has not: here it runs as all of the unit does`,
  ];
}

/** What stands for a backslash and what follows it; whatever is no escape stays as it is. */
function unescape(behind: string): { text: string; length: number } {
  const code = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(behind);
  if (code !== null) {
    const value = parseInt(code[1] ?? code[2] ?? code[3] ?? "", 16);
    if (value > 0 && value <= 0x10ffff) return { text: String.fromCodePoint(value), length: code[0].length };
  }
  const octal = /^[0-3][0-7]{2}/.exec(behind)?.[0];
  if (octal !== undefined && octal !== "000") {
    return { text: String.fromCharCode(parseInt(octal, 8)), length: 3 };
  }
  const plain = escapes.get(behind[0] ?? "");
  return plain === undefined ? { text: "\\", length: 0 } : { text: plain, length: 1 };
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["s", " "],
  ["\\", "\\"],
  ['"', '"'],
  ["'", "'"],
]);
