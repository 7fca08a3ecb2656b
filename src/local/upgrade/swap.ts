import { Fault } from "../../fault.ts";
import { system } from "../service/manager.ts";
import { keptAs } from "./place.ts";

const swap = `set -e
next=$1.upgrade
trap 'rm -f "$next"' EXIT
rm -f "$next"
cp -p "$1" "$next"
cat < "$2" > "$next"
sync "$next" 2> /dev/null || sync
rm -f "$3"
ln "$1" "$3" 2> /dev/null || cp -p "$1" "$3"
mv -f "$next" "$1"`;

/**
 * Puts a file in the place of a program, in one step and with that one's mode and owner, and keeps the program before
 * beside it; by the system's own programs, since this one may not write to folders of the system. Throws `Fault`, and
 * has changed nothing then.
 */
export async function swapProgram(path: string, file: string): Promise<void> {
  await shell(
    swap,
    [path, file, keptAs(path)],
    (why) => `cannot put "${file}" in the place of "${path}": ${why}; nothing was changed`,
  );
}

/** Puts the program before back, in one step. Throws `Fault`. */
export async function swapBack(path: string): Promise<void> {
  const kept = keptAs(path);
  await shell(
    'mv -f "$1" "$2"',
    [kept, path],
    (why) => `cannot put the program before back: ${why}; do it by hand: mv "${kept}" "${path}"`,
  );
}

async function shell(
  script: string,
  args: readonly string[],
  words: (why: string) => string,
): Promise<void> {
  const { code, stderr } = await system(["/bin/sh", "-c", script, "sh", ...args]);
  if (code === 0) return;
  throw new Fault("internal", words(stderr.split("\n")[0] || `it exited with ${code}`));
}
