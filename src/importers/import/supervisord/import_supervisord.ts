import { escapeGlob } from "../../../core/config/glob.ts";
import { folderOf, resolvePath } from "../../../core/config/path.ts";
import { nearest } from "../../../core/nearest.ts";
import {
  type Entry,
  type Fate,
  type ImportContext,
  type Imported,
  type ImportedUnit,
  type SourceFile,
  takenWith,
} from "../imported.ts";
import { UnitNames } from "../names.ts";
import { controlNotes } from "../control.ts";
import { readDaemon } from "./daemon_section.ts";
import { expand, plainText } from "./expand.ts";
import { type IniSection, readIni } from "./ini.ts";
import { readProgram, sharedMeaning } from "./program.ts";
import { logKeys } from "./program_notes.ts";
import { ValueFault } from "./values.ts";

/**
 * Makes services of the programs of supervisord. All files are one configuration, and each is followed to those that
 * it includes, as supervisord itself reads them.
 */
export function importSupervisord(files: readonly SourceFile[], context: ImportContext): Imported {
  const names = new UnitNames(context.taken);
  const included = followIncludes(files, context);
  const { sections, stray } = readIni(included.files);
  if (stray !== undefined) {
    return brokenAt(stray, "a section such as [program:NAME] is due before anything else");
  }
  const [first] = files;
  if (first !== undefined && ![...sections.keys()].some((name) => isKnown(name))) {
    return brokenAt(
      { file: first.path, line: 1 },
      "it is no configuration of supervisord: it has no section of that",
    );
  }
  const entries: Entry[] = [...included.entries];
  const units: ImportedUnit[] = [];
  const { entry: daemonEntry, settings: daemon, fault } = readDaemon(
    sections.get("supervisord"),
    context.hostname,
  );
  if (daemonEntry !== undefined) entries.push(daemonEntry);
  const groups = groupsOf(sections);
  const made = new Map<string, string>();
  for (const section of sections.values()) {
    if (!section.name.startsWith("program:")) continue;
    const entry = entryOf(section);
    const wanted = section.name.slice("program:".length).trim();
    try {
      const [wrong] = section.faults;
      const why = wrong?.why ?? fault ?? nameFault(section.name);
      if (why !== undefined) throw new ValueFault(why);
      const { settings, notes } = readProgram(section, {
        here: hereOf(section.file),
        hostname: context.hostname,
        ...daemon,
        group: groups.get(wanted),
      });
      const { name, note } = names.given(wanted);
      made.set(wanted, name);
      units.push({ kind: "service", name, settings });
      entries.push({
        ...entry,
        unit: name,
        fate: takenWith([...(note === undefined ? [] : [note]), ...notes]),
      });
    } catch (error) {
      if (!(error instanceof ValueFault)) throw error;
      entries.push({ ...entry, fate: { is: "refused", why: error.message } });
    }
  }
  const taken = [...sections.values()].filter(({ name }) =>
    made.has(name.replace(/^program:\s*/, "").trim())
  );
  entries.push(...together(taken, { sharedUser: daemon.user }));
  tellControl(units, { entries, groups });
  for (const section of sections.values()) {
    const told = tellSection(section, { sections, made });
    if (told !== undefined) entries.push(told);
  }
  const order = new Map(included.files.map(({ path }, at) => [path, at]));
  const rank = ({ file }: Entry): number => order.get(file) ?? 0;
  return { units, entries: entries.sort((a, b) => rank(a) - rank(b) || a.line - b.line) };
}

/** Files with those that they include, each once, and what is to be told of that. */
function followIncludes(
  files: readonly SourceFile[],
  context: ImportContext,
): { files: SourceFile[]; entries: Entry[] } {
  const all = new Map(files.map((file) => [file.path, file]));
  const entries: Entry[] = [];
  for (const file of files) {
    const section = readIni([file]).sections.get("include");
    if (section === undefined) continue;
    const { found, notes } = includedBy(section, context);
    for (const one of found) if (!all.has(one.path)) all.set(one.path, one);
    entries.push({
      ...entryOf(section),
      fate: found.length === 0 ? { is: "refused", why: notes.join("; ") } : takenWith(notes),
    });
  }
  return { files: [...all.values()], entries };
}

