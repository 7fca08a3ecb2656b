import { ownEnvironment, plainEnvironment } from "../../io/programs.ts";

/** No question takes longer than this, ms. */
const longestAnswer = 5_000;

/**
 * Lines that a small `/bin/sh` script prints; none where it fails or takes too long. This program may not read
 * `/proc` where it lacks a permission; a child may. It knows none of the caller's variables: whatever it starts is the
 * system's own.
 */
export async function askShell(script: string, ...args: string[]): Promise<string[]> {
  return await linesOf("/bin/sh", ["-c", script, "svc-doctor", ...args], plainEnvironment);
}

/** Lines that a program prints, which has been found by `programPath` and knows its caller; none where it fails or takes too long. */
export async function askProgram(path: string, args: readonly string[]): Promise<string[]> {
  return await linesOf(path, args, ownEnvironment());
}

async function linesOf(
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string[]> {
  try {
    const { stdout } = await new Deno.Command(path, {
      args: [...args],
      clearEnv: true,
      env: { ...env },
      stdin: "null",
      stderr: "null",
      signal: AbortSignal.timeout(longestAnswer),
    }).output();
    return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
  } catch {
    return [];
  }
}
