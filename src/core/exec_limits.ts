/**
 * What a kernel takes of the words and variables of a program (execve(2), "Limits on size of arguments and
 * environment"). Linux bounds each by 32 pages, its end included, and all together by a quarter of the stack.
 */

/** The most bytes of one argument, or of one variable with its name. */
export const longestWord = 131_071;

/** Variables travel under longer names at first (see `storedVariables`). */
const roomForName = "SVC_V_=".length;

/** The most bytes of a unit's script and variables together: with the usual stack it is 2 MiB, less what comes along. */
const mostTogether = 1_900_000;

const encoder = new TextEncoder();

/** Bytes of a text in UTF-8. */
export function bytesOf(text: string): number {
  // Most are far away from any limit.
  return text.length * 3 <= longestWord ? text.length : encoder.encode(text).length;
}

/** Why a script can't be executed. */
export function tooLongScript(script: string): string | undefined {
  const length = bytesOf(script);
  if (length <= longestWord) return undefined;
  return `is ${length} bytes long, and a program is handed ${longestWord} at most: put it into a file, and run that`;
}

/** Why a variable can't be handed over. */
export function tooLongVariable(name: string, value: string): string | undefined {
  const length = bytesOf(value);
  if (length + bytesOf(name) + roomForName <= longestWord) return undefined;
  return `is ${length} bytes long, and a variable has ${longestWord} at most, its name included: put it into a file, and ` +
    "name that in the variable";
}

/** Why a unit's script and variables can't be handed over together. */
export function tooMuchTogether(script: string, env: Readonly<Record<string, string>>): string | undefined {
  let total = bytesOf(script);
  for (const [name, value] of Object.entries(env)) total += bytesOf(name) + bytesOf(value) + roomForName;
  if (total <= mostTogether) return undefined;
  return `has ${total} bytes of script and variables, and a program is handed about ${mostTogether} at most: put some of ` +
    "it into files";
}
