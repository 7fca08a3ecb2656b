import { Fault } from "../fault.ts";
import { plainEnvironment } from "../io/programs.ts";
import { claimPrivateFolder } from "../io/trust.ts";
import { findPlaces, type PlaceFlags } from "./places.ts";
import { ownVariable } from "../io/own_variable.ts";
import { foreignEnvironment } from "./upgrade/candidate.ts";

/** What the command line says of a daemon that is started in the background. */
export interface BackgroundFlags extends PlaceFlags {
  host?: string;
  port?: number;
  logLevel?: string;
  logFormat?: string;
}

/** How long a daemon may take until it answers, ms. */
const longestStart = 30_000;
/** Between two looks, ms. */
const betweenLooks = 50;

/**
 * Starts a daemon in a session of its own, its log in `daemon.log` in the data folder, and waits until it
 * answers; answers the path of that log. `entry` is the address of the program; `command`: another one, and all of its
 * words. Throws `Fault` with the last lines of the log when it ends or does not come up; another one is ended then.
 */
export async function startBackground(
  flags: BackgroundFlags,
  { isReady, entry, command }: {
    isReady: () => Promise<boolean>;
    entry: string;
    command?: readonly string[];
  },
): Promise<string> {
  const { dataDir } = findPlaces(flags);
  const log = `${dataDir}/daemon.log`;
  claimPrivateFolder(dataDir, {
    attempt: `cannot use data folder "${dataDir}"`,
    mend: "name a folder of your own, in a place that nobody else may write, with --data",
  });
  const from = await sizeOf(log);
  // By standard input: an environment can be read for as long as its process lives.
  const { SVC_PASSWORD: password = "", ...env } = command === undefined
    ? Deno.env.toObject()
    : foreignEnvironment();
  const child = new Deno.Command("/bin/sh", {
    // The shell opens the log, and becomes the daemon.
    args: [
      "-c",
      // What the caller has open, a lock say, is none of a daemon's.
      'umask 077; exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; exec "$@" >> "$0" 2>&1',
      log,
      ...command ?? [...await ownCommand(entry), ...daemonWords(flags)],
    ],
    clearEnv: true,
    env: { ...env, ...(password === "" ? {} : { SVC_INPUT: "stdin" }) },
    stdin: password === "" ? "null" : "piped",
    stdout: "null",
    stderr: "null",
    detached: true,
  }).spawn();
  child.unref();
  if (password !== "") await handOver(child.stdin, password);
  let code: number | undefined;
  void child.status.then((status) => code = status.code);
  for (const begun = performance.now(); performance.now() - begun < longestStart;) {
    if (code !== undefined) {
      throw new Fault("internal", `the daemon ended at once with code ${code}: ${await tailOf(log, from)}`);
    }
    if (await isReady()) return log;
    await new Promise((resolve) => setTimeout(resolve, betweenLooks));
  }
  if (command !== undefined) endGroup(child.pid);
  throw new Fault("unavailable", `the daemon does not answer after ${longestStart / 1000} s; see "${log}"`);
}

async function handOver(stdin: WritableStream<Uint8Array>, password: string): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(password));
    await writer.close();
  } catch {
    // It has ended already, and its log says why.
  }
}

function endGroup(pid: number): void {
  try {
    Deno.kill(-pid, "SIGKILL");
  } catch {
    // It has ended just now.
  }
}

/** The words by which this program was called, without those that are its own arguments. */
async function ownCommand(entry: string): Promise<string[]> {
  // The portable form has a start script, which prepares more than a runtime does.
  const script = ownVariable("SVC_PROGRAM");
  if (script?.startsWith("/")) return [script];
  if (Deno.build.standalone) return [Deno.execPath()];
  // Only a program with all permissions may look into /proc; a child may.
  const { stdout, success } = await new Deno.Command("/bin/sh", {
    args: ["-c", "exec cat /proc/$PPID/cmdline"],
    clearEnv: true,
    env: { ...plainEnvironment },
    stdin: "null",
    stderr: "null",
  }).output();
  const words = success ? new TextDecoder().decode(stdout).split("\0").slice(0, -1) : [];
  const own = words.slice(0, words.length - Deno.args.length);
  // Where the start was given relative to a folder, that folder is still ours.
  return own.length > 1
    ? [Deno.execPath(), ...own.slice(1)]
    : [Deno.execPath(), "run", "-A", "--no-prompt", "-q", entry];
}

function daemonWords(flags: BackgroundFlags): string[] {
  const words: [string, string | number | undefined][] = [
    ["--config", flags.config],
    ["--data", flags.data],
    ["--socket", flags.socket],
    ["--host", flags.host],
    ["--port", flags.port],
    ["--log-level", flags.logLevel],
    ["--log-format", flags.logFormat],
  ];
  return ["daemon", ...words.flatMap(([flag, value]) => value === undefined ? [] : [flag, String(value)])];
}

async function sizeOf(path: string): Promise<number> {
  return (await Deno.stat(path).catch(() => undefined))?.size ?? 0;
}

/** The last lines that were written from a place on, in one. */
async function tailOf(path: string, from: number): Promise<string> {
  const bytes = await Deno.readFile(path).catch(() => new Uint8Array());
  const lines = new TextDecoder().decode(bytes.subarray(from)).trim().split("\n");
  return `${lines.slice(-3).join("; ")} (all of it in "${path}")`;
}
