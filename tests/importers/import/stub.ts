/** Runs scripts with a stub in place of the program that they start. */

/**
 * The words that the program of a script receives, its own name first: each `exec` of the script starts a stub that
 * prints them. Throws what the shell says when the script fails.
 */
export function received(
  run: string,
  { env = {}, shell = "/bin/sh" }: { env?: Record<string, string>; shell?: string } = {},
): string[] {
  const stub = `exec sh -c 'printf "%s\\0" "$@"' stub `;
  const script = run.replaceAll(/^exec /gm, () => stub);
  if (script === run) throw new Error(`nothing is executed: ${run}`);
  const { success, stdout, stderr } = new Deno.Command(shell, {
    args: ["-e", "-c", script],
    env: { PATH: "/usr/bin:/bin", HOME: "/nowhere", ...env },
    clearEnv: true,
    cwd: "/",
  }).outputSync();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).split("\0").slice(0, -1);
}
