import { plainEnvironment, programPath } from "../programs.ts";
import { entryText, isShellName, storedVariables } from "../../core/entry.ts";
import { ownVariable } from "../own_variable.ts";

/** Exit code by which the launcher says that it could not get as far as the script; it then leaves a note. */
export const launcherFailed = 125;

/** A line of a note that begins so tells of trouble that the run went on in spite of. */
export const troubleMark = "+ ";

/** What the launcher is to do before it becomes the unit's shell. */
export interface LauncherOrder {
  /** Path of the file that takes the note. */
  note: string;
  umask?: string | undefined;
  /** Absent: as the daemon. */
  as?: { uid: number; gid: number; setpriv: string } | undefined;
  cwd: string;
  /** See `joinArguments`. */
  groups: readonly string[];
  command: readonly string[];
  /** The shell that reads the launcher itself, and what keeps it from reading anything else. */
  reader: { path: string; flags: "" | "-p" };
  /** The environment of the run. */
  env: Readonly<Record<string, string>>;
}

/** How a launcher is started: no word of it is a secret, since lists of processes show them. */
export interface LauncherStart {
  words: string[];
  env: Record<string, string>;
}

/**
 * Sets what only the child itself can set, then becomes the unit's shell. Arguments: note file, umask (may be
 * empty), uid, gid (empty: as the daemon), folder, shell for its own use, a flag for it, mkdir, setpriv, env, chown
 * (each may be empty: not to be had, or not needed), what is to be done about groups, "--", then the command. 0 stands
 * for whoever writes it. Joining comes before the user is dropped, since the groups belong to the daemon. Where nothing
 * goes wrong and no user is dropped it needs no child.
 *
 * The pipes are given to the user, so that a program may open /dev/stdout by its name.
 *
 * Until the user is dropped nothing of the unit may act: programs are called by their paths, and the unit's
 * variables have other names, by which nothing knows them. The last step gives them their own; see `entryText`.
 */
const prepare = `
note=$1 mask=$2 uid=$3 gid=$4 dir=$5 sh=$6 flag=$7 mkdir=$8 setpriv=$9
shift 9
env=$1 chown=$2
shift 2
while [ "$1" != -- ]; do
  case $1 in
    group) [ -d "$2" ] || "$mkdir" "$2" 2>/dev/null; shift 2 ;;
    limit) { echo "$4" > "$3"; } 2>/dev/null ||
      echo "+ cannot hold limits.$2: \\"$4\\" was refused by $3" >> "$note"; shift 4 ;;
    try) { [ ! -e "$2" ] || echo "$3" > "$2"; } 2>/dev/null; shift 3 ;;
    join) { echo 0 > "$2"; } 2>/dev/null ||
      echo "+ cannot join control group \${2%/*}: the run goes on without" >> "$note"; shift 2 ;;
  esac
done
shift
if [ -n "$mask" ]; then umask "$mask" || exit 125; fi
`;

/** Goes on from `prepare` towards another user. `out` and `err`: numbers of descriptors of the shell that are the run's pipes. */
function prepareUser({ out, err }: { out: number; err: number }): string {
  return `drop="--reuid=$uid --regid=$gid --init-groups"
if ! why=$("$setpriv" $drop -- "$sh" $flag -c 'cd -- "$1" 2>/dev/null || { echo "not allowed to use folder \\"$1\\""; exit 1; }
test -x "$2" || { echo "not allowed to use shell \\"$2\\""; exit 1; }' check "$dir" "$1" 2>&1); then
  echo "cannot start as the user: \${why%%
*}" > "$note"
  exit 125
fi
if [ -n "$chown" ] && [ -p /proc/$$/fd/${out} ] && [ -p /proc/$$/fd/${err} ]; then
  "$chown" -f "$uid" /proc/$$/fd/${out} /proc/$$/fd/${err}
fi
`;
}

/** The command that gives up the daemon's user, behind `prepareUser`. */
const becomeUser = `"$setpriv" $drop -- "$sh" $flag -c 'eval "$SVC_ENTRY"' "$env" "$dir" "$@"`;

const launcher = `${prepare}[ -z "$uid" ] && exec "$@"
${prepareUser({ out: 1, err: 2 })}exec ${becomeUser}
`;

/**
 * A command with the signals and limits that the daemon's caller had. Names of variables that the plain shell would
 * drop keep it from that.
 */
export function withCallersState(words: readonly string[], env: Readonly<Record<string, string>>): string[] {
  const restore = restoreCallersState();
  if (restore === "" || !Object.keys(env).every(isShellName)) return [...words];
  return ["/bin/sh", "-c", `${restore}exec "$@"`, "svc", ...words];
}

/**
 * What a shell does first, so that a run has what the start script found. Where that has blocked a signal, the plain
 * shell takes all of them up again once it has tried to start a program, which costs next to nothing where there is
 * none. The runtime takes as many open files as it can get; a program that goes through all it may have, or that keeps
 * them in a set of 1,024, is not made for that.
 */
export function restoreCallersState(): string {
  const files = ownVariable("SVC_OPEN_FILES") ?? "";
  return (ownVariable("SVC_SIGNALS") === "blocked" ? "/ 2>/dev/null\n" : "") +
    (/^\d+$/.test(files) ? `ulimit -S -n ${files} 2>/dev/null\n` : "");
}

/** The command that carries an order out, and its environment: that of the run, or of ours until the user is dropped. */
export function launcherStart(order: LauncherOrder): LauncherStart {
  const { reader } = order;
  const words = [
    reader.path,
    ...(reader.flags === "" ? [] : [reader.flags]),
    ...["-c", restoreCallersState() + launcher, "svc-launcher", ...launcherArguments(order)],
  ];
  return { words, env: launcherVariables(order) };
}

/** The launcher for a shell that is there already, and its pipes as its descriptors 5 and 6. */
export interface LauncherParts {
  /** What the text finds as its positional parameters. */
  args: string[];
  text: string;
  /** The command that is to come last, in words of a shell. */
  become: string;
  /** What this one gets as its environment. */
  variables: Record<string, string>;
}

/** The same in parts: for the shell of a keeper. */
export function launcherParts(order: LauncherOrder): LauncherParts {
  const isOther = order.as !== undefined;
  return {
    args: launcherArguments(order),
    text: isOther ? prepare + prepareUser({ out: 5, err: 6 }) : prepare,
    become: isOther ? becomeUser : '"$@"',
    variables: launcherVariables(order),
  };
}

function launcherArguments({ note, umask, as, cwd, groups, command, reader }: LauncherOrder): string[] {
  const ids = as === undefined ? ["", ""] : [String(as.uid), String(as.gid)];
  const found = (name: string): string => programPath(name) ?? "";
  const programs = [found("mkdir"), as?.setpriv ?? "", found("env"), found("chown")];
  const fixed = [note, umask ?? "", ...ids, cwd, reader.path, reader.flags, ...programs];
  return [...fixed, ...groups, "--", ...command];
}

function launcherVariables({ as, env }: LauncherOrder): Record<string, string> {
  if (as === undefined) return { ...env };
  const runId = env["SVC_RUN_ID"];
  return {
    ...plainEnvironment,
    ...(runId === undefined ? {} : { SVC_RUN_ID: runId }),
    ...storedVariables(env),
    SVC_ENTRY: entryText(env, Object.keys(plainEnvironment)),
  };
}
