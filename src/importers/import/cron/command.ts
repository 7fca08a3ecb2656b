import { hasPlaceholder } from "../placeholders.ts";
import { readShell, strictNote } from "../shell_text.ts";
import { leftBehind } from "./background.ts";

/** A command of a crontab as a script of svc. */
export interface EntryCommand {
  /** What the shell is given. */
  run: string;
  /** Whether what it leaves behind must live on. */
  keepsStrays: boolean;
  notes: string[];
}

/**
 * Makes a script of what stands behind the time: the first bare `%` ends the command and begins its standard
 * input, in which each further one is a line break; `\%` is the sign itself. Undefined when nothing is left to run.
 * `program` is the shell that reads it, where it is not /bin/sh.
 */
export function readCommand(text: string, program?: string): EntryCommand | undefined {
  const { command, input } = splitAtPercent(text);
  if (command.trim() === "") return undefined;
  const shell = readShell(command);
  const { fault, outside } = shell;
  const notes = commandNotes(command, outside);
  const strict = strictNote(shell);
  if (strict !== undefined) notes.push(strict);
  let run = command;
  if (input !== undefined) {
    if (fault === undefined) {
      run = withInput(command, input);
      notes.unshift(
        'the text behind the first bare "%" is its standard input; "\\%" would be the sign itself',
      );
    } else {
      notes.unshift(
        `the command ends at the first bare "%", so ${fault}: no whole shell command, and it fails in cron as well; ` +
          'for the sign itself write "%" here',
      );
    }
  } else if (fault !== undefined) {
    notes.unshift(
      fault.startsWith("its here")
        ? "a here-document can't work in a crontab: its lines are entries of their own"
        : fault === "it ends in a backslash"
        ? "it ends in a backslash, but a command of a crontab can't go on on the next line"
        : `it is no whole shell command: ${fault}`,
    );
  }
  const left = leftBehind(command, { text: shell, shell: program });
  if (left !== undefined) notes.push(left.note);
  return { run, keepsStrays: left !== undefined, notes };
}

function splitAtPercent(text: string): { command: string; input?: string } {
  let command = "";
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === "%") return { command, input: inputOf(text.slice(at + 1)) };
    if (char !== "\\") command += char;
    else if (text[at + 1] === "%") command += text[++at];
    // Whatever follows is taken along, so that two backslashes protect nothing.
    else command += char + (text[++at] ?? "");
  }
  return { command };
}

function inputOf(text: string): string {
  let input = "";
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char === "%") input += "\n";
    else if (char === "\\" && text[at + 1] === "%") input += text[++at];
    else input += char;
  }
  return input === "" || input.endsWith("\n") ? input : `${input}\n`;
}

function withInput(command: string, input: string): string {
  let mark = "INPUT";
  while (input.split("\n").includes(mark)) mark += "_";
  return `{ ${command}\n} <<'${mark}'\n${input}${mark}\n`;
}

/** What deserves a look, by a sign of it in the command, or in what stands outside of its quotes. */
const signs: readonly { find: RegExp; outside?: boolean; unless?: RegExp; note: string }[] = [
  {
    find: /\\\\/,
    note: "Debian's cron makes one backslash of two before it runs a command, others don't: both are kept",
  },
  { find: /[“”„‘’]/, note: "its curly quotes are ordinary letters to a shell" },
  {
    find: /^[A-Za-z]:\\/,
    note: "it begins with a Windows path, of which a shell eats the backslashes",
  },
  {
    find: /\/proc\/1\/fd\/[012]/,
    note: "the output belongs to the log of its run: the redirection to /proc/1 can go",
  },
  {
    find: /^\d+[ \t]/,
    note: "its command begins with a number: a line of another table, such as anacron's?",
  },
  {
    find: /\bflock\b.*?(?:\s-\w*n|\s-w\s*0|--nonblock)/,
    note: 'on_overlap = "skip" does what its flock does for runs of this task',
  },
  {
    find: /(?:^|&&|;)\s*(?:\[\s|\[\[\s|test\s)[^;|]*?&&/,
    outside: true,
    unless: /\|\|/,
    note: "where its test does not hold it ends with 1, which is a failure here; " +
      "exit_codes or an if around it would take that for success",
  },
  { find: /\r/, note: "a carriage return stands in it, which a shell takes for a part of a word" },
  { find: /^[^]{999,}/, note: "classic cron refuses a command of over 998 characters" },
];

function commandNotes(command: string, outside: string): string[] {
  const open = hasPlaceholder(command.slice(0, 4000))
    ? ["it holds a placeholder that was never filled in"]
    : [];
  const found = signs.filter((sign) => {
    // Signs stand near the head; a hostile line must not cost time.
    const text = (sign.outside ? outside : command).slice(0, 4000);
    return sign.find.test(text) && !(sign.unless?.test(text) ?? false);
  });
  return [...open, ...found.map(({ note }) => note)];
}
