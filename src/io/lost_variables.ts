import { askShellForBytes } from "./ask_shell.ts";

/**
 * Names of this process's variables that its runs will not have: the runtime knows UTF-8 alone, and leaves out what is
 * none. A child is asked, which may read what the process was started with; none where nobody knows.
 */
export async function lostVariables(): Promise<string[]> {
  return namesNotUtf8(await askShellForBytes("exec cat /proc/$PPID/environ"));
}

/** Names of variables, as `/proc/PID/environ` has them, whose name or value is not UTF-8. */
export function namesNotUtf8(environ: Uint8Array): string[] {
  const names: string[] = [];
  for (let start = 0; start < environ.length;) {
    const nul = environ.indexOf(0, start);
    const end = nul < 0 ? environ.length : nul;
    const entry = environ.subarray(start, end);
    if (!isUtf8(entry)) names.push(new TextDecoder().decode(entry).split("=", 1)[0]!);
    start = end + 1;
  }
  return names;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
