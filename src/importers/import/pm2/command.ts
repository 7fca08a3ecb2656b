import { readShell, strictNote } from "../shell_text.ts";
import { hasLooseWord, plainWord, shellCommand, type Word } from "../words.ts";
import type { Fields } from "./fields.ts";
import { wordOf, wordsOf } from "./text.ts";
import { watcherNote } from "../watchers.ts";
import { isWindowsPath } from "./windows.ts";
import { List, type Text } from "./value.ts";

/** How an app is started. */
export interface AppCommand {
  /** Lines of its script. */
  words: string[];
  /** The shell that reads it, where that matters. */
  shell?: string;
  name: string;
  /** The program that interprets its script; "" where there is none. */
  starter: string;
  notes: string[];
}

/** The command of an app. Throws `AppFault`. */
export function commandOf(fields: Fields): AppCommand {
  const script = fields.text("script");
  if (script === undefined || script === "") {
    throw fields.fault("script", "it has none, so there is nothing to run");
  }
  const plain = typeof script === "string" ? script : "";
  if (/^[A-Za-z]:[\\/]|^\.{0,2}\\|^[\w.-]+\\/.test(plain) || (!plain.includes(" ") && isWindowsPath(plain))) {
    throw fields.fault("script", `${JSON.stringify(plain)} is a path of Windows`);
  }
  const interpreter = fields.text("interpreter");
  if (plain === "serve" && interpreter === undefined) {
    throw fields.fault(
      "script",
      '"serve" is built into pm2, which serves a folder of files: run a web server for that',
    );
  }
  const notes: string[] = [];
  const args = argumentsOf(fields, notes);
  const name = fields.plain("name") ?? baseName(plain);
  if (plain.includes(" ") && (interpreter === undefined || interpreter === "none")) {
    if (args.length > 0) {
      notes.push(`args (line ${fields.line("args")}) is left out, as in pm2: script is a whole command`);
    }
    const strict = strictNote(readShell(plain));
    if (strict !== undefined) notes.push(strict);
    return { words: [plain], shell: "/bin/bash", name, starter: "bash", notes };
  }
  const starter = starterOf(plain, interpreter, notes);
  const before = fields.value("interpreter_args") === undefined ? [] : listOf(fields, "interpreter_args");
  if (starter === undefined && before.length > 0) {
    notes.push(
      `interpreter_args (line ${fields.line("interpreter_args")}) is left out: nothing interprets it`,
    );
  }
  const words = [...(starter === undefined ? [] : [wordOf(starter), ...before]), wordOf(script), ...args];
  const watches = watcherNote(words.map((word) => plainWord(word) ?? "").join(" "));
  if (watches !== undefined) notes.push(watches);
  return {
    words: [...(hasLooseWord(words) ? ["set -f"] : []), `exec ${shellCommand(words)}`],
    name,
    starter: starter === undefined ? "" : typeof starter === "string" ? starter : endOf(starter),
    notes,
  };
}

function argumentsOf(fields: Fields, notes: string[]): Word[] {
  const args = fields.value("args");
  if (args === undefined) return [];
  if (typeof args === "string" && /^\s*\[.*\]\s*$/.test(args)) {
    notes.push(
      `args (line ${fields.line("args")}) looks like a list, but is text: pm2 splits it at its blanks`,
    );
  }
  return listOf(fields, "args");
}

/** Items of a list as words; text is split. */
function listOf(fields: Fields, key: string): Word[] {
  const texts = fields.texts(key);
  const value = fields.value(key);
  return value instanceof List ? texts.map(wordOf) : texts.flatMap(wordsOf);
}

/** The program that interprets a script; undefined where it starts by itself. */
function starterOf(
  script: string,
  interpreter: string | Text | undefined,
  notes: string[],
): string | Text | undefined {
  if (interpreter === "none") return undefined;
  if (interpreter !== undefined && typeof interpreter !== "string") return interpreter;
  if (interpreter !== undefined) {
    if (!/^node@/.test(interpreter)) return interpreter;
    notes.push(`pm2 would have nvm run it by ${interpreter}: here by the node in PATH`);
    return "node";
  }
  const extension = /\.([a-z]+)$/.exec(script)?.[1] ?? "";
  const known = interpreters.get(extension);
  if (known !== undefined) return known;
  if (script.includes("/") || extension !== "") {
    notes.push(
      "pm2 has node run what is no binary: here it is run as a program, by what its first line names",
    );
  }
  return undefined;
}

/** What a path ends in that begins with a variable: the program's name. */
function endOf({ pieces }: Text): string {
  const last = pieces.at(-1);
  return typeof last === "string" ? last : "";
}

function baseName(script: string): string {
  return script.slice(script.lastIndexOf("/") + 1).split(/\s/)[0]?.replace(/\.[a-z]+$/, "") ?? "";
}

const interpreters: ReadonlyMap<string, string> = new Map([
  ["js", "node"],
  ["mjs", "node"],
  ["cjs", "node"],
  ["ts", "bun"],
  ["tsx", "bun"],
  ["sh", "bash"],
  ["py", "python3"],
  ["rb", "ruby"],
  ["php", "php"],
  ["pl", "perl"],
  ["coffee", "coffee"],
  ["ls", "lsc"],
]);
