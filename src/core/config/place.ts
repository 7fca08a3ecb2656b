import { type AST, parseTOML } from "toml-eslint-parser";
import type { KeyPath } from "./report.ts";

/** 1-based; 0 where there is none. */
export interface Position {
  line: number;
  column: number;
}

/** Finds where the key of a path stands; for a key that is not there, the nearest table around it. */
export type Placer = (path: KeyPath) => Position;

/**
 * A placer for TOML text. One scan of its lines answers what is written in the usual way; for anything else the text is
 * parsed with positions, once, which costs many times more. A text that this parser refuses (it knows which dates there
 * are, the loader's doesn't) keeps the places that the scan finds.
 */
export function createPlacer(whole: string): Placer {
  // A second mark of the byte order, where two programs have put one each.
  const text = whole.replace(/^\ufeff/, "");
  const scan = createScan(text);
  let positions: Map<string, Position> | "refused" | undefined;
  return (path) => {
    const scanned = positions instanceof Map ? undefined : scan(path);
    if (scanned !== undefined) return scanned;
    positions ??= positionsOf(text) ?? "refused";
    for (let length = path.length; length > 0; length--) {
      const around = path.slice(0, length);
      const found = positions === "refused" ? scan(around) : positions.get(identify(around));
      if (found !== undefined) return found;
    }
    return { line: 0, column: 0 };
  };
}

/** Finds by a scan of the lines, on first use, what has a header or a line of its own. */
function createScan(text: string): (path: KeyPath) => Position | undefined {
  let headers: Map<string, Position> | undefined;
  let keys: Map<string, Position> | undefined;
  return (path) => {
    headers ??= findHeaders(text);
    const header = headerFor(path, headers);
    if (header !== undefined) return header;
    keys ??= findKeys(text);
    return keys.get(path.join("\0"));
  };
}

/**
 * Where each `[SECTION]` and `[SECTION.NAME]` header stands, by its parts joined with a dot, found by a scan of
 * the lines; a section without a header of its own stands at its first table. What is written in another way
 * (inline, by dotted keys) is missing.
 */
export function findHeaders(text: string): Map<string, Position> {
  const headers = new Map<string, Position>();
  scanLines(text, (line, number) => {
    const match = header.exec(line);
    if (match === null) return;
    const [, indent = "", section = "", bare, quoted, literal, end] = match;
    const position = { line: number, column: indent.length + 1 };
    if (!headers.has(section)) headers.set(section, position);
    const name = bare ?? literal ?? (quoted === undefined ? undefined : unquote(quoted));
    if (name !== undefined && end === "]") headers.set(`${section}.${name}`, position);
  });
  return headers;
}

