import { programAt } from "./process/launch_checks.ts";
import { readRegular, type Unread } from "./read_regular.ts";

/** Shells that have known it for longer than this program exists, by how their names begin. */
const known = /^(?:bash|zsh|ksh|mksh|yash)/;
/** No shell is larger, bytes. */
const largest = 16 * 1024 * 1024;

const answers = new Map<string, boolean>();

/**
 * Whether a shell knows `set -o pipefail`; undefined where there is none of that path, or of that name in `path`. It is
 * not started for that, since whoever checks a file must not run what it names: /bin/sh may be any shell, and those that
 * know the word have it in them (bash, busybox), while others do not (dash before 0.5.13).
 */
export function knowsPipefail(shell: string, path: string): boolean | undefined {
  const place = shell.includes("/") ? shell : programAt(shell, path);
  if (place === undefined) return undefined;
  try {
    const real = Deno.realPathSync(place);
    if (known.test(real.slice(real.lastIndexOf("/") + 1))) return true;
    const { isFile, size, mtime } = Deno.statSync(real);
    if (!isFile || size > largest) return false;
    const key = `${real} ${size} ${mtime?.getTime()}`;
    const answer = answers.get(key) ?? holds(readRegular(real, largest), "pipefail");
    answers.set(key, answer);
    return answer;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    // What may not be read is asked when it is started.
    return error instanceof Deno.errors.PermissionDenied ? undefined : false;
  }
}

function holds(bytes: Uint8Array | Unread, word: string): boolean {
  return typeof bytes !== "string" && new TextDecoder("latin1").decode(bytes).includes(word);
}
