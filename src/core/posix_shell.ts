const posixShells = new Set(["sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "yash"]);

/**
 * What follows the name of a shell on its command line: a POSIX one stops at the first failure (`-e`) and calls the
 * script by the unit's name (`$0`); of others nothing is known but `-c`.
 */
export function shellArguments(
  { shell, script, name, args }: { shell: string; script: string; name: string; args: readonly string[] },
): string[] {
  return isPosixShell(shell) ? ["-e", "-c", script, name, ...args] : ["-c", script, ...args];
}

/** True for shells that know `-e` and take a name for `$0`. */
export function isPosixShell(shell: string): boolean {
  return posixShells.has(shell.slice(shell.lastIndexOf("/") + 1));
}
