import { type Command, InvalidArgumentError, Option } from "commander";
import type { Client } from "./client.ts";
import type { Connection } from "./connection.ts";
import type { Locals, TerminalContext } from "./locals.ts";
import type { GlobalFlags } from "./flags.ts";
import type { Style } from "./style.ts";
import { asLines } from "./printable.ts";
import type { Terminal } from "./terminal.ts";

/** What a command runs in. */
export interface Context extends TerminalContext {
  /** How text looks on standard error. */
  err: Style;
  locals: Locals;
  flags: GlobalFlags;
  /** The daemon that the flags mean. Throws `Unreachable` when they mean none. */
  connect(): Promise<Client>;
  /** The way to that daemon, or to the one that other flags mean, for those that ask more of it than a client knows. */
  connection(flags?: GlobalFlags): Promise<Connection>;
}

/** A command as its module declares it; `options` is what commander makes of the declared ones. */
export interface CommandSpec<Options extends object = object> {
  /** What it needs decides which global flags its help shows. */
  needs: "client" | "daemon" | "place" | "folder" | "file" | "nothing";
  /** Declares arguments and options. */
  define?(command: Command): void;
  /** Two command lines. */
  examples: readonly [string, string];
  /** Exit codes that mean something else, or something more exact, than they do for all commands: code and when. */
  exits?: readonly (readonly [code: string, when: string])[];
  /** What to do in place of `--json`, which it refuses then. */
  withoutJson?: string;
  /** Answers the exit code; throws what `tellFailure` tells. */
  run(context: Context, call: { args: string[]; options: Options }): Promise<number>;
}

/** A command whose options are known to the one who runs it only as commander has them. */
export interface LoadedCommand extends Omit<CommandSpec, "run"> {
  run(context: Context, parsed: Command): Promise<number>;
}

/** Declares a command. */
export function defineCommand<Options extends object>(spec: CommandSpec<Options>): LoadedCommand {
  return {
    ...spec,
    run: (context, parsed) => spec.run(context, { args: parsed.args, options: parsed.opts<Options>() }),
  };
}

/** Writes an answer as JSON; every one begins with the version of its shape. */
export function writeJson(
  { terminal }: { terminal: Pick<Terminal, "out"> },
  body: object,
): void {
  terminal.out.copy(`${JSON.stringify({ schema_version: 1, ...body }, null, 2)}\n`);
}

/** Writes lines to standard output. */
export function writeLines({ terminal }: Context, lines: readonly string[]): void {
  if (lines.length > 0) terminal.out.write(asLines(lines));
}

/** An option that takes a whole number within bounds. */
export function countOption(
  flags: string,
  description: string,
  { min, max }: { min: number; max: number },
): Option {
  return new Option(flags, description).argParser((text) => {
    const n = Number(text);
    if (/^\d+$/.test(text) && n >= min && n <= max) return n;
    throw new InvalidArgumentError(
      max === Infinity ? `give a whole number from ${min} on` : `give a whole number from ${min} to ${max}`,
    );
  });
}
