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

/**
 * A regular expression for one segment of a path glob (no "/"): `*`, `?`, `[a-z]`, `[!a-z]`, `{a,b}` and `\`
 * before a character that stands for itself. As in shells, a wildcard never takes a leading dot.
 */
export function segmentPattern(glob: string): RegExp {
  let source = "";
  // Whether the next character can be the first of a name, in each open group and outside of them.
  const starts = [true];
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at] ?? "";
    const first = starts.at(-1) ?? false;
    const noDot = first ? "(?!\\.)" : "";
    const set = setAt(glob, at);
    if (char === "{" && closes(glob, at)) {
      source += "(?:";
      starts.push(first);
      continue;
    }
    if (char === "}" && starts.length > 1) {
      source += ")";
      starts.pop();
    } else if (char === "," && starts.length > 1) {
      source += "|";
      starts[starts.length - 1] = starts.at(-2) ?? false;
      continue;
    } else if (char === "\\" && at + 1 < glob.length) source += quote(glob[++at] ?? "");
    else if (char === "*") source += `${noDot}[^/]*`;
    else if (char === "?") source += `${noDot}[^/]`;
    else if (set !== undefined) {
      source += `${noDot}[${set.inverted ? "^/" : ""}${members(set.members)}]`;
      at += set.length - 1;
    } else source += quote(char);
    starts[starts.length - 1] = false;
  }
  return new RegExp(`^(?:${source})$`, "su");
}

/**
 * Whether an absolute path matches an absolute glob: segment by segment, where a segment `**` stands for any
 * number of folders, none too.
 */
export function matchesGlob(path: string, glob: string): boolean {
  return matchesSegments(path.split("/"), glob.split("/"));
}

function matchesSegments(path: string[], glob: string[]): boolean {
  const [wanted, ...others] = glob;
  if (wanted === undefined) return path.length === 0;
  const [first, ...rest] = path;
  if (wanted === "**") {
    if (matchesSegments(path, others)) return true;
    return first !== undefined && !first.startsWith(".") && matchesSegments(rest, glob);
  }
  return first !== undefined && segmentPattern(wanted).test(first) && matchesSegments(rest, others);
}

/** Members of a bracket expression, safe inside one of a regular expression; a range that runs backwards loses its dash. */
function members(text: string): string {
  return text.replace(/(.)-(.)/gsu, (range, from: string, to: string) => from <= to ? range : from + to)
    .replace(/[\\\]^[]/g, "\\$&");
}

function quote(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
}

/** The bracket expression that begins at `at`, if one does. */
function setAt(glob: string, at: number): { inverted: boolean; members: string; length: number } | undefined {
  const match = glob[at] === "[" ? /^\[([!^]?)(\]?[^\]]*)\]/.exec(glob.slice(at)) : null;
  if (match === null) return undefined;
  const [all, invert = "", members = ""] = match;
  return { inverted: invert !== "", members, length: all.length };
}

/** Whether the brace at `at` has its partner; nested ones, bracket expressions and escapes considered. */
function closes(glob: string, at: number): boolean {
  let depth = 0;
  for (let next = at; next < glob.length; next++) {
    if (glob[next] === "\\") next++;
    else if (glob[next] === "[") next += (setAt(glob, next)?.length ?? 1) - 1;
    else if (glob[next] === "{") depth++;
    else if (glob[next] === "}" && --depth === 0) return true;
  }
  return false;
}
