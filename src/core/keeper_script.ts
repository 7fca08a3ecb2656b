import { needsEnv } from "./entry.ts";

/** What a keeper is to do; every path is absolute. */
export interface KeeperOrder {
  runId: string;
  /** Its own file. */
  file: string;
  bell: string;
  /** Path of setsid(1). */
  setsid: string;
  /** Path of env(1), for variables that a shell can't export; undefined where there is none. */
  env: string | undefined;
  /** The run's working folder; undefined where another user enters it later. */
  cwd: string | undefined;
  /** Shell lines that come first in the run's own process: its limits. */
  restore: string;
  /** Shell lines of the launcher, with its arguments as its positional parameters; see `launcherParts`. */
  launcher?: { args: readonly string[]; text: string };
  /** The command that the run's process becomes, in shell words. */
  become: string;
  /** The environment that this gets, and nothing else. */
  variables: Readonly<Record<string, string>>;
}

/**
 * The script of a keeper, which /bin/sh reads from its file with an empty environment, the run's pipes as its standard
 * output and standard error, in a session of its own. It holds both pipes open for reading, so that no writer dies of
 * the daemon's death: Linux lets a process open the pipe behind its own descriptor again. What runs is its child, which
 * it waits for in the foreground, since a shell lets one in the background ignore SIGINT and SIGQUIT for good. It writes
 * the end down, and stays stopped, with what is left in the pipes, until a daemon kills it.
 *
 * Nothing here starts a program but the run. Descriptor 7 is the record, and what a keeper is known by.
 */
export function keeperScript(order: KeeperOrder): string {
  const file = quoted(order.file);
  const ring = `[ -p ${quoted(order.bell)} ] && echo ${order.runId} 1<>${quoted(order.bell)}`;
  return `exec 7<>${file} 3</proc/self/fd/1 4</proc/self/fd/2 || exit
exec 5>&1 6>&2 >/dev/null 2>&1
trap '' HUP INT QUIT TERM
(
trap - HUP INT QUIT TERM
read -r pid ${"_ ".repeat(20)}ticks _ </proc/self/stat
[ -e ${file} ] || exit
echo "#pid $$ $pid $ticks" >&7
${ring}
${childScript(order)})
code=$?
exec 5>&- 6>&-
echo "#end $code" >&7
${ring}
while :; do kill -STOP $$; done
`;
}

/** What the run's process does before it becomes the run. Until then its standard error is nowhere. */
function childScript(order: KeeperOrder): string {
  const { cwd, restore, launcher, variables } = order;
  const prefix = [order.setsid, ...environmentWords(order)].map(quoted).join(" ");
  return [
    ...(cwd === undefined ? [] : [`cd -- ${quoted(cwd)} || { echo "#shut out" >&7; exit 125; }`]),
    "exec 3<&- 4<&- 7>&-",
    restore.trimEnd(),
    ...(launcher === undefined
      ? []
      : [`set -- ${launcher.args.map(quoted).join(" ")}`, launcher.text.trim()]),
    // Some that shells export by themselves.
    "unset PATH PWD OLDPWD SHLVL",
    ...Object.entries(variables).filter(([name]) => !needsEnv(name)).map(([name, value]) =>
      `export ${name}=${quoted(value)}`
    ),
    `exec ${prefix} ${order.become} >&5 2>&6 5>&- 6>&-\n`,
  ].filter((line) => line !== "").join("\n");
}

/** Sets what a shell can't export; it is in view for the moment that env(1) takes. */
function environmentWords({ env, variables }: KeeperOrder): string[] {
  const odd = Object.entries(variables).filter(([name]) => needsEnv(name));
  if (odd.length === 0 || env === undefined) return [];
  return [env, "--", ...odd.map(([name, value]) => `${name}=${value}`)];
}

/** A word as a shell takes it, whatever is in it. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Whether all of an environment can be given to a run by a keeper: `env`, path of env(1), may be missing. */
export function canGive(variables: Readonly<Record<string, string>>, env: string | undefined): boolean {
  return env !== undefined || Object.keys(variables).every((name) => !needsEnv(name));
}