const header =
  /^([ \t]*)\[\[?[ \t]*([A-Za-z0-9_-]+)[ \t]*(?:\.[ \t]*(?:([A-Za-z0-9_-]+)|("(?:[^"\\]|\\.)*")|'([^']*)')[ \t]*)?([.\]])/;

/** Sections whose tables have names of their own. */
const named: ReadonlySet<unknown> = new Set(["tasks", "services", "notifiers", "compose"]);

function headerFor(path: KeyPath, headers: ReadonlyMap<string, Position>): Position | undefined {
  const [section, name] = path;
  if (path.length === 1) return headers.get(String(section));
  return path.length === 2 && named.has(section) ? headers.get(`${section}.${name}`) : undefined;
}

/** Where each `key = ...` stands below a header, by its path joined with NUL. */
function findKeys(text: string): Map<string, Position> {
  const keys = new Map<string, Position>();
  let above: string | undefined;
  scanLines(text, (line, number) => {
    const [, indent = "", key] = /^([ \t]*)([A-Za-z0-9_-]+|\[)/.exec(line) ?? [];
    if (key === undefined) return;
    if (key === "[") {
      above = tableOf(line);
      return;
    }
    const path = `${above}\0${key}`;
    if (above !== undefined && !keys.has(path)) keys.set(path, { line: number, column: indent.length + 1 });
  });
  return keys;
}

/** The table that a header begins, its path joined with NUL; undefined where its keys are nobody's to find here. */
function tableOf(line: string): string | undefined {
  const match = header.exec(line);
  if (match === null || line.trimStart().startsWith("[[")) return undefined;
  const [, , section = "", bare, quoted, literal, end] = match;
  if (end !== "]") return undefined;
  const name = bare ?? literal ?? (quoted === undefined ? undefined : unquote(quoted));
  if (name !== undefined) return named.has(section) ? `${section}\0${name}` : undefined;
  return quoted === undefined && !named.has(section) ? section : undefined;
}

/** Visits the lines that do not begin inside a multi-line string. */
function scanLines(text: string, visit: (line: string, number: number) => void): void {
  let open: string | undefined;
  let start = 0;
  for (let number = 1; start < text.length; number++) {
    let end = text.indexOf("\n", start);
    if (end < 0) end = text.length;
    const line = text.slice(start, end);
    if (open === undefined) visit(line, number);
    if (open !== undefined || line.includes('"""') || line.includes("'''")) open = leftOpen(line, open);
    start = end + 1;
  }
}

/** The delimiter of the multi-line string that is open at the end of a line, given the one at its start. */
function leftOpen(line: string, open: string | undefined): string | undefined {
  let at = 0;
  if (open !== undefined) {
    const end = closing(line, { from: 0, delimiter: open });
    if (end === undefined) return open;
    at = end;
  }
  while (at < line.length) {
    const char = line[at];
    if (char === "#") return undefined;
    if (char !== '"' && char !== "'") {
      at++;
      continue;
    }
    const delimiter = line.startsWith(char.repeat(3), at) ? char.repeat(3) : char;
    const end = closing(line, { from: at + delimiter.length, delimiter });
    if (end === undefined) return delimiter.length === 3 ? delimiter : undefined;
    at = end;
  }
  return undefined;
}

/** The index behind the closing delimiter of a string; undefined when the line ends first. */
function closing(line: string, { from, delimiter }: { from: number; delimiter: string }): number | undefined {
  const quote = delimiter[0];
  for (let at = from; at < line.length; at++) {
    if (line[at] === "\\" && quote === '"') at++;
    else if (line.startsWith(delimiter, at)) {
      let end = at + delimiter.length;
      // Up to two more quotes before the end of a multi-line string belong to it.
      while (delimiter.length === 3 && line[end] === quote && end < at + 5) end++;
      return end;
    }
  }
  return undefined;
}

function unquote(quoted: string): string | undefined {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === "string" ? value : undefined;
  } catch {
    // An escape that only TOML knows: the parse with positions will find it.
    return undefined;
  }
}

/** Every place in a text; undefined where the parser with positions refuses what the loader's takes. */
function positionsOf(text: string): Map<string, Position> | undefined {
  const positions = new Map<string, Position>();
  let program: AST.TOMLProgram;
  try {
    program = parseTOML(text, { tomlVersion: "1.1" });
  } catch {
    return undefined;
  }
  const note = (path: KeyPath, node: AST.TOMLNode): void => {
    const id = identify(path);
    if (!positions.has(id)) {
      positions.set(id, { line: node.loc.start.line, column: node.loc.start.column + 1 });
    }
  };
  const noteKeyValue = (base: KeyPath, node: AST.TOMLKeyValue): void => {
    let path = base;
    for (const key of node.key.keys.slice(0, MAX_LEVELS)) {
      path = [...path, keyName(key)];
      note(path, key);
    }
    noteValue(path, node.value);
  };
  const noteValue = (path: KeyPath, node: AST.TOMLContentNode): void => {
    if (path.length > MAX_LEVELS) return;
    if (node.type === "TOMLInlineTable") { for (const entry of node.body) noteKeyValue(path, entry); }
    if (node.type !== "TOMLArray") return;
    for (const [index, item] of node.elements.entries()) {
      // Only tables in a list have a place of their own; an error in another item points at the key.
      if (item.type === "TOMLInlineTable") note([...path, index], item);
      noteValue([...path, index], item);
    }
  };
  for (const node of program.body[0].body) {
    if (node.type === "TOMLKeyValue") noteKeyValue([], node);
    else {
      note(node.resolvedKey, node);
      for (const entry of node.body) noteKeyValue(node.resolvedKey, entry);
    }
  }
  // Tables that only longer headers imply stand where the first of these does.
  for (const node of program.body[0].body) {
    if (node.type !== "TOMLTable") continue;
    for (let length = Math.min(node.resolvedKey.length - 1, MAX_LEVELS); length > 0; length--) {
      note(node.resolvedKey.slice(0, length), node);
    }
  }
  return positions;
}

/** More levels than a place is ever asked for; keeps hostile nesting from filling the memory. */
const MAX_LEVELS = 32;

function keyName(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === "TOMLBare" ? key.name : key.value;
}

function identify(path: KeyPath): string {
  return JSON.stringify(path);
}
