/** Words of commands that meet no shell, and the script in which a shell hands on those very words. */

import { shellWord as quoteWord } from "../../core/shell_word.ts";

/** A piece of a word: text as it is, or a bit of shell that stands for it at run time. */
export type Piece = string | { shell: string; isQuoted: boolean };

/** One word of a command. */
export type Word = readonly Piece[];

/** A word as a shell must read it to make that very word of it. */
export function shellWord(word: Word): string {
  const text = word.map((piece) => {
    if (typeof piece === "string") return piece === "" ? "" : quoteWord(piece);
    return piece.isQuoted ? `"${piece.shell}"` : piece.shell;
  }).join("");
  return text === "" ? "''" : text;
}

/** A command of these words, for a script; a shell takes its first word for a program and for nothing else. */
export function shellCommand(words: readonly Word[]): string {
  const [program = "", ...rest] = words.map(shellWord);
  // Quotes take from a word what it would mean in this place.
  const isOwn = keywords.has(program) || /^[A-Za-z_]\w*\+?=/.test(program);
  return [isOwn ? `''${program}` : program, ...rest].join(" ");
}

/** Whether a script of these words must switch off that a shell makes file names of stars. */
export function hasLooseWord(words: readonly Word[]): boolean {
  return words.some((word) => word.some((piece) => typeof piece !== "string" && !piece.isQuoted));
}

/** Words of a text as a POSIX shell splits it, and nothing else that a shell does; or what is wrong. */
export function splitWords(
  text: string,
  marks: readonly string[] = [],
): { words: Word[] } | { fault: string } {
  const words: Word[] = [];
  let pieces: Piece[] | undefined;
  let quote = "";
  const add = (piece: Piece): void => {
    pieces ??= [];
    const last = pieces.at(-1);
    if (typeof piece === "string" && typeof last === "string") pieces[pieces.length - 1] = last + piece;
    else pieces.push(piece);
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char === "\0") {
      const end = text.indexOf("\0", at + 1);
      add({ shell: marks[Number(text.slice(at + 1, end))] ?? "", isQuoted: quote !== "" });
      at = end;
    } else if (quote === "'") {
      if (char === "'") quote = "";
      else add(char);
    } else if (quote === '"') {
      if (char === '"') quote = "";
      else if (char === "\\" && /["\\]/.test(text[at + 1] ?? "")) add(text[++at] ?? "");
      else add(char);
    } else if (char === "'" || char === '"') {
      quote = char;
      add("");
    } else if (char === "\\") {
      if (at + 1 >= text.length) return { fault: "it ends in a backslash" };
      add(text[++at] ?? "");
    } else if (/[ \t\r\n]/.test(char)) {
      if (pieces !== undefined) words.push(pieces);
      pieces = undefined;
    } else add(char);
  }
  if (quote !== "") return { fault: `its ${quote === "'" ? "single" : "double"} quote is never closed` };
  if (pieces !== undefined) words.push(pieces);
  return { words };
}

/** The text of a word that is known as a whole. */
export function plainWord(word: Word): string | undefined {
  return word.every((piece) => typeof piece === "string") ? word.join("") : undefined;
}

/** Signs that mean something to a shell only, as words of their own, and redirections with the file behind them. */
export function shellSigns(words: readonly Word[]): string[] {
  const texts = words.map((word) => plainWord(word) ?? (typeof word[0] === "string" ? word[0] : ""));
  return [
    ...new Set(
      texts.filter((text) =>
        /^(?:&&?|\|\|?|;|<<?)$|^(?:\d?|&)>>?(?:&?[\d-])?$/.test(text) || toFile.test(text)
      ),
    ),
  ];
}

/** A redirection to a path, or to a place that only a run knows. */
const toFile = /^(?:\d?|&)>{1,2}\|?(?:[./~][^<>]*)?$|^\d?<(?:[.~]?\/[^<>]*)$/;

/** Words that a shell would take for its own at the head of a command. */
const keywords: ReadonlySet<string> = new Set(
  "case do done elif else esac fi for if in then until while function select time coproc".split(" "),
);
