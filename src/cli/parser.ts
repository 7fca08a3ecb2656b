import { Command } from "commander";
import { catalog, type Entry } from "./catalog.ts";
import type { LoadedCommand } from "./command.ts";
import { addGlobalFlags } from "./global_flags.ts";
import { commandHelp, rootHelp } from "./help.ts";

/** Where help goes. */
export interface Screen {
  write: (text: string) => void;
  /** Columns. */
  width: number;
}

/** The parser of what stands before a command's name; it leaves the rest as it is. */
export function rootParser(screen: Screen): Command {
  const root = newParser("svc", screen).helpOption("-h, --help").usage("<command>")
    .option("-V, --version", "print the version")
    .argument("[words...]").passThroughOptions()
    .configureHelp({ formatHelp: () => rootHelp(catalog, screen.width) });
  addGlobalFlags(root, "client", { json: true });
  return root;
}

/** The parser of one command with its own and the global options; `screen` takes its help. */
export function commandParser(
  entry: Entry,
  command: LoadedCommand,
  screen: Screen,
): Command {
  const parser = newParser(entry.name, screen).helpOption("-h, --help", "show this help")
    .configureHelp({ formatHelp: commandHelp(entry, command, screen.width) });
  command.define?.(parser);
  addGlobalFlags(parser, command.needs, { json: command.withoutJson === undefined });
  return parser;
}

/** A parser that throws in place of ending the program. */
export function newParser(name: string, { write }: Screen): Command {
  return new Command(name).exitOverride().showSuggestionAfterError(true).configureOutput({
    writeOut: write,
    // What is wrong is thrown too, and told in one place.
    writeErr: () => {},
  });
}
