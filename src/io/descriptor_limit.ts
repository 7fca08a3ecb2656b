/** How many files this process may have open, as a child that inherits it says; undefined where nobody knows. */
export async function descriptorLimit(): Promise<number | undefined> {
  try {
    const { stdout } = await new Deno.Command("/bin/sh", {
      args: ["-c", "ulimit -n"],
      clearEnv: true,
      stdin: "null",
      stderr: "null",
    }).output();
    const text = new TextDecoder().decode(stdout).trim();
    if (text === "unlimited") return Infinity;
    const limit = Number(text);
    return Number.isSafeInteger(limit) && limit > 0 ? limit : undefined;
  } catch {
    return undefined;
  }
}
