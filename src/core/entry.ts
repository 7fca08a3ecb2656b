/**
 * How the environment of a unit gets past the drop of rights. A program that is started with more rights than the unit
 * has may not see the unit's variables: `LD_PRELOAD`, `BASH_ENV`, `PATH` and their like would make it do what the
 * unit's owner likes. So they travel under names that mean nothing to anybody, and a shell that already is the user
 * gives them their own.
 */

/** Under this and its own name travels a variable. */
const prefix = "SVC_V_";

/** Shells take no value for these, or one of their own making: env(1) sets them, in the last step. */
const kept = new Set([
  ...["BASHOPTS", "BASH_VERSINFO", "EUID", "PPID", "SHELLOPTS", "UID"], // can't be set in bash
  ...["BASH_ARGC", "BASH_ARGV", "BASH_LINENO", "BASH_SOURCE", "DIRSTACK", "FUNCNAME", "GROUPS"],
  ...["EPOCHREALTIME", "EPOCHSECONDS", "LINENO", "OPTIND", "RANDOM", "SECONDS", "SRANDOM", "_"],
]);

/** The variables as they travel. Names that no shell takes stay as they are: they mean nothing to any program on the way. */
export function storedVariables(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [isShellName(name) ? prefix + name : name, value]),
  );
}

/**
 * The script by which a shell enters the unit's environment, as the unit's user: `$0` is the path of env(1) or empty,
 * `$1` the folder, then comes the command. `own` are variables of the start that the unit has not asked for. It holds
 * names, no values, and uses no variable of its own.
 */
export function entryText(env: Readonly<Record<string, string>>, own: readonly string[]): string {
  const names = Object.keys(env).filter(isShellName);
  const byEnv = names.filter((name) => kept.has(name));
  const given = names.filter((name) => !kept.has(name));
  return [
    'cd -- "$1" || exit 125',
    "shift",
    `unset SVC_ENTRY SVC_RUN_ID ${own.join(" ")}`,
    ...(byEnv.length === 0 ? [] : [
      'if [ -n "$0" ]; then',
      ...byEnv.map((name) => `set -- "${name}=$${prefix}${name}" "$@"`),
      'set -- "$0" "$@"',
      "fi",
      `unset ${byEnv.map((name) => prefix + name).join(" ")}`,
    ]),
    ...given.map((name) => `export ${name}="$${prefix}${name}"; unset ${prefix}${name}`),
    'exec "$@"',
  ].join("\n");
}

/** Whether a shell knows a variable of this name. */
export function isShellName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** Whether it takes env(1) to give a variable of this name to a program: no shell knows it, or some keep it to themselves. */
export function needsEnv(name: string): boolean {
  return !isShellName(name) || kept.has(name);
}
