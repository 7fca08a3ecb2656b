import { resolvePath } from "../../../core/config/path.ts";
import { formatDuration } from "../../../core/duration.ts";
import { Template } from "../imported.ts";
import { hasPlaceholder } from "../placeholders.ts";
import { watcherNote } from "../watchers.ts";
import {
  hasLooseWord,
  type Piece,
  plainWord,
  shellCommand,
  shellWord,
  splitWords,
  type Word,
} from "../words.ts";
import { readEnvironment } from "./environment.ts";
import { expand, type ExpandedPiece, type Meaning, plainText, shellOf, templateOf } from "./expand.ts";
import type { IniSection } from "./ini.ts";
import { commandNotes, keyNotes } from "./program_notes.ts";
import { Values } from "./values.ts";

/** What a program takes from the rest of the configuration and from the machine. */
export interface ProgramContext {
  /** The folder of the file; undefined for standard input. */
  here: string | undefined;
  hostname: string;
  /** The environment that [supervisord] gives to all. */
  shared: ReadonlyMap<string, readonly ExpandedPiece[]>;
  user: string | undefined;
  directory: string | Template | undefined;
  umask: string | undefined;
  group: string | undefined;
}

/** A program as a service of svc; throws `ValueFault` for what supervisord refuses as well. */
export function readProgram(
  section: IniSection,
  context: ProgramContext,
): { settings: Record<string, unknown>; notes: string[] } {
  const values = new Values(section);
  const notes = keyNotes(section);
  const count = values.whole("numprocs", { fallback: 1, min: 1 });
  const name = section.name.slice("program:".length).trim();
  const group = context.group ?? name;
  const own = new Map<string, readonly ExpandedPiece[]>();
  const unset = new Set<string>();
  let usesHost = false;
  const first = values.whole("numprocs_start", { fallback: 0 });
  const meaningOf = (word: string): Meaning | undefined => {
    if (word === "program_name") return { is: "text", text: name };
    if (word === "group_name") return { is: "text", text: group };
    if (word === "numprocs") return { is: "text", text: String(count) };
    if (word === "process_num") {
      return count === 1 ? { is: "text", text: String(first) } : { is: "number", first };
    }
    const meaning = sharedMeaning(word, { ...context, variables: [own, context.shared] });
    if (meaning?.is === "variable") unset.add(meaning.name);
    usesHost ||= word === "host_node_name";
    return meaning;
  };
  const read = (key: string): ExpandedPiece[] | undefined => {
    const value = values.at(key);
    if (value === undefined) return undefined;
    const expanded = expand(value.text, meaningOf);
    if ("fault" in expanded) throw values.fault(key, expanded.fault);
    return expanded.pieces;
  };

  const exported: string[] = [];
  const env = new Map<string, string | Template>();
  const add = (key: string, pieces: readonly ExpandedPiece[]): void => {
    const template = templateOf(pieces);
    for (const piece of pieces) {
      if (typeof piece !== "string" && piece.is === "variable") unset.add(piece.name);
    }
    const text = plainText(pieces);
    if (text !== undefined) env.set(key, text);
    else if (template !== undefined) env.set(key, new Template(template));
    else exported.push(`export ${key}=${shellWord(pieces.map(quotedPiece))}`);
  };
  for (const [key, pieces] of readVariables(read("environment") ?? [], values)) own.set(key, pieces);
  for (const [key, pieces] of new Map([...context.shared, ...own])) add(key, pieces);

  const words = readCommand(read("command") ?? [], values);
  notes.push(...commandNotes(words));
  const processName = values.at("process_name")?.text ?? "%(program_name)s";
  if (count > 1 && !processName.includes("%(process_num)")) {
    notes.push(
      "supervisord refuses numprocs above 1 unless process_name holds %(process_num)s; here instances have numbers anyway",
    );
  }
  read("process_name");
  const stopsGroup = values.flag("stopasgroup", false);
  if (!values.flag("killasgroup", stopsGroup) && stopsGroup) {
    notes.push(
      "supervisord refuses stopasgroup=true with killasgroup=false; svc always stops and kills the whole group",
    );
  }
  const codes = values.exitCodes();
  // Where no code is expected, every end is unexpected.
  const restart = codes.length === 0 && values.restart() === "on_failure" ? "always" : values.restart();
  const healthyAfter = values.whole("startsecs", { fallback: 1 });
  const isStarter = restart === "never" && healthyAfter === 0;
  if (isStarter) {
    notes.push(
      "it seems to run once at the start, so what it leaves behind lives on (kill_strays = false), as with supervisord; " +
        "a task with run_on_start = true says that, too",
    );
  }
  const watches = watcherNote(words.map((word) => plainWord(word) ?? "").join(" "));
  if (watches !== undefined) notes.push(watches);
  const user = ownText(read("user"), values, "user") ?? context.user;
  const umask = values.umask() ?? context.umask;
  const folder = templateText(read("directory"), { values, key: "directory" });
  const directory = inFolder(folder, context.directory) ?? context.directory;
  if (typeof directory === "string" && folder !== undefined && !/^[/~]/.test(directory)) {
    notes.push(
      `directory=${directory} is relative to the folder in which supervisord was started, working_dir to that of the ` +
        "configuration file: write the whole path",
    );
  }
  for (const key of ["user", "directory"]) {
    if (/\$|^<.*>$/.test(values.at(key)?.text ?? "") || hasPlaceholder(values.at(key)?.text ?? "")) {
      notes.push(`${key}=${values.at(key)?.text} holds a placeholder that was never filled in`);
    }
  }
  if (directory === undefined && /^[^/]+\//.test(plainWord(words[0] ?? []) ?? "/")) {
    notes.push(
      "its program is named relative to the folder in which supervisord was started: set working_dir to that",
    );
  }
  if (usesHost) {
    notes.push(`the name of the machine, ${JSON.stringify(context.hostname)}, is put in once, here`);
  }
  if (unset.size > 0) {
    notes.push(
      `${[...unset].join(", ")} must be set in the environment of svc: unset is an error, as in supervisord`,
    );
  }
  return {
    settings: {
      run: [...(hasLooseWord(words) ? ["set -f"] : []), ...exported, `exec ${shellCommand(words)}`].join(
        "\n",
      ),
      ...(context.group === undefined ? {} : { group: context.group }),
      ...(count === 1 ? {} : { instances: count }),
      ...(values.flag("autostart", true) ? {} : { autostart: false }),
      priority: values.whole("priority", { fallback: 999, min: Number.MIN_SAFE_INTEGER }),
      restart,
      ...(codes.length === 0 || codes.join() === "0" ? {} : { exit_codes: codes }),
      healthy_after: seconds(healthyAfter),
      start_retries: Math.max(0, values.whole("startretries", { fallback: 3, min: Number.MIN_SAFE_INTEGER })),
      stop_signal: values.signal(),
      ...(isStarter ? { kill_strays: false } : {}),
      graceful_stop: seconds(values.whole("stopwaitsecs", { fallback: 10 })),
      ...(user === undefined ? {} : { user }),
      ...(umask === undefined ? {} : { umask }),
      working_dir: directory ?? "/",
      ...(env.size === 0 ? {} : { env: Object.fromEntries(env) }),
    },
    notes,
  };
}

