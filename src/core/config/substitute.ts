import { messageOf } from "../../fault.ts";
import type { KeyPath, Report } from "./report.ts";
import { insideUnit, mayBeSecret, secretParts } from "./secret_places.ts";
import { isTable, type Table } from "./source.ts";

/** Where substituted values come from. */
export interface Lookup {
  env: Readonly<Record<string, string>>;
  /** The text of a file by the path that is written; throws a Fault when it can't be read. */
  readText: (path: string) => string;
}

/** A text with its values put in, or why that is not possible (never with a value that was put in). */
export type Substitution = { text: string } | { fault: string };

/**
 * Puts values into a text: `${VAR}`, `${VAR:-fallback}` (for an empty variable too), `${file:path}` (trimmed);
 * `$${` is a plain `${`. Fallbacks and paths may hold further ones.
 */
export function substitute(text: string, lookup: Lookup): Substitution {
  if (!text.includes("${")) return { text };
  try {
    const { parts } = parseParts(text, { from: 0, depth: 0 });
    return { text: evaluate(parts, lookup) };
  } catch (thrown) {
    if (thrown instanceof Unusable) return { fault: thrown.message };
    throw thrown;
  }
}

/**
 * A copy of a file's tree in which every text but the scripts is substituted; what can't be is reported, and the
 * variables that are put into secret places are added to `secretVariables`.
 */
export function substituteTree(
  tree: Table,
  { file, lookup, report, secretVariables }: {
    file: string;
    lookup: Lookup;
    report: Report;
    secretVariables: Set<string>;
  },
): Table {
  const walk = (value: unknown, path: KeyPath): unknown => {
    if (path.length > MAX_LEVELS) {
      report.error({ file, path: path.slice(0, 2) }, `holds tables or lists more than ${MAX_LEVELS} deep`);
      return undefined;
    }
    if (typeof value === "string") {
      if (!value.includes("${") || isScript(path)) return value;
      for (const part of secretParts(path, value)) {
        for (const name of variablesIn(part, lookup.env)) if (mayBeSecret(name)) secretVariables.add(name);
      }
      const outcome = substitute(value, lookup);
      if ("text" in outcome) return outcome.text;
      report.error({ file, path }, outcome.fault);
      return value;
    }
    if (value instanceof Date) {
      report.error({ file, path }, "expected no date or time: write it as text in quotes");
      return value;
    }
    if (Array.isArray(value)) return value.map((item, index) => walk(item, [...path, index]));
    return isTable(value) ? walkTable(value, path) : value;
  };
  const walkTable = (table: Table, path: KeyPath): Table => {
    const copy: Table = {};
    for (const key of Object.keys(table)) {
      // Defined, not assigned: a key named __proto__ must stay a key.
      Object.defineProperty(copy, key, {
        value: walk(table[key], [...path, key]),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return copy;
  };
  return walkTable(tree, []);
}

/** More levels than any key has; bounds the recursion. */
const MAX_LEVELS = 32;

/** Scripts keep their text: `${VAR}` in them belongs to the shell. */
function isScript(path: KeyPath): boolean {
  if (path.at(-1) !== "run") return false;
  const inUnit = insideUnit(path) ?? [];
  return inUnit.length === 1 || (inUnit.length === 2 && inUnit[0] === "health_check");
}

/** The variables that a text gets a value of, but for those in the paths of files. */
export function variablesIn(text: string, env: Lookup["env"]): string[] {
  const within = (parts: readonly Part[]): string[] =>
    parts.flatMap((part) => {
      if (part.kind !== "variable") return [];
      const value = Object.hasOwn(env, part.name) ? env[part.name] : undefined;
      return value ? [part.name] : within(part.fallback ?? []);
    });
  try {
    return within(parseParts(text, { from: 0, depth: 0 }).parts);
  } catch (thrown) {
    if (thrown instanceof Unusable) return [];
    throw thrown;
  }
}

type Part =
  | { kind: "text"; text: string }
  | { kind: "variable"; name: string; fallback?: Part[] }
  | { kind: "file"; path: Part[] };

/** Thrown inside this file only, to leave the recursion. */
class Unusable extends Error {}

const MAX_DEPTH = 16;

/** Parts from `from` to the end of the text or, inside a substitution, to its closing brace. */
function parseParts(text: string, { from, depth }: { from: number; depth: number }): {
  parts: Part[];
  end: number;
} {
  if (depth > MAX_DEPTH) throw new Unusable(`substitutions are nested more than ${MAX_DEPTH} deep`);
  const parts: Part[] = [];
  let plain = "";
  let at = from;
  while (at < text.length) {
    if (text.startsWith("$${", at)) {
      plain += "${";
      at += 3;
    } else if (text.startsWith("${", at)) {
      if (plain !== "") parts.push({ kind: "text", text: plain });
      plain = "";
      const { part, end } = parseSubstitution(text, { from: at, depth });
      parts.push(part);
      at = end;
    } else if (depth > 0 && text[at] === "}") break;
    else plain += text[at++];
  }
  if (plain !== "") parts.push({ kind: "text", text: plain });
  return { parts, end: at };
}

function parseSubstitution(text: string, { from, depth }: { from: number; depth: number }): {
  part: Part;
  end: number;
} {
  const head = /file:|([A-Za-z_][A-Za-z0-9_]*)(:-|\})/y;
  head.lastIndex = from + 2;
  const match = head.exec(text);
  if (match === null) throw new Unusable(malformed(text, from));
  const [all, name = "", follow] = match;
  const inside = from + 2 + all.length;
  if (follow === "}") return { part: { kind: "variable", name }, end: inside };
  const { parts, end } = parseParts(text, { from: inside, depth: depth + 1 });
  if (text[end] !== "}") throw new Unusable(`the "\${" at character ${from + 1} has no closing "}"`);
  const part: Part = follow === ":-"
    ? { kind: "variable", name, fallback: parts }
    : { kind: "file", path: parts };
  return { part, end: end + 1 };
}

function malformed(text: string, from: number): string {
  const closed = text.includes("}", from);
  return `the "\${" at character ${from + 1} ${closed ? "begins no substitution" : 'has no closing "}"'}: ` +
    "write ${NAME}, ${NAME:-fallback} or ${file:path}, or $${ for a plain ${";
}

function evaluate(parts: readonly Part[], lookup: Lookup): string {
  return parts.map((part): string => {
    if (part.kind === "text") return part.text;
    if (part.kind === "file") return readTrimmed(evaluate(part.path, lookup), lookup);
    const value = Object.hasOwn(lookup.env, part.name) ? lookup.env[part.name] : undefined;
    if (part.fallback !== undefined) return value ? value : evaluate(part.fallback, lookup);
    if (value !== undefined) return value;
    throw new Unusable(
      `variable ${part.name} is not set: set it, or write \${${part.name}:-fallback} to do without`,
    );
  }).join("");
}

function readTrimmed(path: string, lookup: Lookup): string {
  if (path.trim() === "") throw new Unusable("${file:} names no file");
  try {
    return lookup.readText(path).trim();
  } catch (thrown) {
    throw new Unusable(`cannot substitute \${file:}: ${messageOf(thrown)}`);
  }
}
