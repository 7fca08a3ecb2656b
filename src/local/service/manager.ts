import { Fault } from "../../fault.ts";
import { ownEnvironment, programPath } from "../../io/programs.ts";

/** What a command of the system answered. */
export interface Answer {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program of the system to its end. Throws `Fault` where it isn't there. */
export async function system(words: readonly string[], input = ""): Promise<Answer> {
  const [program = "", ...args] = words;
  const path = program.startsWith("/") ? program : programPath(program);
  if (path === undefined) throw missing(program);
  try {
    const child = new Deno.Command(path, {
      args,
      clearEnv: true,
      env: ownEnvironment(),
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(input)).catch(() => {});
    await writer.close().catch(() => {});
    const { code, stdout, stderr } = await child.output();
    const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).trim();
    return { code, stdout: text(stdout), stderr: text(stderr) };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw missing(program);
  }
}

function missing(program: string): Fault {
  return new Fault(
    "not_found",
    `cannot run "${program}": it is not installed, not in PATH, or lies where others may write`,
  );
}

/** The same, where anything but success is a failure. `what` is what was attempted. */
export async function demand(what: string, words: readonly string[], input = ""): Promise<string> {
  const { code, stdout, stderr } = await system(words, input);
  if (code === 0) return stdout;
  const why = stderr.split("\n")[0] || stdout.split("\n")[0] || `it exited with ${code}`;
  throw new Fault("internal", `cannot ${what}: ${words.join(" ")}: ${why}`);
}

/**
 * Writes a file as a whole, or not at all. By a child: the program itself may not write to folders of the system,
 * so that nothing that goes wrong in a daemon can.
 */
export async function writeSystemFile(path: string, text: string, mode: "0644" | "0600"): Promise<void> {
  const script =
    'umask 077; mkdir -p "$(dirname "$1")" && cat > "$1.new" && chmod "$2" "$1.new" && mv -f "$1.new" "$1"';
  await demand(`write "${path}"`, ["/bin/sh", "-c", script, "sh", path, mode], text);
}

/** Removes a file of the system; one that isn't there is no failure. */
export async function removeSystemFile(path: string): Promise<void> {
  await demand(`remove "${path}"`, ["/bin/rm", "-f", path]);
}
