import { isShellName } from "../../core/entry.ts";
import { inheritedVariables } from "../../core/inherited.ts";
import { shellArguments } from "../../core/posix_shell.ts";
import { Fault, messageOf } from "../../fault.ts";
import { type Account, accountOf, ownAccount } from "./accounts.ts";
import { checkFolder, findShell, pathTo } from "./launch_checks.ts";
import { programPath, userChange } from "../programs.ts";
import {
  launcherFailed,
  type LauncherOrder,
  launcherStart,
  troubleMark,
  withCallersState,
} from "./launcher.ts";
import { endOf } from "./child_end.ts";
import { letGo, type OutputPipe, readOutput } from "./output.ts";
import type { LaunchedProcess, LaunchSpec, ProcessExit, ProcessSink, Reach } from "./processes.ts";

/** What runs get of the daemon's own variables; it changes only with the names of those that are secret. */
let inherited: Record<string, string> | undefined;
let hidden: ReadonlySet<string> = new Set();

/** How many notes were thought of: a run and its probes have one each. */
let notes = 0;

/** Keeps variables of the daemon's own from the runs that are launched from now on. */
export function hideVariables(names: readonly string[]): void {
  hidden = new Set(names);
  inherited = undefined;
}

/** Where the launcher of a run leaves word, and what it does about the run's control group. */
export interface LaunchPlace {
  /** A folder that the daemon may write. */
  noteFolder: string;
  /** Called once it is sure that only the machine can still refuse; see `joinArguments`. */
  groups: () => readonly string[];
}

/**
 * Starts a process as leader of its own session and group. Throws `Fault` when shell, folder or user do not
 * exist or the machine refuses.
 */
