import { passwordOf } from "../local/password_file.ts";

/** The longest password that is read, bytes. */
const longest = 65_536;

/** The environment with the password in it, wherever it came from. */
export interface GivenPasswordn {
  env: Record<string, string>;
  /** It stood in this process's environment, where it can be read for as long as the process lives. */
  isExposed: boolean;
}

/**
 * Takes the password out of this process's environment, so that nothing that it starts has it: from `SVC_PASSWORD`,
 * from standard input where the start script handed it over there, or from the file that `SVC_PASSWORD_FILE` names,
 * which holds it alone or in a line `SVC_PASSWORD=...`. Throws `Fault` for a file that can't be read, or that others
 * may.
 */
export function readPassword(env: Record<string, string>, read = readInput): GivenPasswordn {
  const { SVC_PASSWORD, SVC_INPUT, SVC_PASSWORD_FILE, ...rest } = env;
  for (const name of ["SVC_PASSWORD", "SVC_INPUT"]) Deno.env.delete(name);
  if (SVC_PASSWORD) return { env: { ...rest, SVC_PASSWORD }, isExposed: true };
  const text = SVC_INPUT === "stdin" ? read().replace(/\n$/, "") : "";
  if (text !== "") return { env: { ...rest, SVC_PASSWORD: text }, isExposed: false };
  if (!SVC_PASSWORD_FILE) return { env: rest, isExposed: false };
  const password = passwordOf(SVC_PASSWORD_FILE, {
    attempt: `cannot take the password from "${SVC_PASSWORD_FILE}" (SVC_PASSWORD_FILE)`,
    mend: "make it a file that only the daemon's user may read",
  });
  return { env: { ...rest, SVC_PASSWORD: password, SVC_ENV_FILE: SVC_PASSWORD_FILE }, isExposed: false };
}

function readInput(): string {
  const bytes = new Uint8Array(longest);
  let size = 0;
  while (size < longest) {
    const count = Deno.stdin.readSync(bytes.subarray(size));
    if (count === null) break;
    size += count;
  }
  return new TextDecoder().decode(bytes.subarray(0, size));
}
