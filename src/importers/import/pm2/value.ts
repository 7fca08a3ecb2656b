/** What an ecosystem file says, as far as it can be read without being run. */
export type Value = string | number | boolean | null | undefined | Text | List | Dict | Unread | Known;

/** Text in which variables of the environment stand. */
export class Text {
  constructor(readonly pieces: readonly TextPiece[]) {}
}

/** Text as it is, or a variable, with what stands for it where it is not set, or is empty and that is not kept. */
export type TextPiece = string | { variable: string; fallback?: string; keepsEmpty?: true };

/** A list; an item that could not be read may stand for several. */
export class List {
  constructor(readonly items: readonly { value: Value; line: number }[]) {}
}

/** An object; its keys can be any text, so they are kept apart from those of JavaScript. */
export class Dict {
  readonly entries = new Map<string, { value: Value; line: number }>();
  /** Keys that stand more than once, and where the last one does. */
  readonly doubled = new Map<string, number>();
  /** Parts of it that could not be read. */
  readonly unread: Unread[] = [];
}

/** What would have to be run to be known. */
export class Unread {
  constructor(
    readonly why: string,
    readonly line: number,
    /** Names of apps that stand in it. */
    readonly names: readonly string[] = [],
  ) {}
}

/** Something of Node.js that is understood: a module, or one of its functions. */
export class Known {
  constructor(readonly name: string) {}
}

/** The longest text, and the most items, that a file may build up. */
export const MAX_TEXT = 100_000;
/** The most items of a list. */
export const MAX_ITEMS = 10_000;

/** The pieces of a value that is text, a number or a truth; undefined for any other. */
export function piecesOf(value: Value): readonly TextPiece[] | undefined {
  if (value instanceof Text) return value.pieces;
  if (typeof value === "string") return [value];
  return typeof value === "number" || typeof value === "boolean" ? [String(value)] : undefined;
}

/** Pieces as one value: plain text where no variable stands in it. */
export function textOf(pieces: readonly TextPiece[]): string | Text {
  const joined: TextPiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (typeof piece === "string" && typeof last === "string") joined[joined.length - 1] = last + piece;
    else if (piece !== "") joined.push(piece);
  }
  const [first = ""] = joined;
  return joined.length <= 1 && typeof first === "string" ? first : new Text(joined);
}

/** How many characters a value takes, as far as text goes. */
export function lengthOf(pieces: readonly TextPiece[]): number {
  return pieces.reduce((sum, piece) => sum + (typeof piece === "string" ? piece.length : 1), 0);
}