function includedBy(
  { file, keys }: IniSection,
  { files, hostname }: ImportContext,
): { found: SourceFile[]; notes: string[] } {
  const folder = hereOf(file);
  const here = folder === undefined ? undefined : escapeGlob(folder);
  const found: SourceFile[] = [];
  const notes: string[] = [];
  const patterns = (keys.get("files")?.text ?? "").split(/\s+/).filter((word) => word !== "");
  if (patterns.length === 0) notes.push("it names no files");
  for (const pattern of patterns) {
    const expanded = expand(pattern, (name) => sharedMeaning(name, { here, hostname, variables: [] }));
    const text = "fault" in expanded ? undefined : plainText(expanded.pieces);
    const shown = JSON.stringify(pattern);
    if (text === undefined) notes.push(`${shown} can't be followed: name its files to svc import`);
    else if (here === undefined && !text.startsWith("/")) {
      notes.push(`${shown} is relative to a folder that is unknown: name the file instead of piping it in`);
    } else {
      const matching = files(resolvePath(text, { base: here ?? "/" })).filter(({ path }) => path !== file);
      found.push(...matching);
      if (matching.length === 0) notes.push(`${shown} matches no file that can be read`);
    }
  }
  return { found, notes };
}

/** What `%(here)s` stands for. */
function hereOf(file: string): string | undefined {
  return file === "-" ? undefined : folderOf(file);
}

/** What holds for several programs, told once for each file; `sharedUser` is the account of those that name none. */
function together(
  programs: readonly IniSection[],
  { sharedUser }: { sharedUser: string | undefined },
): Entry[] {
  return [...Map.groupBy(programs, ({ file }) => file)].flatMap(([file, alike]): Entry[] => {
    const tell = (keysOf: (section: IniSection) => string[], fateOf: (names: string) => Fate): Entry[] => {
      const found = alike.filter((section) => keysOf(section).length > 0);
      const [first] = found;
      if (first === undefined) return [];
      const names = found.map(({ name }) => name.slice("program:".length).trim()).join(", ");
      return [{
        file,
        line: first.keys.get(keysOf(first)[0] ?? "")?.line ?? 0,
        what: [...new Set(found.flatMap(keysOf))].join(", "),
        fate: fateOf(names),
      }];
    };
    return [
      ...tell(logKeys, (names) => ({
        is: "refused",
        why: `svc keeps the output of each run in a log of its own (${names})`,
      })),
      ...tell(
        ({ keys }) => keys.has("user") || sharedUser !== undefined ? ["user"] : [],
        (names) =>
          takenWith([
            `svc sets HOME, USER and LOGNAME to those of the account, which supervisord leaves as they are: ${names}`,
          ]),
      ),
    ];
  });
}

/** Notes where a program has supervisord start or stop another that is imported along with it. */
function tellControl(
  units: readonly ImportedUnit[],
  { entries, groups }: { entries: Entry[]; groups: ReadonlyMap<string, string> },
): void {
  const names = new Set(units.map(({ name }) => name));
  for (const { name, settings } of units) {
    const notes = controlNotes(String(settings["run"]), {
      program: "supervisorctl",
      nameOf: (word) => {
        const [group = "", program = group] = word.split(":");
        if (program === "*") return [...groups].find(([, own]) => own === group)?.[0];
        return names.has(program) ? program : undefined;
      },
    });
    const entry = entries.find(({ unit }) => unit === name);
    if (entry === undefined || notes.length === 0) continue;
    entry.fate = takenWith([...(entry.fate.is === "noted" ? entry.fate.notes : []), ...notes]);
  }
}

