/** Where a value stands inside a TOML file: keys, and indices of arrays. */
export type KeyPath = readonly (string | number)[];

/** A value in one of the files. */
export interface Spot {
  file: string;
  path: KeyPath;
}

/** A finding that is not placed yet: placing costs a parse with positions, so it waits until all are known. */
export interface Finding extends Spot {
  severity: "error" | "warning";
  message: string;
  /** 1-based, where the finder knows it already (a syntax error). */
  at?: { line: number; column: number };
}

/** Where findings go. Only the first one about a value is kept: what follows from it would be noise. */
export interface Report {
  error(at: Spot, message: string): void;
  warning(at: Spot, message: string): void;
  /** A whole file that can't be used, with a position where there is one. */
  broken(file: string, why: { message: string; line?: number; column?: number }): void;
  findings(): readonly Finding[];
}

/** An empty report. */
export function createReport(): Report {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  const add = (finding: Finding): void => {
    const id = JSON.stringify([finding.severity, finding.file, finding.path]);
    if (seen.has(id)) return;
    seen.add(id);
    findings.push(finding);
  };
  return {
    error: ({ file, path }, message) => add({ severity: "error", file, path, message }),
    warning: ({ file, path }, message) => add({ severity: "warning", file, path, message }),
    broken: (file, { message, line = 0, column = 0 }) =>
      add({ severity: "error", file, path: [], message, at: { line, column } }),
    findings: () => findings,
  };
}

/** Dotted text of a path as TOML writes keys: `tasks."db.nightly".params[0].type`. */
export function keyText(path: KeyPath): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else text += (text === "" ? "" : ".") + (/^[A-Za-z0-9_-]+$/.test(part) ? part : JSON.stringify(part));
  }
  return text;
}
