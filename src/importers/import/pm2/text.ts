import { Template } from "../imported.ts";
import type { Piece, Word } from "../words.ts";
import { AppFault } from "./fields.ts";
import { Text, type TextPiece } from "./value.ts";

/** Text as svc's configuration has it, with `${NAME}` and `${NAME:-fallback}` for variables. */
export function templateOf(text: string | Text): string | Template {
  if (typeof text === "string") return text;
  let out = "";
  for (const piece of text.pieces) {
    if (typeof piece === "string") out += piece.replaceAll("${", () => "$${");
    else if (out.endsWith("$")) throw new AppFault(`a "$" in front of a variable can't be written`);
    else out += variable({ ...piece, keepsEmpty: undefined }, /[{}$\n]/);
  }
  return new Template(out);
}

/** Text as one word of a shell command. */
export function wordOf(text: string | Text): Word {
  if (typeof text === "string") return [text];
  return text.pieces.map((piece): Piece =>
    typeof piece === "string" ? piece : { shell: variable(piece, /[^A-Za-z0-9_@%+=:,./ -]/), isQuoted: true }
  );
}

/** Text as words, split as pm2 does: quotes hold together what stands in them, and go where they are the outermost. */
export function wordsOf(text: string | Text): Word[] {
  const shells: string[] = [];
  const pieces = typeof text === "string" ? [text] : text.pieces;
  const marked = pieces.map((piece) =>
    typeof piece === "string" ? piece : `\0${shells.push(variable(piece, /[^A-Za-z0-9_@%+=:,./ -]/)) - 1}\0`
  ).join("");
  const found = marked.match(/[^\s"'=]+="[^"]*"|[^\s"'=]+='[^']*'|"[^"]*"|'[^']*'|\S+/g) ?? [];
  return found.map((word) => {
    const isQuoted = /["']$/.test(word);
    const plain = /^(["'])(.*)\1$/s.exec(word)?.[2] ?? word;
    return plain.split(/\0(\d+)\0/)
      .map((part, at): Piece => at % 2 === 0 ? part : { shell: shells[Number(part)] ?? "", isQuoted })
      .filter((piece) => piece !== "");
  }).filter((word) => word.some((piece) => typeof piece !== "string" || piece.trim() !== ""));
}

/** The variables that have to be set where svc runs. */
export function unsetIn(text: string | Text): string[] {
  if (typeof text === "string") return [];
  return text.pieces.flatMap((piece) =>
    typeof piece === "string" || piece.fallback !== undefined ? [] : [piece.variable]
  );
}

/** The variables for which svc, other than JavaScript, takes the fallback also where they are empty. */
export function emptiedIn(text: string | Text): string[] {
  if (typeof text === "string") return [];
  return text.pieces.flatMap((piece) =>
    typeof piece !== "string" && piece.keepsEmpty ? [piece.variable] : []
  );
}

function variable(
  { variable, fallback, keepsEmpty }: Omit<Exclude<TextPiece, string>, "keepsEmpty"> & {
    keepsEmpty?: true | undefined;
  },
  odd: RegExp,
): string {
  if (!/^[A-Za-z_]\w*$/.test(variable)) {
    throw new AppFault(`${JSON.stringify(variable)} is no name of a variable`);
  }
  if (fallback === undefined) return `\${${variable}}`;
  if (odd.test(fallback)) {
    throw new AppFault(
      `what stands for ${variable} when it is not set can't be written: ${JSON.stringify(fallback)}`,
    );
  }
  return `\${${variable}${keepsEmpty ? "" : ":"}-${fallback}}`;
}
