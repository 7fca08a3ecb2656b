import type { Command, Option } from "commander";

/** What stands at the cursor of a command line: an option or a value of a kind, the name that the help gives it. */
export type Wanted =
  /** A word that may be an option, with `positional` as the kind of value that may stand there in its place. */
  | { what: "option"; used: ReadonlySet<string> }
  | { what: "value"; kind: string; choices: readonly string[]; prefix: string };

/** Where the cursor of a command line is. */
export interface Cursor {
  wanted: Wanted;
  /** Values of options that were given before it, by attribute name. */
  given: ReadonlyMap<string, string>;
  /** Words before it that are no options. */
  operands: readonly string[];
}

/** Finds out what stands at the last of the words of a command. */
export function cursorAt(command: Command, words: readonly string[]): Cursor {
  const given = new Map<string, string>();
  const used = new Set<string>();
  const operands: string[] = [];
  const current = words.at(-1) ?? "";
  let waiting: Option | undefined;
  let onlyOperands = false;
  for (const word of words.slice(0, -1)) {
    if (waiting !== undefined) {
      given.set(waiting.attributeName(), word);
      waiting = undefined;
    } else if (onlyOperands || !word.startsWith("-") || word === "-") operands.push(word);
    else if (word === "--") onlyOperands = true;
    else {
      const { option, value } = readOption(command, word);
      if (option === undefined) continue;
      used.add(option.attributeName());
      if (value !== undefined) given.set(option.attributeName(), value);
      else if (option.required) waiting = option;
    }
  }
  return { wanted: wantedAt(command, { current, waiting, onlyOperands, operands, used }), given, operands };
}

/** Where the first word that is no option stands before the last one; -1 where there is none yet. */
export function firstOperand(command: Command, words: readonly string[]): number {
  for (let at = 0; at < words.length - 1; at++) {
    const word = words[at]!;
    if (!word.startsWith("-") || word === "-") return at;
    const { option, value } = readOption(command, word);
    if (option?.required && value === undefined) at++;
  }
  return -1;
}

function wantedAt(
  command: Command,
  at: {
    current: string;
    waiting: Option | undefined;
    onlyOperands: boolean;
    operands: readonly string[];
    used: ReadonlySet<string>;
  },
): Wanted {
  if (at.waiting !== undefined) return valueOf(at.waiting, "");
  if (!at.onlyOperands && at.current.startsWith("-") && at.current !== "-") {
    const equals = at.current.indexOf("=");
    if (equals < 0) return { what: "option", used: at.used };
    const { option } = readOption(command, at.current);
    const isValue = option !== undefined && (option.required || option.optional);
    return isValue ? valueOf(option, at.current.slice(0, equals + 1)) : nothing;
  }
  const known = command.registeredArguments;
  const last = known.at(-1);
  const argument = known[at.operands.length] ?? (last?.variadic ? last : undefined);
  if (argument === undefined) return nothing;
  return { what: "value", kind: argument.name(), choices: argument.argChoices ?? [], prefix: "" };
}

const nothing: Wanted = { what: "value", kind: "", choices: [], prefix: "" };

function valueOf(option: Option, prefix: string): Wanted {
  const kind = /[<[]([^>\]]+)[>\]]/.exec(option.flags)?.[1] ?? "";
  return { what: "value", kind, choices: option.argChoices ?? [], prefix };
}

/** The option that a word means, and the value that is part of the word. */
function readOption(command: Command, word: string): { option?: Option; value?: string } {
  const equals = word.startsWith("--") ? word.indexOf("=") : -1;
  const name = word.startsWith("--") ? (equals < 0 ? word : word.slice(0, equals)) : word.slice(0, 2);
  const option = command.options.find(({ long, short }) => long === name || short === name);
  if (option === undefined) return {};
  if (equals >= 0) return { option, value: word.slice(equals + 1) };
  const isGlued = !word.startsWith("--") && word.length > 2 && option.required;
  return isGlued ? { option, value: word.slice(2) } : { option };
}
