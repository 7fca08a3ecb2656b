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

/** A sentence, or what makes it: it may cost more than can be spent on findings that nobody is told of. */
export type Message = string | (() => string);

/**
 * Where findings go. Only the first one about a value is kept: what follows from it would be noise; and of errors and
 * warnings a thousand each, since nobody reads more.
 */
export interface Report {
  error(at: Spot, message: Message): void;
  warning(at: Spot, message: Message): void;
  /** A whole file that can't be used, with a position where there is one. */
  broken(file: string, why: { message: string; line?: number; column?: number }): void;
  findings(): readonly Finding[];
  /** How many more there were than are kept. */
  more(severity: Finding["severity"]): number;
}

const most = 1_000;

/** An empty report. */
export function createReport(): Report {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  const counts = { error: 0, warning: 0 };
  const add = (finding: Omit<Finding, "message">, message: Message): void => {
    const id = JSON.stringify([finding.severity, finding.file, finding.path]);
    if (seen.has(id)) return;
    seen.add(id);
    if (++counts[finding.severity] > most) return;
    findings.push({ ...finding, message: typeof message === "string" ? message : message() });
  };
  return {
    error: ({ file, path }, message) => add({ severity: "error", file, path }, message),
    warning: ({ file, path }, message) => add({ severity: "warning", file, path }, message),
    broken: (file, { message, line = 0, column = 0 }) =>
      add({ severity: "error", file, path: [], at: { line, column } }, message),
    findings: () => findings,
    more: (severity) => Math.max(0, counts[severity] - most),
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
