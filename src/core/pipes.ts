import type { Unit } from "../types.ts";
import { isPosixShell } from "./posix_shell.ts";

/** What of a script is text, not command: here-documents, quotes, comments. */
const texts = [/<<-?\s*(['"]?)(\w+)\1[^]*?^\s*\2$/gm, /'[^']*'|"(?:[^"\\]|\\.)*"|\\./gs, /(?<=^|\s)#.*$/gm];
/** Patterns of a case: `-h|--help)`. */
const pattern = /^\s*\(?[^\s()|]+(?:\s*\|\s*[^\s()|]+)*\s*\)/gm;

/** Whether a shell script has a pipe outside of quotes, comments and patterns; it is judged by its looks. */
export function hasPipe(script: string): boolean {
  const commands = texts.reduce((text, aside) => text.replace(aside, "x"), script).replace(pattern, "");
  return /(?<![|>])\|(?!\|)/.test(commands);
}

/** Units that take a failure in a pipe for a success. */
export function unheededPipes(units: readonly Unit[]): Unit[] {
  return units.filter(({ run, pipefail, shell }) => !pipefail && isPosixShell(shell) && hasPipe(run));
}
