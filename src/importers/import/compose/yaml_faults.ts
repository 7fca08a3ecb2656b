import { parseYaml } from "../../../core/yaml.ts";

/**
 * What is wrong with YAML that can't be read, and the first line of it. A reader stops at the first fault; so that
 * nobody mends one after the other, the block that holds it is left out and the rest is read again.
 */
export function faultsOf(text: string): { line: number; fault: string } {
  const lines = text.split("\n");
  const found = new Map<number, string>();
  for (const [index, line] of lines.entries()) {
    const [blank = ""] = /^[ \t]*(?=[^\s#])/.exec(line) ?? [];
    if (!blank.includes("\t")) continue;
    if (found.size < MOST) found.set(index + 1, "it is indented by a tab, which YAML does not allow");
    lines[index] = blank.replaceAll("\t", "    ") + line.slice(blank.length);
  }
  while (found.size < MOST) {
    const parsed = parseYaml(lines.join("\n"));
    if (!("fault" in parsed)) break;
    const [, number, why = parsed.fault] = /^line (\d+), column \d+: ([^]*)$/.exec(parsed.fault) ?? [];
    const line = Number(number ?? 0);
    // What comes up again, or stands in no line, can't be left out.
    if (found.has(line) || line === 0) {
      if (found.size === 0) found.set(line, why);
      break;
    }
    found.set(line, why);
    if (text.length > LARGE || !leaveOut(lines, line - 1)) break;
  }
  const ordered = [...found].sort(([a], [b]) => a - b);
  const [first, ...others] = ordered;
  const more = others.map(([line, why]) => `; line ${line}: ${why}`).join("");
  return { line: first?.[0] ?? 0, fault: `it is no YAML that can be read: ${first?.[1] ?? ""}${more}` };
}

/** The most faults that are told. */
const MOST = 6;

/** A larger text is not read again and again, in characters. */
const LARGE = 1_000_000;

/** Blanks a line and what is indented below it; false where nothing stands there. */
function leaveOut(lines: string[], index: number): boolean {
  const indent = indentOf(lines[index] ?? "");
  if (indent === undefined) return false;
  lines[index] = "";
  for (let next = index + 1; next < lines.length; next++) {
    const own = indentOf(lines[next] ?? "");
    if (own !== undefined && own <= indent) break;
    lines[next] = "";
  }
  return true;
}

function indentOf(line: string): number | undefined {
  const at = line.search(/\S/);
  return at < 0 ? undefined : at;
}
