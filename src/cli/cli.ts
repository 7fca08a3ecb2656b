import { type Command, CommanderError } from "commander";
import { nearest } from "../core/nearest.ts";
import { reaping } from "../core/service_file.ts";
import { Fault, messageOf } from "../fault.ts";
import { catalog, type Entry } from "./catalog.ts";
import { clientOf } from "./client.ts";
import type { Context, LoadedCommand } from "./command.ts";
import { type Connection, openConnection } from "./connection.ts";
import { exit, isMisunderstanding, tellFailure, UsageError } from "./failures.ts";
import { rootHelp } from "./help.ts";
import type { Locals } from "./locals.ts";
import type { GlobalFlags } from "./flags.ts";
import { commandParser, newParser, rootParser, type Screen } from "./parser.ts";
import { asLines, withinLine } from "./printable.ts";
import { styleOf } from "./style.ts";
import { OutputClosed, processTerminal, quietly, type Terminal } from "./terminal.ts";

/** What a call of the command line runs in, where it isn't the process's own. */
export interface Surroundings {
  terminal?: Terminal;
  /** Answers the requests to the daemon, in place of a connection. */
  fetch?: typeof fetch;
  now?: () => number;
  /** IANA name of the zone that the user lives in; UTC unless given. */
  timezone?: string;
}

/** Runs one command line; answers the exit code (docs/cli.md#the-command-line) and never throws. */
export async function runCli(
  args: readonly string[],
  locals: Locals,
  surroundings: Surroundings = {},
): Promise<number> {
  const terminal = surroundings.terminal ?? processTerminal();
  const flags: GlobalFlags = {};
  const opened: Connection[] = [];
  try {
    const called = await parse(args, terminal, flags);
    if (called === undefined) return exit.done;
    return await called.command.run(
      contextOf(locals, { ...surroundings, terminal, flags, opened }),
      called.parsed,
    );
  } catch (error) {
    if (error instanceof OutputClosed) return exit.done;
    const told = await withVersions(error, opened.at(-1), { terminal, flags, version: locals.version });
    return fail(told, terminal, flags);
  } finally {
    for (const { close } of opened) close();
  }
}

/** Tells of a failure outside of any command line; answers the exit code. */
export function tellAlone(error: unknown): number {
  return fail(error, processTerminal(), {});
}

/** By this the scripts of shells ask what may stand at the cursor; nobody types it. */
const completing = "__complete";

interface Called {
  command: LoadedCommand;
  parsed: Command;
}

/** Finds the command and reads its words; fills `flags`. Undefined when only help was asked for, and given. */
async function parse(
  args: readonly string[],
  terminal: Terminal,
  flags: GlobalFlags,
): Promise<Called | undefined> {
  const screen: Screen = { write: (text) => terminal.out.write(text), width: terminal.width };
  if (args[0] === completing) {
    const { command } = await import("./commands/complete.ts");
    const parsed = newParser(completing, screen).argument("[words...]");
    parsed.parse(["--", ...args.slice(1)], { from: "user" });
    return { command, parsed };
  }
  if (args[0] === reaping) {
    const { command } = await import("./commands/reap.ts");
    const parsed = newParser(reaping, screen).requiredOption("--data <FOLDER>", "the daemon's data folder");
    if (!read(parsed, args.slice(1), reaping)) return undefined;
    Object.assign(flags, parsed.opts<GlobalFlags>());
    return { command, parsed };
  }
  const root = rootParser(screen);
  if (!read(root, args, "svc --help")) return undefined;
  const { version, ...before } = root.opts<GlobalFlags & { version?: boolean }>();
  Object.assign(flags, before);
  const isBare = root.args.length === 0 && !version && terminal.isInteractive === true;
  const [name, ...rest] = isBare
    ? ["tui"]
    : version
    ? ["version"]
    : root.args[0] === "help"
    ? helpWords(root.args)
    : root.args;
  if (name === undefined) {
    terminal.out.write(rootHelp(catalog, terminal.width));
    return undefined;
  }
  const entry = entryOf(name);
  const command = await entry.load();
  const parsed = commandParser(entry, command, screen);
  if (!read(parsed, rest, `svc ${name} --help`)) return undefined;
  Object.assign(flags, parsed.opts<GlobalFlags>());
  if (flags.json && command.withoutJson !== undefined) {
    throw new UsageError(`"svc ${name}" has no --json: ${command.withoutJson}`);
  }
  return { command, parsed };
}

