/** What is known of a text that is to be a shell command. */
export interface ShellText {
  /** What keeps it from being a whole command, as the end of a sentence; undefined when nothing does. */
  fault: string | undefined;
  /** The text with everything in quotes, brackets and remarks, and what a backslash protects, as blanks. */
  outside: string;
}

/** Reads a text as a shell would, as far as quotes and brackets go. */
export function readShell(command: string): ShellText {
  const { open, plain } = /["'`\\$(#]/.test(command) ? scan(command) : { open: undefined, plain: command };
  if (open !== undefined) return { fault: `its ${open} is never closed`, outside: plain };
  return { fault: endFault(command) ?? hereFault(plain), outside: plain };
}

function endFault(command: string): string | undefined {
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(command)) return "it ends in a backslash";
  return /(?:\||&&)\s*$/.test(command) ? "it ends where a further command is due" : undefined;
}

function hereFault(outside: string): string | undefined {
  return /(?:^|[^<])<<-?(?![<])/.test(outside) ? "its here-document has no lines" : undefined;
}

/**
 * Follows quotes, substitutions and brackets as a shell does, as far as one needs to know which of them is left
 * open, and what stands outside of all.
 */
function scan(command: string): { open: string | undefined; plain: string } {
  const closers: string[] = [];
  let plain = "";
  for (let at = 0; at < command.length; at++) {
    const char = command[at] ?? "";
    const inside = closers.at(-1);
    const outside = inside === undefined;
    const keep = (text: string): void => void (plain += text);
    if (inside === "'") {
      if (char === "'") closers.pop();
      keep(" ");
    } else if (char === "\\") {
      keep(" ".repeat(Math.min(2, command.length - at)));
      at++;
    } else if (char === inside) {
      closers.pop();
      keep(" ");
    } else if (char === "$" && command[at + 1] === "(") {
      closers.push(")");
      keep("  ");
      at++;
    } else if (char === "$" && command[at + 1] === "{") {
      closers.push("}");
      keep("  ");
      at++;
    } else if (char === '"' || char === "`") {
      closers.push(char);
      keep(" ");
    } else if (inside === '"') keep(" ");
    else if (char === "'" && inside !== "}") {
      closers.push("'");
      keep(" ");
    } else if (char === "(" && inside !== "}") {
      closers.push(")");
      keep(" ");
    } else if (char === "#" && inside !== "}" && /^$|[\s;&|(]/.test(command[at - 1] ?? "")) {
      const end = command.indexOf("\n", at);
      const to = end < 0 ? command.length : end;
      keep(" ".repeat(to - at));
      at = to - 1;
    } else keep(outside ? char : " ");
  }
  const left = closers.at(-1);
  return { open: left === undefined ? undefined : names[left], plain };
}

const names: Readonly<Record<string, string>> = {
  "'": "single quote",
  '"': "double quote",
  "`": "backtick",
  ")": "bracket",
  "}": "brace",
};
