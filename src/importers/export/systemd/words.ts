/** How text is written into unit files, so that systemd reads back the very same. */

/** A word of a command line: no quote, variable or specifier in it means anything. */
export function commandWord(word: string): string {
  // Variables of command lines are replaced inside quotes, too.
  return quoted(word).replaceAll("$", "$$$$");
}

/** A variable and its value for `Environment=`, where a dollar means nothing. */
export function assignment(name: string, value: string): string {
  return quoted(`${name}=${value}`);
}

/** A value that takes the rest of its line. */
export function restOfLine(text: string): string {
  const line = text.replace(/[\r\n]+/g, " ").replaceAll("%", "%%");
  // A backslash would take the next line in; blanks at the end are none of the value.
  return line.endsWith("\\") ? `${line} ` : line;
}

/** A line of an environment file: quotes of the shell, no specifiers, and lines may go on. */
export function environmentLine(name: string, value: string): string {
  return `${name}="${value.replace(/["\\`$]/g, "\\$&")}"`;
}

/** True for a variable that systemd passes on. */
export function isAllowedVariable(name: string, value: string): boolean {
  // deno-lint-ignore no-control-regex
  return /^[A-Za-z_]\w*$/.test(name) && !/[\0-\x08\x0b-\x1f\x7f]/.test(value);
}

function quoted(text: string): string {
  if (/^[\w@+=:,./-]+$/.test(text)) return text;
  const escaped = text.replace(/[\\"]/g, "\\$&").replaceAll("%", "%%").replace(
    // deno-lint-ignore no-control-regex
    /[\x01-\x1f\x7f]/g,
    (character) => escapes[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
  return `"${escaped}"`;
}

const escapes: Record<string, string> = { "\n": "\\n", "\t": "\\t", "\r": "\\r" };
