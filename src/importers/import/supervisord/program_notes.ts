import { nearest } from "../../../core/nearest.ts";
import { shellSigns, type Word } from "../words.ts";
import type { IniSection } from "./ini.ts";

/** What deserves a look in the words of a command. */
export function commandNotes(words: readonly Word[]): string[] {
  const signs = shellSigns(words).map((sign) => JSON.stringify(sign)).join(", ");
  // A program that goes to the background did not work under supervisord either, so nothing is said of that.
  return signs === "" ? [] : [
    `no shell reads the command, so these reach the program as arguments: ${signs}; in a script of svc they would work`,
  ];
}

/** The keys of a program about the files of its output. */
export function logKeys({ keys }: IniSection): string[] {
  return [...keys].filter(([key, { isShared }]) => !isShared && isLogKey(key)).map(([key]) => key);
}

function isLogKey(key: string): boolean {
  return /^(?:stdout|stderr)_|^redirect_stderr$/.test(key);
}

/** What is left out of the keys of a program; those of its output are told once for the file. */
export function keyNotes({ keys, again }: IniSection): string[] {
  const notes: string[] = [];
  if (again.length > 0) {
    notes.push(`the section stands again on line ${again.join(", ")}: of each key the last one counts`);
  }
  for (const [key, { line, isShared }] of keys) {
    if (isShared || known.has(key) || isLogKey(key)) continue;
    const near = nearest(key, known);
    const hint = near === undefined ? "" : `: did you mean "${near}"?`;
    notes.push(`${JSON.stringify(key)} (line ${line}) is no key of a program, and is left out${hint}`);
  }
  if (keys.has("serverurl")) notes.push("serverurl is left out: svc has an HTTP API instead");
  return notes;
}

const known: ReadonlySet<string> = new Set([
  "command",
  "process_name",
  "numprocs",
  "numprocs_start",
  "priority",
  "autostart",
  "autorestart",
  "startsecs",
  "startretries",
  "exitcodes",
  "stopsignal",
  "stopwaitsecs",
  "stopasgroup",
  "killasgroup",
  "user",
  "redirect_stderr",
  "stdout_logfile",
  "stderr_logfile",
  "environment",
  "directory",
  "umask",
  "serverurl",
]);
