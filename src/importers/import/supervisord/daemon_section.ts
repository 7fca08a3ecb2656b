import { folderOf } from "../../../core/config/path.ts";
import { type Entry, takenWith } from "../imported.ts";
import { expand, type ExpandedPiece, plainText } from "./expand.ts";
import type { IniSection } from "./ini.ts";
import { readVariables, sharedMeaning } from "./program.ts";
import { ValueFault, Values } from "./values.ts";

/** What [supervisord] gives to all programs. */
export interface DaemonSettings {
  shared: Map<string, readonly ExpandedPiece[]>;
  user: string | undefined;
  directory: string | undefined;
  umask: string | undefined;
}

/** Reads [supervisord] and accounts for it; `fault` is why no program can be taken. */
export function readDaemon(
  section: IniSection | undefined,
  hostname: string,
): { settings: DaemonSettings; entry?: Entry; fault?: string } {
  const settings: DaemonSettings = {
    shared: new Map(),
    user: undefined,
    directory: undefined,
    umask: undefined,
  };
  if (section === undefined) return { settings };
  const values = new Values(section);
  const here = section.file === "-" ? undefined : folderOf(section.file);
  const entry = { file: section.file, line: section.line, what: "[supervisord]" };
  try {
    const read = (key: string): ExpandedPiece[] | undefined => {
      const value = values.at(key);
      if (value === undefined) return undefined;
      const expanded = expand(value.text, (name) => sharedMeaning(name, { here, hostname, variables: [] }));
      if ("fault" in expanded) throw values.fault(key, expanded.fault);
      return expanded.pieces;
    };
    const plain = (key: string): string | undefined =>
      plainText(read(key) ?? [{ is: "variable", name: "", width: 0 }]);
    settings.shared = readVariables(read("environment") ?? [], values);
    const user = plain("user");
    settings.user = user === "root" || user === "0" ? undefined : user;
    settings.directory = plain("directory");
    settings.umask = values.umask();
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error;
    const why = `[supervisord]: ${error.message}`;
    return { settings, entry: { ...entry, fate: { is: "refused", why: error.message } }, fault: why };
  }
  const isGiven = (key: string): boolean => given.has(key) && (key !== "user" || settings.user !== undefined);
  const used = [...section.keys].filter(([key]) => isGiven(key)).map(([key]) => key);
  const left = [...section.keys].filter(([key, { isShared }]) => !isGiven(key) && !isShared).map((
    [key, { line }],
  ) => `${key} (line ${line})`);
  const notes = [
    ...(used.length === 0 ? [] : [`${used.join(", ")}: given to each program`]),
    ...(left.length === 0 ? [] : [`left out, being about supervisord itself: ${left.join(", ")}`]),
  ];
  return {
    settings,
    entry: {
      ...entry,
      fate: used.length === 0 ? { is: "refused", why: notes[0] ?? "it is empty" } : takenWith(notes),
    },
  };
}

const given: ReadonlySet<string> = new Set(["environment", "user", "directory", "umask"]);
