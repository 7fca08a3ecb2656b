import { type NamePattern, segmentPattern } from "./glob_segment.ts";

/** The longest glob, in characters. */
const longestGlob = 1_024;
/** How deep its braces may nest. */
const deepestBraces = 8;

/** Whether a text holds a wildcard of a glob that no backslash takes away. */
export function hasWildcard(pattern: string): boolean {
  return /^(?:\\.|[^\\*?[{])*[*?[{]/s.test(pattern);
}

/** The glob that matches exactly this text. */
export function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]{},]/g, "\\$&");
}

/** The text that a glob without wildcards matches. */
export function unescapeGlob(pattern: string): string {
  return pattern.replace(/\\(.)/gs, "$1");
}

/** Why a glob is not taken, as a sentence without a subject; undefined for one that is. */
export function faultOfGlob(glob: string): string | undefined {
  if (glob.length > longestGlob) {
    return `has ${glob.length} characters, and a glob may have ${longestGlob}: shorten it, or write several`;
  }
  let depth = 0;
  for (const [sign] of glob.matchAll(/\\.|[{}]/gs)) {
    if (sign === "{" && ++depth > deepestBraces) {
      return `has braces in more than ${deepestBraces} levels: write several globs in its place`;
    }
    if (sign === "}" && depth > 0) depth--;
  }
  return undefined;
}

/**
 * Whether an absolute path matches an absolute glob: segment by segment, where a segment `**` stands for any
 * number of folders, none too.
 */
export function matchesGlob(path: string, glob: string): boolean {
  const pattern = new PathGlob(glob);
  let places = pattern.begin();
  const [, ...names] = path.split("/");
  for (const name of names) places = pattern.below(places, { name, isFolder: true });
  return pattern.isMatch(places);
}

/** How far a path has come in a glob: indices of segments that may come next, each once. */
export type Places = readonly number[];

/** An absolute glob, taken segment by segment on the way down from the root. All ways are followed at once. */
export class PathGlob {
  readonly #segments: (NamePattern | "**" | { literal: string })[];

  constructor(glob: string) {
    const [, ...segments] = glob.split("/");
    this.#segments = segments.map((segment) => {
      if (segment === "**") return segment;
      return hasWildcard(segment) ? segmentPattern(segment) : { literal: unescapeGlob(segment) };
    });
  }

  /** Where a path begins: at the root. */
  begin(): Places {
    return this.#closed([0]);
  }

  /** Where something of this name leads; `isFolder`: it is one itself, no link to one. No places: nowhere. */
  below(places: Places, { name, isFolder }: { name: string; isFolder: boolean }): Places {
    const next: number[] = [];
    for (const place of places) {
      const segment = this.#segments[place];
      if (segment === undefined) continue;
      if (segment === "**") {
        // Links are not followed below "**": they may lead round in a circle.
        if (isFolder && !name.startsWith(".")) next.push(place);
      } else if ("literal" in segment ? segment.literal === name : segment.test(name)) next.push(place + 1);
    }
    return this.#closed(next);
  }

  /** Whether a path that has come to these places matches the glob. */
  isMatch(places: Places): boolean {
    return places.includes(this.#segments.length);
  }

  /** Whether a path that has come to these places may match with more names behind it. */
  goesOn(places: Places): boolean {
    return places.some((place) => place < this.#segments.length);
  }

  /** The only names that can come next; undefined where that takes a look into the folder. */
  literals(places: Places): string[] | undefined {
    const names = new Set<string>();
    for (const place of places) {
      const segment = this.#segments[place];
      if (segment === undefined) continue;
      if (typeof segment === "string" || !("literal" in segment)) return undefined;
      names.add(segment.literal);
    }
    return [...names];
  }

  /** With the places behind each `**`, which may stand for nothing. */
  #closed(places: readonly number[]): Places {
    const all = new Set<number>();
    for (let place of places) {
      for (; !all.has(place); place++) {
        all.add(place);
        if (this.#segments[place] !== "**") break;
      }
    }
    return [...all];
  }
}
