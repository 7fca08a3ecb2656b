import { launcherFailed, troubleMark } from "./launcher.ts";
import type { ProcessExit } from "./processes.ts";

/** Takes in what the launcher has left word of (`note`: where). */
export function exitOf(exit: ProcessExit, note: string | undefined): ProcessExit {
  if (note === undefined || exit.code !== launcherFailed) return exit;
  try {
    const text = Deno.readTextFileSync(note).trim();
    if (text.startsWith(troubleMark)) return exit;
    exit.failure = text;
    Deno.removeSync(note);
  } catch {
    // No note: the script itself ended with this code.
  }
  return exit;
}

/** What the launcher could not do although the run started; each is told once. */
export function readTroubles(note: string | undefined): string[] {
  if (note === undefined) return [];
  try {
    const lines = Deno.readTextFileSync(note).trim().split("\n");
    Deno.removeSync(note);
    return lines.filter((line) => line.startsWith(troubleMark)).map((line) => line.slice(troubleMark.length));
  } catch {
    return []; // no note, no trouble
  }
}
