/** A name for a unit, and the note that tells of it where another was given. */
export interface GivenName {
  name: string;
  note?: string;
}

/** Names of units: each fits svc's rules, and no two are the same. */
export class UnitNames {
  readonly #taken: Set<string>;
  /** The number that comes next for a name, so that ten thousand of one name stay quick. */
  readonly #next = new Map<string, number>();

  /** `taken` are names that are in use already. */
  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  /** A name that the source gives, as near to it as it may be; a changed one comes with a note. */
  given(wanted: string): GivenName {
    const name = this.#unique(fitName(wanted));
    if (name === wanted) return { name };
    const why = fitName(wanted) === wanted
      ? "the name is in use"
      : "a name has 1 to 100 of a-z, A-Z, 0-9, dot, colon, underscore and hyphen, and begins with a letter or digit";
    return { name, note: `${JSON.stringify(wanted)} is called ${JSON.stringify(name)} here: ${why}` };
  }

  /** A name made from a shell command, after the program that does the work. */
  fromCommand(command: string): string {
    return this.#unique(fitName(programOf(command)));
  }

  #unique(name: string): string {
    let free = name;
    let n = this.#next.get(name) ?? 2;
    for (; this.#taken.has(free); n++) {
      const end = `-${n}`;
      free = name.slice(0, MAX_LENGTH - end.length) + end;
    }
    this.#next.set(name, n);
    this.#taken.add(free);
    return free;
  }
}

const MAX_LENGTH = 100;

/** The name that is nearest to a text: letters lose their marks, whatever else does not fit becomes a hyphen. */
export function fitName(text: string): string {
  if (/^[a-zA-Z0-9][a-zA-Z0-9._:-]{0,99}$/.test(text)) return text;
  const name = text
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-zA-Z0-9._:-]+/g, "-")
    .replace(/^[^a-zA-Z0-9]+/, "")
    .slice(0, MAX_LENGTH)
    .replace(/[-.:_]+$/, "");
  return name === "" ? "job" : name;
}

/** Programs that start another one; the words behind them are looked at, too. */
const starters = new Set([
  "sudo",
  "nice",
  "ionice",
  "nohup",
  "env",
  "exec",
  "flock",
  "time",
  "timeout",
  "chronic",
  "root",
  "bash",
  "sh",
  "zsh",
  "dash",
  "python",
  "python3",
  "php",
  "perl",
  "ruby",
  "node",
  "java",
  "cron",
  "setsid",
  "chrt",
  "taskset",
  "systemd-cat",
  "run-parts",
]);

/** Words of a shell, and programs that only prepare what a job is about. */
const preparations = new Set([
  "cd",
  "test",
  "[",
  "[[",
  "sleep",
  "if",
  "then",
  "else",
  "fi",
  "for",
  "do",
  "done",
  "while",
  "!",
  "{",
  "(",
  ".",
  "source",
  "umask",
  "export",
  "set",
  "mkdir",
  "true",
  "command",
  "date",
  "echo",
  "cat",
  "head",
  "tail",
  "ls",
  "find",
  "yes",
]);

/** The word of a shell command that tells best what it does: the last part of the program's path. */
function programOf(command: string): string {
  // What is read is no command; what another account is to run is the work.
  const head = command.slice(0, 2000).replace(/<<-?\s*["'\\]?\w[^]*/, "").replace(
    /\b(?:su|runuser)\s[^'"|;&]*?-\w*c\s+(["'])([^]*?)\1/,
    "$2",
  );
  let fallback: string | undefined;
  for (const part of head.split(/&&|\|\||[;|\n]/)) {
    const words = part.trim().replace(/^[({!\s]+/, "").split(/\s+/).filter((word) => word !== "");
    while (/^(?:then|do|else|if|while|!)$/.test(words[0] ?? "")) words.shift();
    const found = programIn(words);
    if (found === undefined) continue;
    if (!preparations.has(found)) return found;
    fallback ??= found;
  }
  return fallback ?? "job";
}

function programIn(words: readonly string[]): string | undefined {
  let last: string | undefined;
  let takesWord = false;
  for (const [at, word] of words.entries()) {
    if (/^[A-Za-z_][A-Za-z0-9_]*=|^\d+$/.test(word)) continue;
    // What a variable in front of the program stands for is a starter, most likely.
    if (last === undefined && at + 1 < words.length && /^"?\$\{?\w+\}?"?$/.test(word)) continue;
    const name = baseName(word);
    if (last !== undefined) {
      // Behind a program that starts another: its options, their numbers, and locks are passed over.
      const passed = takesWord;
      takesWord = (last === "sudo" || last === "nice") && /^-[un]$/.test(word);
      if (passed || word.startsWith("-") || /^\d+[smhd]?$/.test(word) || /\.lock\b/.test(word)) continue;
      if (!/^[\w./~$@+:-]+$/.test(word.replaceAll(/^["']|["']$/g, ""))) return last;
    }
    if (name === "") return last;
    last = name;
    if (!starters.has(name)) return name;
  }
  return last;
}

function baseName(word: string): string {
  const plain = word.replaceAll(/["'`]/g, "").replace(/[;)}]+$/, "");
  const base = plain.split(/[/\\]/).filter((part) => part !== "").at(-1) ?? "";
  return base.replace(/\.(?:sh|bash|py|php|pl|rb|js|bat|exe)$/i, "");
}
