import { folderOf } from "../../../core/config/path.ts";
import { type Entry, takenWith, type Template } from "../imported.ts";
import { expand, type ExpandedPiece, plainText } from "./expand.ts";
import { hasPlaceholder } from "../placeholders.ts";
import type { IniSection } from "./ini.ts";
import { readVariables, sharedMeaning, templateText } from "./program.ts";
import { readFlag, ValueFault, Values } from "./values.ts";

/** What [supervisord] gives to all programs. */
export interface DaemonSettings {
  shared: Map<string, readonly ExpandedPiece[]>;
  user: string | undefined;
  directory: string | Template | undefined;
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
  const staysInFront = readFlag(values.at("nodaemon")?.text ?? "") ?? false;
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
    // It goes there when it daemonizes, and only then.
    if (!staysInFront) settings.directory = templateText(read("directory"), { values, key: "directory" });
    settings.umask = values.umask();
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error;
    const why = `[supervisord]: ${error.message}`;
    return { settings, entry: { ...entry, fate: { is: "refused", why: error.message } }, fault: why };
  }
  const isGiven = (key: string): boolean =>
    given.has(key) && (key !== "user" || settings.user !== undefined) &&
    (key !== "directory" || settings.directory !== undefined);
  const directory = values.at("directory");
  const used = [...section.keys].filter(([key]) => isGiven(key)).map(([key]) => key);
  const left = [...section.keys].filter(([key, { isShared }]) =>
    !isGiven(key) && !isShared && key !== "directory"
  ).map((
    [key, { line }],
  ) => `${key} (line ${line})`);
  const notes = [
    ...(used.length === 0 ? [] : [`${used.join(", ")}: given to each program`]),
    ...(directory === undefined
      ? []
      : [folderNote(directory, { staysInFront, directory: settings.directory })]),
    ...(hasPlaceholder(values.at("user")?.text ?? "")
      ? ["user holds a placeholder that was never filled in"]
      : []),
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

/** What becomes of the folder that supervisord itself goes to. */
function folderNote(
  { text, line }: { text: string; line: number },
  { staysInFront, directory }: { staysInFront: boolean; directory: string | Template | undefined },
): string {
  const where = `directory=${text} (line ${line})`;
  if (staysInFront || directory === undefined) {
    return `${where} does not count with nodaemon=true: programs without a directory stay in the folder in which ` +
      'supervisord was started, which is taken for "/"; set working_dir where it was another';
  }
  const note =
    `${where} counts where supervisord daemonizes: started with -n, as by Debian's unit, it stays in "/"`;
  if (typeof directory !== "string") {
    return `${note}; its variables must be set where svc loads: unset is an error`;
  }
  if (/^[/~]/.test(directory)) return note;
  return `${note}; it is relative to the folder in which supervisord is started, working_dir to that of the configuration file`;
}

const given: ReadonlySet<string> = new Set(["environment", "user", "directory", "umask"]);
