import { shellWord } from "../words.ts";
import { readerLines } from "./environment_reader.ts";
import { isLate, latePieces, lateWords } from "./late.ts";
import { fixedNote, type Specifiers, substitute } from "./specifiers.ts";
import type { Told } from "./told.ts";
import { allOf, lastOf, type UnitFile } from "./unit_file.ts";
import { unitWords } from "./unit_words.ts";

/** What a service gets from its environment keys. */
export interface UnitEnvironment {
  env: Map<string, string>;
  /** Lines of shell that read the files, in front of the first command. */
  lines: string[];
}

/** The search path that systemd gives to the system's services. */
const systemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Reads the variables of a service; what can't be read is told. */
export function readUnitEnvironment(
  unit: UnitFile,
  { specifiers, told }: { specifiers: Specifiers; told: Told },
): UnitEnvironment {
  const env = new Map<string, string>(specifiers.isUser ? [] : [["PATH", systemPath]]);
  for (const { key, folder } of folders) {
    const names = allOf(unit, "Service", key);
    const base = specifiers.isUser ? undefined : folder;
    for (const one of names) {
      const read = substitute(one.value, specifiers);
      if ("fault" in read || base === undefined) {
        told.refuse(one, "svc makes no folders: make it yourself");
        continue;
      }
      const paths = read.text.split(/\s+/).map((name) => `${base}/${name.replace(/:.*$/, "")}`);
      env.set(variableOf(key), paths.join(":"));
      told.note(one, `svc makes no folders: make ${paths.join(", ")} yourself`);
    }
  }
  for (const one of allOf(unit, "Service", "Environment")) {
    const words = unitWords(one.value);
    if ("fault" in words) {
      told.refuse(one, `${words.fault}, so systemd passes it over`);
      continue;
    }
    for (const { text } of words.words) {
      const read = substitute(text, specifiers);
      if ("fault" in read) {
        told.refuse(one, read.fault);
        continue;
      }
      const [, name = "", value = ""] = /^([A-Za-z_]\w*)=([^]*)$/.exec(read.text) ?? [];
      if (name === "") told.note(one, `${JSON.stringify(text)} is no NAME=value, so systemd passes it over`);
      else env.set(name, value);
      if (read.fixed.length > 0) told.note(one, fixedNote(read.fixed, specifiers));
      if (isLate(read.text)) {
        told.note(
          one,
          `${lateWords("%t is \0XDG_RUNTIME_DIR\0")}, which must be set where svc loads: unset is an error`,
        );
      }
    }
  }
  for (const one of allOf(unit, "Service", "PassEnvironment")) {
    told.refuse(one, 'name the variables in env, as in NAME = "${NAME}"');
  }
  return { env, lines: fileLines(unit, { specifiers, told }) };
}

/** Reads the files when it starts, as systemd does, and over what stands in the unit. */
function fileLines(unit: UnitFile, { specifiers, told }: { specifiers: Specifiers; told: Told }): string[] {
  const lines: string[] = [];
  for (const one of allOf(unit, "Service", "EnvironmentFile")) {
    const [, optional = "", written = ""] = /^(-?)(.*)$/.exec(one.value) ?? [];
    const read = substitute(written.replaceAll(/^"|"$/g, ""), specifiers);
    if ("fault" in read || !(read.text.startsWith("/") || isLate(read.text))) {
      told.refuse(one, "fault" in read ? read.fault : "it is no absolute path, so systemd passes it over");
      continue;
    }
    const path = read.text;
    const word = shellWord(latePieces(path));
    if (/[*?[]/.test(path)) {
      const glob = path.split(/([*?[\]])/).map((part, at) =>
        at % 2 === 0 && part !== "" ? shellWord(latePieces(part)) : part
      );
      lines.push(`for file in ${glob.join("")}; do [ ! -f "$file" ] || read_variables "$file"; done`);
    } else if (optional === "-") lines.push(`[ ! -f ${word} ] || read_variables ${word}`);
    else lines.push(`read_variables ${word}`);
    if (read.fixed.length > 0) told.note(one, fixedNote(read.fixed, specifiers));
    if (lastOf(unit, "Service", "User") !== undefined && !specifiers.isUser) {
      told.note(
        one,
        "its script reads the file at each start by systemd's rules, but as the account of the unit: systemd reads it as root",
      );
    }
  }
  return lines.length === 0 ? [] : [...readerLines, ...lines];
}

const folders = [
  { key: "RuntimeDirectory", folder: "/run" },
  { key: "StateDirectory", folder: "/var/lib" },
  { key: "CacheDirectory", folder: "/var/cache" },
  { key: "LogsDirectory", folder: "/var/log" },
  { key: "ConfigurationDirectory", folder: "/etc" },
] as const;

function variableOf(key: string): string {
  return `${key.replace("Directory", "").toUpperCase()}_DIRECTORY`;
}
