/** An oracle for globs: braces are written out, and then every way is tried. */

type Part = string | { set: string } | { wild: "*" | "?" } | { any: Part[][] };

/** Whether a name matches one segment of a glob; takes exponential time. */
export function slowMatch(glob: string, name: string): boolean {
  const { parts } = read(Array.from(glob), { inGroup: false });
  return writtenOut(parts).some((flat) => matches(flat, Array.from(name), true));
}

/** The parts up to the end, or in a group up to its closing brace, as alternatives. */
function read(chars: string[], { inGroup }: { inGroup: boolean }): {
  parts: Part[];
  alternatives: Part[][];
  rest: string[] | undefined;
} {
  let parts: Part[] = [];
  const alternatives = [parts];
  for (let rest = chars; rest.length > 0;) {
    const [char = "", ...others] = rest;
    const set = char === "[" ? /^\[[!^]?(?:\][^\]]*|[^\]]*)\]/u.exec(rest.join("")) : null;
    rest = others;
    if (char === "\\" && others.length > 0) parts.push(rest.shift()!);
    else if (set !== null) {
      parts.push({ set: set[0].slice(1, -1) });
      rest = Array.from(rest.join("").slice(set[0].length - 1));
    } else if (char === "*" || char === "?") parts.push({ wild: char });
    else if (char === "{") {
      const group = read(rest, { inGroup: true });
      if (group.rest === undefined) parts.push("{");
      else {
        parts.push({ any: group.alternatives });
        rest = group.rest;
      }
    } else if (inGroup && char === ",") alternatives.push(parts = []);
    else if (inGroup && char === "}") return { parts, alternatives, rest };
    else parts.push(char);
  }
  return { parts, alternatives, rest: undefined };
}

function writtenOut(parts: Part[]): Exclude<Part, { any: Part[][] }>[][] {
  let all: Exclude<Part, { any: Part[][] }>[][] = [[]];
  for (const part of parts) {
    const ways = typeof part === "object" && "any" in part ? part.any.flatMap(writtenOut) : [[part]];
    all = all.flatMap((begun) => ways.map((way) => [...begun, ...way]));
  }
  return all;
}

function matches(
  [part, ...parts]: Exclude<Part, { any: Part[][] }>[],
  name: string[],
  isFirst: boolean,
): boolean {
  if (part === undefined) return name.length === 0;
  const [char, ...rest] = name;
  if (typeof part === "string") return char === part && matches(parts, rest, false);
  if (isFirst && char === ".") return false;
  if ("set" in part) return char !== undefined && holds(part.set, char) && matches(parts, rest, false);
  if (part.wild === "?") return char !== undefined && matches(parts, rest, false);
  return matches(parts, name, isFirst) || char !== undefined && matches([part, ...parts], rest, false);
}

function holds(set: string, char: string): boolean {
  const isInverted = /^[!^]/.test(set);
  const members = isInverted ? set.slice(1) : set;
  const singles = members.replace(/(.)-(.)/gsu, (_range, from: string, to: string) => {
    const [low, high, code] = [from, to, char].map((one) => one.codePointAt(0)!) as [number, number, number];
    return low > high ? from + to : low <= code && code <= high ? char : "";
  });
  return Array.from(singles).includes(char) !== isInverted;
}
