import {
  type Entry,
  type ImportContext,
  type Imported,
  type ImportedUnit,
  type SourceFile,
  takenWith,
} from "../imported.ts";
import { escapeGlob } from "../../../core/config/glob.ts";
import { UnitNames } from "../names.ts";
import { readShell, strictNote } from "../shell_text.ts";
import { shortLine } from "../short_line.ts";
import { watcherNote } from "../watchers.ts";

/** Makes services of Procfiles, and tasks of what runs once: `release` and `console`. */
export function importProcfile(files: readonly SourceFile[], context: ImportContext): Imported {
  const names = new UnitNames(context.taken);
  const read = files.map((file) => readProcfile(file, { context, names }));
  const units = read.flatMap((one) => one.units);
  const entries = read.flatMap((one) => one.entries);
  const [first] = entries;
  if (units.length > 0 || first === undefined || entries.some(({ what }) => /^[\w.-]+:(?:\s|$)/.test(what))) {
    return { units, entries };
  }
  const { file, line } = first;
  return {
    units,
    entries,
    broken: { file, line, why: "it is no Procfile: no line has a name, a colon and a command" },
  };
}

function readProcfile(
  { path, text }: SourceFile,
  { context, names }: { context: ImportContext; names: UnitNames },
): Imported {
  const folder = path === "-" ? undefined : path.slice(0, Math.max(1, path.lastIndexOf("/")));
  const env = folder === undefined ? undefined : context.files(`${escapeGlob(folder)}/.env`)[0];
  const basePort = portIn(env?.text ?? "") ?? 5000;
  const units: ImportedUnit[] = [];
  const entries: Entry[] = [];
  const lines = new Map<string, number>();
  // Foreman hands out ports in the order of the processes that it reads.
  let processes = 0;
  let goesOn = 0;
  for (const [index, raw] of text.split("\n").entries()) {
    const line = raw.trimEnd();
    const number = index + 1;
    if (line === "" || line.startsWith("#")) continue;
    const entry = { file: path, line: number, what: shortLine(line) };
    const refuse = (why: string): void => void entries.push({ ...entry, fate: { is: "refused", why } });
    const continues = goesOn;
    goesOn = line.endsWith("\\") ? number : 0;
    const found = readProcess(line);
    if ("fault" in found) {
      refuse(
        continues > 0
          ? `a Procfile has no continued lines: the backslash of line ${continues} does not reach it`
          : found.fault,
      );
      continue;
    }
    const { name: wanted, command } = found;
    const port = found.isKnown ? basePort + 100 * processes++ : undefined;
    const earlier = lines.get(wanted);
    if (earlier !== undefined) {
      refuse(`a process ${JSON.stringify(wanted)} stands on line ${earlier} already: rename one of them`);
      continue;
    }
    lines.set(wanted, number);
    const shell = readShell(command);
    if (shell.fault !== undefined && goesOn === 0) {
      refuse(`it is no whole shell command: ${shell.fault}`);
      continue;
    }
    const { name, note } = names.given(wanted);
    const strict = strictNote(shell);
    const notes = [note, strict].filter((one) => one !== undefined).concat(notesOf(found, goesOn > 0));
    const watches = watcherNote(command);
    if (watches !== undefined) notes.push(watches);
    if (port !== undefined && /\bPORT\b/.test(command)) {
      notes.push(`foreman would set PORT to ${port} for it, and so does this`);
    }
    if (folder === undefined) {
      notes.push("its working folder is that of the configuration file: set working_dir");
    }
    const isOnce = wanted === "release" || wanted === "console";
    units.push({
      kind: isOnce ? "task" : "service",
      name,
      settings: {
        run: command,
        ...(folder === undefined ? {} : { working_dir: folder }),
        ...(env === undefined ? {} : { env_file: env.path }),
        ...(port === undefined ? {} : { env: { PORT: String(port) } }),
      },
    });
    entries.push({ ...entry, unit: name, fate: takenWith(notes) });
  }
  return { units, entries };
}

interface Process {
  name: string;
  command: string;
  /** Whether foreman itself would read it. */
  isKnown: boolean;
}

function readProcess(line: string): Process | { fault: string } {
  const colon = line.indexOf(":");
  if (colon < 0) return { fault: "it is no process: a name, a colon and a command are due" };
  const name = line.slice(0, colon);
  const command = line.slice(colon + 1).trim();
  if (/^\s/.test(line)) return { fault: "a blank stands in front of the name: foreman passes the line over" };
  if (!/^[^\s/"'$&|;<>()]+$/.test(name)) {
    return { fault: `${JSON.stringify(name)} is no name of a process: foreman passes the line over` };
  }
  if (command === "") return { fault: "no command stands behind the colon" };
  return { name, command, isKnown: /^[A-Za-z0-9_-]+$/.test(name) };
}

function notesOf({ name, command, isKnown }: Process, goesOn: boolean): string[] {
  const notes: string[] = [];
  if (!isKnown) notes.push(`foreman passes over names such as ${JSON.stringify(name)}; it is taken here`);
  if (command.startsWith(`${name}:`)) {
    notes.push(`its command begins with ${JSON.stringify(`${name}:`)}, most likely by mistake`);
  }
  if (goesOn) notes.push("it ends in a backslash, but a line of a Procfile can't go on on the next one");
  if (name === "release") {
    notes.push("it runs once for each release: a task without a schedule, run it by svc run");
  }
  if (name === "console") notes.push("it is used by hand: a task without a schedule, and without a terminal");
  return notes;
}

/** The port that a file of variables begins to count at. */
function portIn(text: string): number | undefined {
  const port = /^[ \t]*(?:export[ \t]+)?PORT[ \t]*=[ \t]*["']?(\d{1,5})["']?[ \t]*$/m.exec(text)?.[1];
  return port === undefined ? undefined : Number(port);
}