/** The group of each program that is in one. */
function groupsOf(sections: ReadonlyMap<string, IniSection>): Map<string, string> {
  const groups = new Map<string, string>();
  for (const section of sections.values()) {
    if (!section.name.startsWith("group:")) continue;
    for (const program of programsOf(section)) {
      groups.set(program, section.name.slice("group:".length).trim());
    }
  }
  return groups;
}

function programsOf({ keys }: IniSection): string[] {
  return (keys.get("programs")?.text ?? "").split(/[\s,]+/).filter((name) => name !== "");
}

/** An account of a section that is neither a program nor read elsewhere. */
function tellSection(
  section: IniSection,
  { sections, made }: { sections: ReadonlyMap<string, IniSection>; made: ReadonlyMap<string, string> },
): Entry | undefined {
  const { name, keys } = section;
  const [kind = ""] = name.split(":");
  if (kind === "program" || name === "supervisord" || name === "include") return undefined;
  const entry = entryOf(section);
  const refuse = (why: string): Entry => ({ ...entry, fate: { is: "refused", why } });
  if (kind === "group") {
    const programs = programsOf(section);
    const missing = programs.filter((program) => !sections.has(`program:${program}`));
    const notes = missing.map((program) => {
      const near = nearest(program, made.keys());
      return `it names the program ${
        JSON.stringify(program)
      }, which does not exist, so supervisord refuses the file${
        near === undefined ? "" : `: did you mean "${near}"?`
      }`;
    });
    const priority = keys.get("priority");
    if (priority !== undefined) {
      notes.push(
        `priority=${priority.text} (line ${priority.line}) is left out: groups have none here, each program has its own`,
      );
    }
    const others = [...keys].filter(([key, { isShared }]) =>
      !isShared && key !== "programs" && key !== "priority"
    )
      .map(([key, { line }]) => `${key} (line ${line})`);
    if (others.length > 0) {
      notes.push(
        `${others.join(", ")}: no key of a group, supervisord passes it over as well; a program has it`,
      );
    }
    return programs.some((program) => made.has(program))
      ? { ...entry, fate: takenWith(notes) }
      : refuse(notes[0] ?? "none of its programs was taken");
  }
  if (name === "DEFAULT") {
    return {
      ...entry,
      fate: takenWith([`what it says holds for every section: ${[...keys.keys()].join(", ")}`]),
    };
  }
  const why = reasons.get(kind);
  if (why !== undefined) return refuse(why);
  const near = nearest(kind, [...reasons.keys(), "program", "group", "supervisord", "include"]);
  return refuse(`supervisord knows no such section${near === undefined ? "" : `: did you mean "${near}"?`}`);
}

const control = "it is about the control of supervisord: svc has a socket, a page and an HTTP API of its own";

const reasons: ReadonlyMap<string, string> = new Map([
  ["unix_http_server", control],
  ["inet_http_server", control],
  ["supervisorctl", control],
  ["rpcinterface", control],
  ["ctlplugin", control],
  [
    "eventlistener",
    "it speaks the event protocol of supervisord: notifiers of svc tell of failures, and its event stream of all else",
  ],
  ["fcgi-program", "supervisord opens its socket for it, which svc does not: let the program open it itself"],
]);

function isKnown(name: string): boolean {
  const [kind = ""] = name.split(":");
  return reasons.has(kind) || /^(?:program|group)$/.test(kind) || name === "supervisord" ||
    name === "include";
}

function nameFault(section: string): string | undefined {
  const name = section.slice("program:".length).trim();
  if (name === "") return "it has no name";
  const sign = /[\s:/]/.exec(name)?.[0];
  if (sign === undefined) return undefined;
  return `the name ${JSON.stringify(name)} holds ${JSON.stringify(sign)}, so supervisord refuses it`;
}

function entryOf({ name, file, line }: IniSection): { file: string; line: number; what: string } {
  return { file, line, what: `[${name.length > 70 ? `${name.slice(0, 67)}...` : name}]` };
}

function brokenAt({ file, line }: { file: string; line: number }, why: string): Imported {
  return { units: [], entries: [], broken: { file, line, why } };
}
