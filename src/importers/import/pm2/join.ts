import { resolvePath } from "../../../core/config/path.ts";
import { piecesOf, Text, textOf, type TextPiece, type Value } from "./value.ts";

/**
 * `path.join` or `path.resolve` of parts of which some are variables, as text; undefined where only a run knows what
 * comes of it, as where a part leads back over a variable.
 */
export function joinedText(name: string, values: readonly Value[]): Value {
  const how = /^path\.(?:posix\.)?(join|resolve)$/.exec(name)?.[1];
  const parts = values.map(piecesOf);
  if (how === undefined || parts.length === 0) return undefined;
  const [first] = values;
  // What a later part means to resolve depends on whether it begins in the root folder.
  if (how === "resolve" && values.slice(1).some((value) => value instanceof Text || isAnchored(value))) {
    return undefined;
  }
  if (how === "resolve" && !(first instanceof Text && leadsToRoot(first))) return undefined;
  const pieces: TextPiece[] = [];
  for (const [at, part] of parts.entries()) {
    if (part === undefined || part.some(isOdd)) return undefined;
    if (at > 0) pieces.push("/");
    pieces.push(...part);
  }
  return normal(pieces);
}

/** Text that begins with a folder: a variable that has one instead, or one that is a folder by itself. */
function leadsToRoot({ pieces: [first] }: Text): boolean {
  if (typeof first === "string") return first.startsWith("/");
  return first !== undefined &&
    (first.fallback?.startsWith("/") ??
      /^(?:HOME|PWD|XDG_\w+|\w*(?:DIR|ROOT|PATH|HOME))$/.test(first.variable));
}

function isAnchored(value: Value): boolean {
  return typeof value === "string" && value.startsWith("/");
}

/** A variable that is nothing where it is not set would make another path of what stands behind it. */
function isOdd(piece: TextPiece): boolean {
  return typeof piece !== "string" && piece.fallback === "";
}

/** Pieces with single slashes, without "." and with ".." taken back where plain text stands in front of it. */
function normal(pieces: readonly TextPiece[]): Value {
  const joined: TextPiece[] = [];
  const text = textOf(pieces);
  if (typeof text === "string") return undefined;
  for (const [at, piece] of text.pieces.entries()) {
    if (typeof piece !== "string") {
      joined.push(piece);
      continue;
    }
    const plain = piece.replaceAll(/\/{2,}/g, "/").replaceAll(/(?<=^|\/)\.\/(?=.)/g, "");
    if (!/(?:^|\/)\.\.(?:\/|$)/.test(plain)) joined.push(plain);
    // In front of the first variable all is known, if it ends in a whole folder.
    else if (at === 0 && plain.startsWith("/") && plain.endsWith("/")) {
      joined.push(`${resolvePath(plain, { base: "/" }).replace(/\/$/, "")}/`);
    } else return undefined;
  }
  return textOf(joined);
}
