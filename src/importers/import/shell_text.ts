/** What is known of a text that is to be a shell command. */
export interface ShellText {
  /** What keeps it from being a whole command, as the end of a sentence; undefined when nothing does. */
  fault: string | undefined;
  /** The text with everything in quotes, brackets and remarks, and what a backslash protects, as blanks. */
  outside: string;
  /** The same, but with what stands in round brackets, which is run as well. */
  code: string;
}

/** Reads a text as a shell would, as far as quotes and brackets go. */
export function readShell(command: string): ShellText {
  const { open, outside, code } = /["'`\\$(#]/.test(command)
    ? scan(command)
    : { open: undefined, outside: command, code: command };
  if (open !== undefined) return { fault: `its ${open} is never closed`, outside, code };
  return { fault: endFault(command) ?? hereFault(outside), outside, code };
}

/** A note for a command in which a shell goes on behind one that failed, other than svc, which runs `sh -e`. */
export function strictNote({ code }: ShellText): string | undefined {
  // Who has said what is to be goes on with that.
  if (/^\s*set\s+[-+]\w*e/.test(code)) return undefined;
  // Lists stand near the head; a hostile line must not cost time.
  const parts = code.slice(0, 4000).split(/(;;|;|\n|[({]|(?<=(?:^|[;\n&|({])\s*)(?:then|do|else)\b)/);
  let before = parts[0] ?? "";
  for (let at = 1; at + 1 < parts.length; at += 2) {
    const [sign = "", behind = "", next] = parts.slice(at, at + 3);
    const isList = sign === ";" || sign === "\n";
    // An empty line between two commands is no command.
    if (isList && behind.trim() === "" && /^[;\n]$/.test(next ?? "")) continue;
    const isEnd = behind.trim() === ""
      ? !/^[({]$/.test(next ?? "")
      : /^\s*(?:[)}]|(?:elif|fi|esac)\b)/.test(behind);
    if (isList && !isEnd && !cannotFail.test(before.trim())) {
      return 'svc stops at the first command that fails (sh -e), where a plain shell goes on: "set +e" in front ' +
        "would have it go on here, too";
    }
    before = behind;
  }
  return undefined;
}

const cannotFail =
  /^(?:|:|true|sleep\s+\w+|umask\s+\w+|(?:export|unset|set|trap|exit)\b.*|[A-Za-z_]\w*=\S*|.*\|\|\s*(?:true|:)|.*(?:[^&]&|&&|\|))$/s;

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
function scan(command: string): { open: string | undefined; outside: string; code: string } {
  const closers: string[] = [];
  // How many of them are no round brackets.
  let quotes = 0;
  let [outside, code] = ["", ""];
  const open = (closer: string): void => {
    closers.push(closer);
    if (closer !== ")") quotes++;
  };
  const blank = (length: number): void => {
    outside += " ".repeat(length);
    code += " ".repeat(length);
  };
  for (let at = 0; at < command.length; at++) {
    const char = command[at] ?? "";
    const inside = closers.at(-1);
    const isQuoted = inside === "'";
    if (char === inside) {
      closers.pop();
      if (char === ")") {
        outside += " ";
        code += quotes === 0 ? char : " ";
      } else {
        quotes--;
        blank(1);
      }
    } else if (isQuoted) blank(1);
    else if (char === "\\") {
      blank(Math.min(2, command.length - at));
      at++;
    } else if (char === "$" && command[at + 1] === "(") {
      outside += "  ";
      code += quotes === 0 ? " (" : "  ";
      open(")");
      at++;
    } else if (char === "$" && command[at + 1] === "{") {
      blank(2);
      open("}");
      at++;
    } else if (char === '"' || char === "`") {
      blank(1);
      open(char);
    } else if (inside === '"') blank(1);
    else if (char === "'" && inside !== "}") {
      blank(1);
      open("'");
    } else if (char === "(" && inside !== "}") {
      outside += " ";
      code += quotes === 0 ? char : " ";
      open(")");
    } else if (char === "#" && inside !== "}" && /^$|[\s;&|(]/.test(command[at - 1] ?? "")) {
      const end = command.indexOf("\n", at);
      const to = end < 0 ? command.length : end;
      blank(to - at);
      at = to - 1;
    } else {
      outside += inside === undefined ? char : " ";
      code += quotes === 0 ? char : " ";
    }
  }
  const left = closers.at(-1);
  return { open: left === undefined ? undefined : names[left], outside, code };
}

const names: Readonly<Record<string, string>> = {
  "'": "single quote",
  '"': "double quote",
  "`": "backtick",
  ")": "bracket",
  "}": "brace",
};