export function launchProcess(spec: LaunchSpec, sink: ProcessSink, place: LaunchPlace): LaunchedProcess {
  const account = spec.user === undefined ? ownAccount() : accountOf(spec.user);
  const cwd = spec.cwd.replace(/^~(?=\/|$)/, account.home);
  const env: Record<string, string> = { ...baseEnvironment(spec, account), ...spec.env };
  checkFolder(cwd);
  const { uid } = account;
  if (spec.needs !== undefined) env["PATH"] = pathTo(spec.needs, { path: env["PATH"] ?? "", uid });
  const command = [findShell(spec.shell, { path: env["PATH"], uid }), ...shellArguments(spec)];
  const as = spec.user === undefined ? undefined : otherUser(spec.user, account);
  const reader = readerOf(env);
  const groups = reader === undefined ? [] : place.groups();
  const note = as !== undefined || spec.umask !== undefined || groups.length > 0
    ? `${place.noteFolder}/${spec.runId}.${++notes}.note`
    : undefined;
  const start = note === undefined ? { words: command, env } : launcherStart({
    note,
    umask: spec.umask,
    as,
    cwd,
    groups,
    command,
    reader: reader ?? { path: "/bin/sh", flags: "" },
    env,
  });
  // Spawning with `detached` forks, which copies the daemon's page tables: 1 ms and more, growing with its memory. A
  // plain spawn does not, and setsid(1) then makes the session in the child, with the same pid.
  const setsid = programPath("setsid");
  const words = note === undefined ? withCallersState(start.words, env) : start.words;
  const [program, ...args] = setsid === undefined ? words : [setsid, ...words];
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command(program!, {
      args,
      cwd: as === undefined ? cwd : "/",
      clearEnv: true,
      env: start.env,
      detached: setsid === undefined,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (error) {
    throw new Fault("internal", `cannot start "${spec.shell}" in "${cwd}": ${messageOf(error)}`);
  }
  const pipes = [
    readOutput(child.stdout, (chunk) => sink.output("stdout", chunk)),
    readOutput(child.stderr, (chunk) => sink.output("stderr", chunk)),
  ];
  let leaderLives = true;
  void tellEnds(child, { note, pipes, sink, over: () => leaderLives = false }).catch(reportError);
  return {
    pid: child.pid,
    isKept: false,
    started: Promise.resolve(),
    dismiss(): void {},
    signal(name): void {
      const reach = signalGroup(child.pid, { name, leaderLives });
      if (reach === "refused") {
        throw new Fault("forbidden", `process ${child.pid} belongs to another user by now`);
      }
      if (reach === "sent" && !suspending.has(name)) signalGroup(child.pid, { name: "SIGCONT", leaderLives });
    },
    abandon: () => pipes.forEach((pipe) => pipe.cancel()),
    release: () => letGo(pipes),
    troubles: () => note === undefined ? [] : readTroubles(note),
  };
}

/** What the launcher needs to become another user; undefined where that is who the daemon runs as. Throws `Fault`. */
function otherUser(user: string, { uid, gid }: Account): LauncherOrder["as"] {
  if (uid === ownAccount().uid && gid === ownAccount().gid) return undefined;
  const { path: setpriv, why } = userChange();
  if (why !== undefined) throw new Fault("not_found", `cannot start as user "${user}": ${why}`);
  return { uid, gid, setpriv };
}

/** After these nothing is to go on: they suspend, or need nobody who hears them. */
const suspending: ReadonlySet<string> = new Set([
  "SIGKILL",
  "SIGCONT",
  "SIGSTOP",
  "SIGTSTP",
  "SIGTTIN",
  "SIGTTOU",
]);

/** Tells of the end of a process and of its pipes. Neither promise rejects. */
async function tellEnds(
  child: Deno.ChildProcess,
  { note, pipes, sink, over }: {
    note: string | undefined;
    pipes: readonly OutputPipe[];
    sink: ProcessSink;
    over: () => void;
  },
): Promise<void> {
  const exited = async (): Promise<void> => {
    const exit = await endOf(child);
    over();
    sink.exited(exitOf(exit, note));
  };
  const drained = async (): Promise<void> => {
    await Promise.all(pipes.map((pipe) => pipe.ended));
    sink.pipesClosed();
  };
  await Promise.all([exited(), drained()]);
}

/**
 * Sends a signal to a process group, or to its leader where that has not made the group yet; a group that is
 * gone is no error. The pid of a leader that has ended may be somebody else's by now: say so.
 */
export function signalGroup(
  pid: number,
  { name, leaderLives }: { name: string; leaderLives: boolean },
): Reach {
  const ofGroup = reach(-pid, name);
  if (ofGroup !== "gone" || !leaderLives) return ofGroup;
  // Between the two the leader may have made its group, and a child in it.
  const ofLeader = reach(pid, name);
  if (ofLeader === "sent" && name === "SIGKILL") reach(-pid, name);
  return ofLeader;
}

/** Sends a signal to a process, or to a group where `target` is negative. Never throws: whoever is refused must end all the same. */
export function reach(target: number, signal: string): Reach {
  return tryKill(target, signal as Deno.Signal);
}

/** Whether there is a process: `refused`, and it is another user's. One that nobody has waited for yet is there. */
export function presence(pid: number): Reach {
  return tryKill(pid, 0);
}

function tryKill(target: number, signal: Deno.Signal | number): Reach {
  try {
    Deno.kill(target, signal);
    return "sent";
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? "gone" : "refused";
  }
}

/**
 * The shell for the launcher: the plain one drops variables whose names are none for it (`a.b`, functions that
 * bash exports), so that these take bash, which then looks at none of them (`-p`). Undefined where they would be lost.
 */
function readerOf(env: Record<string, string>): LauncherOrder["reader"] | undefined {
  if (Object.keys(env).every(isShellName)) return { path: "/bin/sh", flags: "" };
  const bash = programPath("bash");
  return bash === undefined ? undefined : { path: bash, flags: "-p" };
}

function baseEnvironment(spec: LaunchSpec, account: Account): Record<string, string> {
  const person = { HOME: account.home, USER: account.name, LOGNAME: account.name };
  if (spec.envBase === "clean") return { PATH: "/usr/bin:/bin", ...person, SHELL: spec.shell };
  inherited ??= inheritedVariables(Deno.env.toObject(), hidden);
  // A manager of services gives a daemon less than a login does, and cron gives all four to its jobs.
  const lacking = { ...person, SHELL: spec.shell, ...inherited };
  return spec.user === undefined ? lacking : { ...lacking, ...person };
}

/** Takes in what the launcher has left word of. */
function exitOf(exit: ProcessExit, note: string | undefined): ProcessExit {
  if (note === undefined || exit.code !== launcherFailed) return exit;
  try {
    const text = Deno.readTextFileSync(note).trim();
    if (text.startsWith(troubleMark)) return exit;
    exit.failure = text;
    Deno.removeSync(note);
  } catch {
    // No note: the script itself ended with this code.
  }
  return exit;
}

function readTroubles(note: string): string[] {
  try {
    const lines = Deno.readTextFileSync(note).trim().split("\n");
    Deno.removeSync(note);
    return lines.filter((line) => line.startsWith(troubleMark)).map((line) => line.slice(troubleMark.length));
  } catch {
    return []; // no note, no trouble
  }
}