/** What a name stands for in every part of the configuration. */
export function sharedMeaning(
  word: string,
  { here, hostname, variables }: {
    here: string | undefined;
    hostname: string;
    variables: readonly ReadonlyMap<string, readonly ExpandedPiece[]>[];
  },
): Meaning | undefined {
  if (word === "here") return here === undefined ? undefined : { is: "text", text: here };
  if (word === "host_node_name") return { is: "text", text: hostname };
  const name = /^ENV_([A-Za-z_]\w*)$/.exec(word)?.[1];
  if (name === undefined) return undefined;
  for (const known of variables) {
    const text = plainText(known.get(name) ?? [{ is: "variable", name, width: 0 }]);
    if (text !== undefined) return { is: "text", text };
  }
  return { is: "variable", name };
}

/** The variables of a value of `environment`, in pieces. */
export function readVariables(
  pieces: readonly ExpandedPiece[],
  values: Values,
): Map<string, readonly ExpandedPiece[]> {
  const { text, late } = marked(pieces);
  const read = readEnvironment(text);
  if ("fault" in read) throw values.fault("environment", read.fault);
  const found = new Map<string, readonly ExpandedPiece[]>();
  for (const [name, value] of read.variables) {
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      throw values.fault("environment", `${JSON.stringify(name)} is no name of a variable`);
    }
    found.set(
      name,
      value.split(/\0(\d+)\0/).map((part, at) => at % 2 === 0 ? part : late[Number(part)] ?? "")
        .filter((part) => part !== ""),
    );
  }
  return found;
}

