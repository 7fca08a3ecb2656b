import { Fault, messageOf } from "../../fault.ts";
import { type Account, accountOf, ownAccount } from "./accounts.ts";
import { readOutput } from "./output.ts";
import type { LaunchedProcess, LaunchSpec, ProcessExit, ProcessSink } from "./processes.ts";

/** Exit code by which the launcher says that it could not get as far as the script; it then leaves a note. */
const launcherFailed = 125;

/**
 * Sets what only the child itself can set, then becomes the unit's shell. Arguments: note file, umask
 * (may be empty), uid, gid (empty: as the daemon), folder, then the command.
 */
const launcher = `
note=$1 mask=$2 uid=$3 gid=$4 dir=$5
shift 5
if [ -n "$mask" ]; then umask "$mask" || exit 125; fi
[ -z "$uid" ] && exec "$@"
as="setpriv --reuid=$uid --regid=$gid --init-groups --"
if ! command -v setpriv > /dev/null; then
  echo "cannot change to the user: setpriv is missing (install util-linux)" > "$note"
  exit 125
fi
if ! why=$($as /bin/sh -c 'cd -- "$1" && test -x "$2" || { echo "not allowed to use folder \\"$1\\" or shell \\"$2\\""; exit 1; }' check "$dir" "$1" 2>&1); then
  echo "cannot start as the user: $why" > "$note"
  exit 125
fi
exec $as /bin/sh -c 'cd -- "$1" && shift && exec "$@"' launch "$dir" "$@"
`;

/**
 * Spawning with `detached` forks, which copies the daemon's page tables: 1 ms and more, growing with its
 * memory. A plain spawn does not, and setsid(1) then makes the session in the child, with the same pid.
 */
const setsid = ["/usr/bin/setsid", "/bin/setsid"].find((path) => fileAt(path)?.isFile);

/** The daemon's own variables less its `SVC_*`; they never change. */
let inherited: Record<string, string> | undefined;

const posixShells = new Set(["sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "yash"]);

/**
 * Starts a process as leader of its own session and group. `noteFolder` is a folder that the daemon may
 * write. Throws `Fault` when shell, folder or user do not exist or the machine refuses.
 */
export function launchProcess(spec: LaunchSpec, sink: ProcessSink, noteFolder: string): LaunchedProcess {
  const account = spec.user === undefined ? ownAccount() : accountOf(spec.user);
  const cwd = spec.cwd.replace(/^~(?=\/|$)/, account.home);
  const env = { ...baseEnvironment(spec, account), ...spec.env };
  checkFolder(cwd);
  const note = `${noteFolder}/${spec.runId}.note`;
  const command = [findShell(spec.shell, env.PATH), ...shellArguments(spec)];
  const asUser = spec.user !== undefined && (account.uid !== Deno.uid() || account.gid !== Deno.gid());
  const indirect = asUser || spec.umask !== undefined;
  const inner = indirect
    ? [
      "/bin/sh",
      "-c",
      launcher,
      "svc-launcher",
      note,
      spec.umask ?? "",
      ...ids(account, asUser),
      cwd,
      ...command,
    ]
    : command;
  const [program, ...args] = setsid === undefined ? inner : [setsid, ...inner];
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command(program!, {
      args,
      cwd: asUser ? "/" : cwd,
      clearEnv: true,
      env,
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
  child.status.then((status) => {
    leaderLives = false;
    sink.exited(exitOf(status, indirect ? note : undefined));
  });
  Promise.all(pipes.map((pipe) => pipe.ended)).then(() => sink.drained());
  return {
    pid: child.pid,
    signal: (name) => signalGroup(child.pid, { name, leaderLives }),
    abandon: () => pipes.forEach((pipe) => pipe.cancel()),
  };
}

/**
 * Sends a signal to a process group, or to its leader where that has not made the group yet; a group that is
 * gone is no error. The pid of a leader that has ended may be somebody else's by now: say so.
 */
export function signalGroup(pid: number, signal: { name: string; leaderLives: boolean }): void {
  for (const target of signal.leaderLives ? [-pid, pid] : [-pid]) {
    try {
      return Deno.kill(target, signal.name as Deno.Signal);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

function checkFolder(path: string): void {
  const folder = fileAt(path);
  if (folder === undefined) {
    throw new Fault("not_found", `no such folder "${path}": create it, or change working_dir`);
  }
  if (!folder.isDirectory) throw new Fault("invalid", `"${path}" is no folder: change working_dir`);
}

/** The path of a shell, which may be named without one; what can't be executed would look like the script's own failure. */
function findShell(shell: string, path = ""): string {
  const places = shell.includes("/") ? [shell] : path.split(":").map((folder) => `${folder || "."}/${shell}`);
  const found = places.map((place) => ({ place, file: fileAt(place) })).find(({ file }) => file?.isFile);
  if (found === undefined) {
    throw new Fault("not_found", `no such shell "${shell}": install it, or change shell`);
  }
  if ((found.file!.mode ?? 0o111) & 0o111) return found.place;
  throw new Fault("forbidden", `shell "${found.place}" is not executable: change its mode, or change shell`);
}

function fileAt(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return undefined;
    throw new Fault("forbidden", `cannot look at "${path}": ${messageOf(error)}`);
  }
}

function shellArguments(spec: LaunchSpec): string[] {
  const posix = posixShells.has(spec.shell.slice(spec.shell.lastIndexOf("/") + 1));
  return posix ? ["-e", "-c", spec.script, spec.name, ...spec.args] : ["-c", spec.script, ...spec.args];
}

function ids(account: Account, asUser: boolean): [string, string] {
  return asUser ? [String(account.uid), String(account.gid)] : ["", ""];
}

function baseEnvironment(spec: LaunchSpec, account: Account): Record<string, string> {
  const person = { HOME: account.home, USER: account.name, LOGNAME: account.name };
  if (spec.envBase === "clean") return { PATH: "/usr/bin:/bin", ...person, SHELL: spec.shell };
  inherited ??= Object.fromEntries(
    Object.entries(Deno.env.toObject()).filter(([name]) => !name.startsWith("SVC_")),
  );
  return spec.user === undefined ? inherited : { ...inherited, ...person };
}

function exitOf(status: Deno.CommandStatus, note: string | undefined): ProcessExit {
  const exit: ProcessExit = { code: status.code };
  if (status.signal !== null) exit.signal = status.signal;
  if (note === undefined || status.code !== launcherFailed) return exit;
  try {
    exit.failure = Deno.readTextFileSync(note).trim();
    Deno.removeSync(note);
  } catch {
    // No note: the script itself ended with this code.
  }
  return exit;
}
