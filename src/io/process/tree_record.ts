import { preparePrivateFile } from "../trust.ts";

/** Lines of a file that names the control groups of a daemon; none where it can't be read. */
export function readLines(path: string): string[] {
  try {
    return Deno.readTextFileSync(path).split("\n");
  } catch {
    return [];
  }
}

/** Writes them, if that can be. */
export function writeLines(path: string, lines: readonly string[]): void {
  try {
    preparePrivateFile(path, lines.map((line) => `${line}\n`).join(""))();
  } catch {
    // The next daemon then looks only where it sits itself.
  }
}