/** `help list` means `list --help`. */
function helpWords([, name]: readonly string[]): string[] {
  return name === undefined || name === "help" ? [] : [name, "--help"];
}

function entryOf(name: string): Entry {
  const entry = catalog.find((one) => one.name === name);
  if (entry !== undefined) return entry;
  const close = nearest(name, catalog.map((one) => one.name));
  const hint = close === undefined ? '"svc help" lists all' : `did you mean "${close}"?`;
  throw new UsageError(`unknown command "${name}": ${hint}`);
}

/** Reads words; false when they asked for help, which is written then. Throws `UsageError`. */
function read(parser: Command, words: readonly string[], help: string): boolean {
  try {
    parser.parse([...words], { from: "user" });
    return true;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.helpDisplayed" || error.code === "commander.help") return false;
    const message = inOneLine(error.message);
    throw new UsageError(message.endsWith("?") ? message : `${message}; "${help}" tells more`);
  }
}

function inOneLine(message: string): string {
  return message.replace(/^error: /, "")
    .replace(/\n\(Did you mean (.+)\?\)/s, ': did you mean "$1"?')
    .replace(/^command-argument value ('.*') is invalid for argument '(\w+)'\./, "$2 $1 is invalid.")
    .replace(/ is invalid\. Allowed choices are /, " is invalid: choose one of ").replace(
      / is invalid\. /,
      " is invalid: ",
    ).replace(/'([^']*)'/g, '"$1"').replace(/\s+/g, " ").replace(
      /\.$/,
      "",
    ).trim();
}

function contextOf(
  locals: Locals,
  options: Surroundings & { terminal: Terminal; flags: GlobalFlags; opened: Connection[] },
): Context {
  const { terminal, flags, opened } = options;
  const connection = async (own: GlobalFlags = flags): Promise<Connection> => {
    const made = await openConnection(own, {
      findDaemon: (place) => locals.findDaemon(place),
      env: terminal.env,
      now: options.now ?? Date.now,
      ...(options.fetch === undefined ? {} : { transport: options.fetch }),
    });
    opened.push(made);
    if (made.doubt !== undefined) {
      quietly(() => terminal.err.write(`svc: warning: ${withinLine(made.doubt!)}\n`));
    }
    return made;
  };
  return {
    terminal,
    locals,
    flags,
    out: styleOf(terminal.out, terminal.env),
    err: styleOf(terminal.err, terminal.env),
    now: options.now ?? Date.now,
    timezone: options.timezone ?? "UTC",
    connect: async () => clientOf(await connection()),
    connection,
  };
}

/** How long a daemon may take to say its version, where that may explain something, ms. */
const patience = 1_000;

/** What an answer lacks is no fault of this program where the daemon is of another version. */
async function withVersions(
  error: unknown,
  connection: Connection | undefined,
  { terminal, flags, version }: { terminal: Terminal; flags: GlobalFlags; version: string },
): Promise<unknown> {
  if (!isMisunderstanding(error) || connection === undefined || isDebugging(terminal, flags)) return error;
  const other = await versionAt(connection);
  if (other === version) return error;
  const who = other === undefined
    ? `what ${connection.place} answers is`
    : `svc ${other} at ${connection.place} is`;
  return new Fault(
    "not_understood",
    `${who} not what this svc ${version} understands (${messageOf(error)}): run both at the same version`,
  );
}

async function versionAt({ base, fetch }: Connection): Promise<string | undefined> {
  try {
    const response = await fetch(`${base}/api/daemon`, { signal: AbortSignal.timeout(patience) });
    const { version } = await response.json();
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}

function isDebugging(terminal: Terminal, flags: GlobalFlags): boolean {
  return ["debug", "trace"].includes(flags.logLevel ?? terminal.env.SVC_LOG_LEVEL ?? "");
}

function fail(error: unknown, terminal: Terminal, flags: GlobalFlags): number {
  const debug = isDebugging(terminal, flags);
  const { lines, code } = tellFailure(error, {
    style: styleOf(terminal.err, terminal.env),
    debug,
    withCode: flags.json ?? false,
  });
  try {
    terminal.err.write(asLines(lines));
  } catch {
    // Nobody reads, or the disk is full: the code still tells.
  }
  return code;
}
