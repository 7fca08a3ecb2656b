import { runtimeFolder } from "./late.ts";

/** What the specifiers of a unit stand for. */
export interface Specifiers {
  /** The full name, such as "worker@a.service". */
  name: string;
  hostname: string;
  /** Units of a user have other folders. */
  isUser: boolean;
  /** Its folder tells whose unit it is; elsewhere it is taken for one of the system. */
  isPlaced?: boolean;
  home?: string;
  user?: string;
  /** The file that it was read from; "-" for standard input. */
  path: string;
}

/** A text with its specifiers put in, those that are fixed at the time of the import, or what is wrong. */
export function substitute(
  text: string,
  specifiers: Specifiers,
): { text: string; fixed: string[] } | { fault: string } {
  const fixed: string[] = [];
  let out = "";
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char !== "%") {
      out += char;
      continue;
    }
    const letter = text[++at] ?? "";
    const value = letter === "%" ? "%" : valueOf(letter, specifiers);
    if (value === undefined) {
      // What is none is left as it is by systemd, too.
      if (!/[A-Za-z]/.test(letter)) {
        out += char;
        at--;
        continue;
      }
      const why = /[abBAgGjJMmopPqsTvVwW]/.test(letter)
        ? "it is known to systemd on its machine only: write the value itself"
        : "it stands for nothing that is known here";
      return { fault: `%${letter} can't be put in: ${why}` };
    }
    if (isFixed(letter, specifiers)) fixed.push(`%${letter}`);
    out += value;
  }
  return { text: out, fixed };
}

/** What is to be told of specifiers that were put in. */
export function fixedNote(fixed: readonly string[], { isUser, isPlaced }: Specifiers): string {
  const names = [...new Set(fixed)];
  const own = names.filter((name) => /[huUtSCLE]$/.test(name));
  const put = `${names.join(", ")} is put in once, here`;
  if (isUser || own.length === 0) return put;
  const shown = own.map((name) => name === "%h" ? "%h = /root" : name).join(", ");
  if (isPlaced) return `${put}, as for every unit of the system: ${shown}`;
  return `${put}, as for a unit of the system: ${shown}. If it is one of a user, import it from ~/.config/systemd/user`;
}

/** Whether another machine, account or folder would have had another value put in. */
function isFixed(letter: string, { isUser, isPlaced }: Specifiers): boolean {
  if (/[Hl]/.test(letter)) return true;
  // What a run knows by itself is put in by the run.
  if (isUser) return /[huSCLEyY]/.test(letter);
  return isPlaced ? letter === "h" : /[huUtSCLE]/.test(letter);
}

/** The instance of a unit name; undefined where it has none, "" for a template. */
export function instanceOf(name: string): string | undefined {
  return /@(.*)\.[a-z]+$/.exec(name)?.[1];
}

function valueOf(letter: string, specifiers: Specifiers): string | undefined {
  const { name, hostname, isUser, home, path } = specifiers;
  const stem = name.replace(/\.[a-z]+$/, "");
  const prefix = stem.replace(/@.*$/, "");
  const instance = instanceOf(name) ?? "";
  const below = (folder: string): string | undefined => home === undefined ? undefined : `${home}/${folder}`;
  switch (letter) {
    case "n":
      return name;
    case "N":
      return stem;
    case "p":
      return prefix;
    case "P":
      return unescapeName(prefix);
    case "i":
      return instance;
    case "I":
      return unescapeName(instance);
    case "j":
      return prefix.split("-").at(-1);
    case "J":
      return unescapeName(prefix.split("-").at(-1) ?? "");
    case "f":
      return `/${unescapeName(instance === "" ? prefix : instance).replace(/^\/+/, "")}`;
    case "H":
      return hostname;
    case "l":
      return hostname.split(".")[0];
    case "h":
      return isUser ? home : "/root";
    case "u":
      return isUser ? specifiers.user : "root";
    case "U":
      return isUser ? undefined : "0";
    case "t":
      return isUser ? runtimeFolder : "/run";
    case "S":
      return isUser ? below(".local/state") : "/var/lib";
    case "C":
      return isUser ? below(".cache") : "/var/cache";
    case "L":
      return isUser ? below(".local/state/log") : "/var/log";
    case "E":
      return isUser ? below(".config") : "/etc";
    case "T":
      return "/tmp";
    case "V":
      return "/var/tmp";
    case "y":
      return path === "-" ? undefined : path;
    case "Y":
      return path === "-" ? undefined : path.slice(0, Math.max(1, path.lastIndexOf("/")));
    default:
      return undefined;
  }
}

/** A part of a unit name without systemd's escapes: a hyphen stands for a slash, `\x2d` for a hyphen. */
function unescapeName(text: string): string {
  return text.replaceAll("-", "/").replaceAll(
    /\\x([0-9a-fA-F]{2})/g,
    (_, code: string) => String.fromCharCode(parseInt(code, 16)),
  );
}