/** A value as one text, in which marks stand for what is known late. */
function marked(pieces: readonly ExpandedPiece[]): { text: string; late: Exclude<ExpandedPiece, string>[] } {
  const late: Exclude<ExpandedPiece, string>[] = [];
  const text = pieces.map((piece) => typeof piece === "string" ? piece : `\0${late.push(piece) - 1}\0`).join(
    "",
  );
  return { text, late };
}

function readCommand(pieces: readonly ExpandedPiece[], values: Values): Word[] {
  if (values.at("command") === undefined) {
    throw new Values(values.section).fault("command", "it has no command");
  }
  const { text, late } = marked(pieces);
  const split = splitWords(text, late.map(shellOf));
  if ("fault" in split) {
    const hint = values.at("command")?.isCut
      ? ': a blank and ";" or "#" begin a remark, even within quotes'
      : "";
    throw values.fault("command", `${split.fault}, so supervisord refuses it${hint}`);
  }
  if (split.words.length === 0) throw values.fault("command", "it is empty");
  // supervisord splits what it has put in; digits alone need no splitting.
  const isVariable = (shell: string): boolean => shell.startsWith("${");
  return split.words.map((word) =>
    word.map((piece) =>
      typeof piece === "string" || isVariable(piece.shell) ? piece : { ...piece, isQuoted: true }
    )
  );
}

function quotedPiece(piece: ExpandedPiece): Piece {
  return typeof piece === "string" ? piece : { shell: shellOf(piece), isQuoted: true };
}

function ownText(pieces: ExpandedPiece[] | undefined, values: Values, key: string): string | undefined {
  if (pieces === undefined) return undefined;
  const text = plainText(pieces);
  if (text === undefined) throw values.fault(key, "it is known only when it runs: write the value itself");
  return text === "" ? undefined : text;
}

/** A folder of a program from that of supervisord, which is where it starts. */
function inFolder(
  own: string | Template | undefined,
  base: string | Template | undefined,
): string | Template | undefined {
  const isRelative = typeof own === "string" && !/^[/~]/.test(own);
  return isRelative && typeof base === "string" && base.startsWith("/") ? resolvePath(own, { base }) : own;
}

/** A value in which svc puts in what it knows when it loads. */
export function templateText(
  pieces: ExpandedPiece[] | undefined,
  { values, key }: { values: Values; key: string },
): string | Template | undefined {
  if (pieces === undefined) return undefined;
  const text = plainText(pieces);
  if (text !== undefined) return text === "" ? undefined : text;
  const template = templateOf(pieces);
  if (template === undefined) {
    throw values.fault(key, "it differs from process to process: svc has one for all");
  }
  return new Template(template);
}

function seconds(count: number): string {
  return formatDuration(count * 1000);
}
