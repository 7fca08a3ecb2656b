import type { Problem } from "../../types.ts";
import { createPlacer, type Placer } from "./place.ts";
import { type Finding, keyText, type Report } from "./report.ts";
import { isTable, type SourceFile, valueAt } from "./source.ts";

/** Findings of one severity as problems with line and column, in the order of the files, then of their places. */
export function toProblems(
  severity: Finding["severity"],
  { report, files }: { report: Report; files: readonly SourceFile[] },
): Problem[] {
  const findings = report.findings().filter((finding) => finding.severity === severity);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const ranks = new Map(files.map((file, index) => [file.path, index]));
  const placers = new Map<string, Placer>();
  const placerOf = (file: SourceFile): Placer => {
    const placer = placers.get(file.path) ?? createPlacer(file.text);
    placers.set(file.path, placer);
    return placer;
  };
  const problems = findings.map((finding): Problem => {
    const file = byPath.get(finding.file);
    const path = file === undefined ? finding.path : keyed(finding.path, file);
    const { line, column } = finding.at ??
      (file === undefined || path.length === 0 ? { line: 0, column: 0 } : placerOf(file)(path));
    return { file: finding.file, line, column, key: keyText(path), message: oneLine(finding.message) };
  });
  const rank = (problem: Problem): number => ranks.get(problem.file) ?? files.length;
  problems.sort((a, b) =>
    rank(a) - rank(b) || compare(a.file, b.file) || a.line - b.line || a.column - b.column
  );
  const more = report.more(severity);
  const last = problems.at(-1);
  if (more > 0 && last !== undefined) {
    const message = `and ${more} more ${severity}${more === 1 ? "" : "s"}, which are not listed`;
    problems.push({ file: last.file, line: 0, column: 0, key: "", message });
  }
  return problems;
}

/** A bare item of a list has no key of its own: it goes by the list's, a table in a list by its index. */
function keyed(path: Finding["path"], file: SourceFile): Finding["path"] {
  if (typeof path.at(-1) !== "number") return path;
  return isTable(valueAt(file.tree, path)) ? path : path.slice(0, -1);
}

/** A message quotes what files say: a line break or an escape sequence in it must not reach a terminal. */
function oneLine(message: string): string {
  return message.replace(
    // deno-lint-ignore no-control-regex
    /[\x00-\x1f\x7f-\x9f\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
