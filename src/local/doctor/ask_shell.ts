/** No question takes longer than this, ms. */
const longestAnswer = 5_000;

/**
 * Lines that a small `/bin/sh` script prints; none where it fails or takes too long. This program may not read
 * `/proc` where it lacks a permission; a child may.
 */
export async function askShell(script: string, ...args: string[]): Promise<string[]> {
  try {
    const { stdout } = await new Deno.Command("/bin/sh", {
      args: ["-c", script, "svc-doctor", ...args],
      stdin: "null",
      stderr: "null",
      signal: AbortSignal.timeout(longestAnswer),
    }).output();
    return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
  } catch {
    return [];
  }
}
