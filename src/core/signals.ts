import { nearest } from "./nearest.ts";

/** A signal by its name, with or without SIG and in any case, or by its number, as "SIGTERM"; or what is wrong. */
export function readSignal(text: string): { name: string } | { fault: string } {
  const upper = text.toUpperCase();
  const name = numbers.get(upper) ?? upper.replace(/^SIG/, "");
  if (names.has(name)) return { name: `SIG${name}` };
  const near = nearest(name, names);
  return {
    fault: `it is no signal that svc can send${near === undefined ? "" : `: did you mean "${near}"?`}`,
  };
}

/** As Linux counts them. */
const numbers: ReadonlyMap<string, string> = new Map([
  ["1", "HUP"],
  ["2", "INT"],
  ["3", "QUIT"],
  ["6", "ABRT"],
  ["9", "KILL"],
  ["10", "USR1"],
  ["12", "USR2"],
  ["15", "TERM"],
]);

const names: ReadonlySet<string> = new Set([
  ...numbers.values(),
  "ALRM",
  "CONT",
  "STOP",
  "TSTP",
  "TTIN",
  "TTOU",
  "URG",
  "VTALRM",
  "WINCH",
  "XCPU",
]);
