import { isShellName, needsEnv } from "./entry.ts";

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
  /** Variables whose names are none for a shell are in the keeper's own environment, and go on from there. */
  inherits: boolean;
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
 * The script of a keeper, which a shell reads from its file with an empty environment (but see `keeperStart`), the run's pipes as its standard
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
function environmentWords({ env, inherits, variables }: KeeperOrder): string[] {
  const odd = Object.entries(variables).filter(([name]) =>
    needsEnv(name) && !(inherits && !isShellName(name))
  );
  if (odd.length === 0 || env === undefined) return [];
  return [env, "--", ...odd.map(([name, value]) => `${name}=${value}`)];
}

/** A word as a shell takes it, whatever is in it. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** How a keeper is started so that its run gets all of an environment. */
export interface KeeperStart {
  /** The shell, and what it needs to know but the file. */
  shell: readonly string[];
  /** The keeper's own environment. */
  env: Record<string, string>;
  /** As `KeeperOrder.inherits`. */
  inherits: boolean;
}

/**
 * Chooses the shell of a keeper: the plain one with nothing in its environment, or, for variables whose names are none
 * for that one, bash, which hands them on; where there is none, env(1) is to set them. Undefined where neither is there.
 */
export function keeperStart(
  variables: Readonly<Record<string, string>>,
  { bash, env }: { bash: string | undefined; env: string | undefined },
): KeeperStart | undefined {
  const names = Object.keys(variables);
  const odd = names.filter((name) => !isShellName(name));
  const isLost = env === undefined && names.some((name) => needsEnv(name) && isShellName(name));
  const plain = { shell: ["/bin/sh"], env: {}, inherits: false };
  if (isLost || (odd.length > 0 && bash === undefined && env === undefined)) return undefined;
  if (odd.length === 0 || bash === undefined) return plain;
  // It is to look at none of them.
  const own = Object.fromEntries(odd.map((name) => [name, variables[name]!]));
  return { shell: [bash, "-p"], env: own, inherits: true };
}
