import { nearest } from "../../../core/nearest.ts";
import { daemonNote } from "../daemons.ts";
import { plainWord, shellSigns, type Word } from "../words.ts";
import type { IniSection } from "./ini.ts";

/** What deserves a look in the words of a command. */
export function commandNotes(words: readonly Word[]): string[] {
  const signs = shellSigns(words).map((sign) => JSON.stringify(sign)).join(", ");
  const notes = signs === "" ? [] : [
    `no shell reads the command, so these reach the program as arguments: ${signs}; in a script of svc they would work`,
  ];
  const note = daemonNote(words.map((word) => plainWord(word) ?? ""));
  return note === undefined ? notes : [...notes, note];
}

/** What is left out of the keys of a program. */
export function keyNotes({ keys, again }: IniSection): string[] {
  const notes: string[] = [];
  if (again.length > 0) {
    notes.push(`the section stands again on line ${again.join(", ")}: of each key the last one counts`);
  }
  const logs = [...keys].filter(([key]) => /^(?:stdout|stderr)_|^redirect_stderr$/.test(key));
  if (logs.length > 0) {
    const places = logs.map(([key, { line }]) => `${key} (line ${line})`).join(", ");
    notes.push(`svc keeps the output of each run in a log of its own, so these are left out: ${places}`);
  }
  for (const [key, { line, isShared }] of keys) {
    if (isShared || known.has(key) || /^(?:stdout|stderr)_/.test(key)) continue;
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
