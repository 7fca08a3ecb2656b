import { ownEnvironment, plainEnvironment } from "./programs.ts";

/** No question takes longer than this, ms. */
const longestAnswer = 5_000;

/**
 * Lines that a small `/bin/sh` script prints; none where it fails or takes too long. This program may not read
 * `/proc` where it lacks a permission; a child may. It knows none of the caller's variables: whatever it starts is the
 * system's own.
 */
export async function askShell(script: string, ...args: string[]): Promise<string[]> {
  return await linesOf("/bin/sh", ["-c", script, "svc-question", ...args], plainEnvironment);
}

/** Lines that a program prints, which has been found by `programPath` and knows its caller; none where it fails or takes too long. */
export async function askProgram(path: string, args: readonly string[]): Promise<string[]> {
  return await linesOf(path, args, ownEnvironment());
}

/** The same as it came: bytes. */
export async function askShellForBytes(script: string): Promise<Uint8Array> {
  return await outputOf("/bin/sh", ["-c", script], plainEnvironment);
}

async function linesOf(...question: Parameters<typeof outputOf>): Promise<string[]> {
  return new TextDecoder().decode(await outputOf(...question)).split("\n").filter((line) => line !== "");
}

async function outputOf(
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Uint8Array> {
  try {
    const { stdout } = await new Deno.Command(path, {
      args: [...args],
      clearEnv: true,
      env: { ...env },
      stdin: "null",
      stderr: "null",
      signal: AbortSignal.timeout(longestAnswer),
    }).output();
    return stdout;
  } catch {
    return new Uint8Array();
  }
}
