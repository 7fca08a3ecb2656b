const posixShells = new Set(["sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "yash"]);

/** How a shell is told what is to end a script: a POSIX one stops at the first failure, and with `pipefail` at one in a pipe. */
export function shellFlags({ shell, pipefail }: { shell: string; pipefail?: boolean }): string[] {
  if (!isPosixShell(shell)) return [];
  return pipefail ? ["-e", "-o", "pipefail"] : ["-e"];
}

/**
 * What follows the name of a shell on its command line: a POSIX one stops at the first failure (`-e`) and calls the
 * script by the unit's name (`$0`); of others nothing is known but `-c`.
 */
export function shellArguments(
  { shell, pipefail, script, name, args }: {
    shell: string;
    pipefail?: boolean;
    script: string;
    name: string;
    args: readonly string[];
  },
): string[] {
  if (!isPosixShell(shell)) return ["-c", script, ...args];
  return [...shellFlags({ shell, ...(pipefail && { pipefail }) }), "-c", script, name, ...args];
}

/** True for shells that know `-e` and take a name for `$0`. */
export function isPosixShell(shell: string): boolean {
  return posixShells.has(shell.slice(shell.lastIndexOf("/") + 1));
}
