/** What a name in `%(NAME)s` stands for: text, a variable of the run, or the number of the instance. */
export type Meaning =
  | { is: "text"; text: string }
  | { is: "variable"; name: string }
  | { is: "number"; first: number };

/** A value in pieces, or what is wrong with it. */
export type Expanded = { pieces: ExpandedPiece[] } | { fault: string };

/** Text; or something that is known at run time only, with the width to which its digits are filled up. */
export type ExpandedPiece = string | Exclude<Meaning, { is: "text" }> & { width: number };

/** Puts in what `%(NAME)s` and `%(NAME)02d` stand for, as Python's formatting does; `%%` is one sign. */
export function expand(text: string, meaningOf: (name: string) => Meaning | undefined): Expanded {
  const pieces: ExpandedPiece[] = [];
  const add = (piece: ExpandedPiece): void => {
    const last = pieces.at(-1);
    if (typeof piece === "string" && typeof last === "string") pieces[pieces.length - 1] = last + piece;
    else if (piece !== "") pieces.push(piece);
  };
  let at = 0;
  for (const match of text.matchAll(/%(?:%|\(([^)]*)\)(0?)(\d*)([sd])|)/g)) {
    add(text.slice(at, match.index));
    at = match.index + match[0].length;
    if (match[0] === "%%") {
      add("%");
      continue;
    }
    const [all, name, zero = "", digits = "", kind = ""] = match;
    if (name === undefined) {
      const shown = JSON.stringify(text.slice(match.index, match.index + 12));
      return {
        fault: `a lone "%" stands in it, at ${shown}: supervisord refuses that too; "%%" is the sign itself`,
      };
    }
    const meaning = meaningOf(name);
    if (meaning === undefined) return { fault: `${all} stands for nothing: supervisord knows no such name` };
    if (meaning.is !== "number" && kind === "d" && !(meaning.is === "text" && /^\d+$/.test(meaning.text))) {
      return { fault: `${all} wants a number, and ${JSON.stringify(name)} is none` };
    }
    const width = Math.min(Number(digits), 64);
    if (meaning.is === "text") {
      add(meaning.text.padStart(width, kind === "d" && zero !== "" ? "0" : " "));
    } else add({ ...meaning, width: kind === "d" && zero !== "" ? width : 0 });
  }
  add(text.slice(at));
  return { pieces };
}

/** The text of a value in which nothing depends on the run. */
export function plainText(pieces: readonly ExpandedPiece[]): string | undefined {
  return pieces.every((piece) => typeof piece === "string") ? pieces.join("") : undefined;
}

/** The bit of shell that stands for a piece within double quotes. */
export function shellOf(piece: Exclude<ExpandedPiece, string>): string {
  // As in supervisord, a variable that is not set is an error.
  if (piece.is === "variable") return `\${${piece.name}?}`;
  const number = piece.first === 0 ? "$SVC_INSTANCE" : `$((SVC_INSTANCE + ${piece.first}))`;
  return piece.width > 1
    ? `$(printf %0${piece.width}d ${piece.first === 0 ? '"$SVC_INSTANCE"' : number})`
    : number;
}

/** A value as svc substitutes it when it loads; undefined where only a run knows it. */
export function templateOf(pieces: readonly ExpandedPiece[]): string | undefined {
  let text = "";
  for (const piece of pieces) {
    if (typeof piece === "string") text += piece.replaceAll("${", () => "$${");
    else if (piece.is !== "variable" || text.endsWith("$")) return undefined;
    else text += `\${${piece.name}}`;
  }
  return text;
}
