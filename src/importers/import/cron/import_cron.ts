import {
  type Entry,
  type ImportContext,
  type Imported,
  type ImportedUnit,
  type SourceFile,
  takenWith,
} from "../imported.ts";
import { UnitNames } from "../names.ts";
import { shortLine } from "../short_line.ts";
import { type EntryCommand, readCommand } from "./command.ts";
import { CronSettings } from "./cron_settings.ts";
import { pamEntries, readPamEnvironment } from "./pam_environment.ts";
import { describe } from "./remarks.ts";
import { readTime } from "./schedule.ts";

/** Makes tasks of crontabs: of users, of the system (with an account column), and those that packages drop in. */
export function importCron(files: readonly SourceFile[], context: ImportContext): Imported {
  const names = new UnitNames(context.taken);
  const pam = readPamEnvironment(context);
  const isHere = (path: string): boolean => context.system || tablesHere.test(path);
  const tables = files.map((file) =>
    readTable(file, { context, names, given: isHere(file.path) ? pam.env : {} })
  );
  const units = tables.flatMap((table) => table.units);
  const entries = noteRelatives(tables.flatMap((table) => table.entries), units);
  const [first] = tables.filter((table) => table.units.length > 0);
  if (first !== undefined) {
    const strange = tables.find((table) => table.units.length > 0 && !isHere(table.file));
    entries.push(...pamEntries(pam, { isGiven: strange === undefined, file: (strange ?? first).file }));
  }
  const broken = units.length === 0 ? foreignTo(entries) : undefined;
  return { units, entries, ...(broken === undefined ? {} : { broken }) };
}

/** Where the tables of a machine's own cron are. */
const tablesHere = /^\/(?:etc\/(?:crontab$|cron\.d\/)|var\/(?:spool\/)?cron\/)/;

/** Whose jobs a table holds: those of the accounts in its column, of one account, or of whoever imports it. */
type Owner = { column: true } | { column: false; account?: string };

interface Table {
  file: string;
  owner: Owner;
  names: UnitNames;
  settings: CronSettings;
  /** Variables that its jobs have anyway. */
  given: Record<string, string>;
  units: ImportedUnit[];
  entries: Entry[];
}

function readTable(
  { path, text }: SourceFile,
  { context, names, given }: { context: ImportContext; names: UnitNames; given: Record<string, string> },
): Table {
  const table: Table = {
    file: path,
    owner: ownerOf(path, context),
    names,
    settings: new CronSettings(path),
    given,
    units: [],
    entries: [],
  };
  let remarks: string[] = [];
  let inConflict = false;
  let goesOn = 0;
  for (const [index, raw] of text.split("\n").entries()) {
    const line = raw.replace(/^[ \t]+/, "");
    const number = index + 1;
    if (line.startsWith("#")) {
      remarks.push(line);
      continue;
    }
    const above = remarks;
    remarks = [];
    if (line.trim() === "") continue;
    if (table.settings.read(line, number)) continue;
    if (/^<{7}/.test(line)) inConflict = true;
    const before = table.units.length;
    const entry = readEntry(line, { table, number, above, indented: raw !== line, goesOn });
    if (inConflict && table.units.length > before) {
      entry.fate = takenWith([
        ...(entry.fate.is === "noted" ? entry.fate.notes : []),
        "it stands between the marks of a conflict: only one of the two versions may be meant",
      ]);
    }
    table.entries.push(entry);
    if (/^>{7}/.test(line)) inConflict = false;
    goesOn = line.endsWith("\\") ? number : 0;
  }
  const entries = [...table.entries, ...table.settings.entries()].sort((a, b) => a.line - b.line);
  return { ...table, entries };
}

function ownerOf(path: string, { system, user }: ImportContext): Owner {
  if (system || path.startsWith("/etc/")) return { column: true };
  const account = /^\/var\/(?:spool\/)?cron\/(?:(?:crontabs|tabs)\/)?([^/]+)$/.exec(path)?.[1];
  return { column: false, ...(account === undefined || account === user ? {} : { account }) };
}

function readEntry(
  line: string,
  { table, number, above, indented, goesOn }: {
    table: Table;
    number: number;
    above: readonly string[];
    indented: boolean;
    /** The line before, where that ends in a backslash. */
    goesOn: number;
  },
): Entry {
  const { file, settings, names, owner, given } = table;
  const entry = { file, line: number, what: shortLine(line) };
  const refuse = (why: string): Entry => ({ ...entry, fate: { is: "refused", why } });
  const time = readTime(line);
  if ("fault" in time) {
    return refuse(
      goesOn > 0 && indented
        ? `a command can't go on on the next line: the backslash of line ${goesOn} does not reach it`
        : time.fault,
    );
  }
  let { rest } = time;
  let account = owner.column ? undefined : owner.account;
  if (owner.column) {
    [account = ""] = rest.split(/[ \t]/, 1);
    if (account === "") return refuse("neither an account nor a command stands behind the time");
    if (!isAccount(account)) {
      return refuse(`${JSON.stringify(account)} stands where the account is due and is no name of one`);
    }
    rest = rest.slice(account.length).replace(/^[ \t]+/, "");
  }
  const command = readCommand(rest, settings.shell);
  if (command === undefined) {
    const what = account === undefined || !owner.column
      ? "the time"
      : `the account ${JSON.stringify(account)}`;
    return refuse(`no command stands behind ${what}`);
  }
  const { fault } = settings;
  if (time.cron !== undefined && fault !== undefined) return refuse(fault);
  const name = names.fromCommand(command.run);
  table.units.push({
    kind: "task",
    name,
    settings: taskOf(command, {
      cron: time.cron,
      account,
      settings,
      given,
      description: describe(above),
    }),
  });
  const notes = [
    ...time.notes,
    ...(time.cron === undefined ? ["it runs at each start of the daemon, not of the machine alone"] : []),
    ...settings.notes(time.cron !== undefined),
    ...(owner.column ? [] : columnNote(command.run)),
    ...command.notes,
  ];
  return { ...entry, unit: name, fate: takenWith(notes) };
}

function taskOf(
  { run, keepsStrays }: EntryCommand,
  { cron, account, settings, given, description }: {
    cron: string | undefined;
    account: string | undefined;
    settings: CronSettings;
    given: Record<string, string>;
    description: string;
  },
): Record<string, unknown> {
  const { shell, home, zone, env: own } = settings.use();
  const env = Object.assign(Object.create(null), given, own);
  return {
    ...(description === "" ? {} : { description }),
    // Cron makes up for nothing that it missed.
    ...(cron === undefined ? { run_on_start: true } : { cron, catch_up: "skip" }),
    ...(zone === undefined || cron === undefined ? {} : { timezone: zone }),
    run,
    ...(shell === undefined ? {} : { shell }),
    ...(account === undefined ? {} : { user: account }),
    working_dir: home ?? "~",
    env_base: "clean",
    ...(keepsStrays ? { kill_strays: false } : {}),
    ...(Object.keys(env).length === 0 ? {} : { env }),
  };
}

function isAccount(word: string): boolean {
  return /^[A-Za-z_][\w.@-]*\$?(?::[A-Za-z_][\w.@-]*\$?)?$/.test(word);
}

/** Accounts that nobody calls a program. */
function columnNote(run: string): string[] {
  const [, word] = /^(root|www-data|nobody|daemon|postgres|ubuntu)[ \t]+\S/.exec(run) ?? [];
  if (word === undefined) return [];
  return [
    `${JSON.stringify(word)} looks like the account column of a system table, and is the command here: ` +
    "--system reads it as an account",
  ];
}

/** Notes what only shows when all entries are known: the same job twice, and jobs that run several times a minute. */
function noteRelatives(entries: readonly Entry[], units: readonly ImportedUnit[]): Entry[] {
  const jobs = new Map(units.map(({ name, settings: { cron, run, user } }) => {
    const text = String(run);
    const [, core = text] = /^sleep\s+\d+s?\s*(?:;|&&)\s*([^]*)$/.exec(text) ?? [];
    return [name, {
      same: JSON.stringify([cron, text, user]),
      family: JSON.stringify([core.trim(), user]),
      cron,
      text,
    }];
  }));
  const first = new Map<string, Entry>();
  const late = new Set<string>();
  const sizes = new Map<string, number>();
  for (const { cron, text, family } of jobs.values()) {
    if (cron !== "* * * * *") continue;
    sizes.set(family, (sizes.get(family) ?? 0) + 1);
    if (/^sleep\s/.test(text)) late.add(family);
  }
  // One that sleeps and has no relative runs once a minute.
  for (const [family, size] of sizes) if (size < 2) late.delete(family);
  return entries.map((entry) => {
    const job = entry.unit === undefined ? undefined : jobs.get(entry.unit);
    if (job === undefined) return entry;
    const notes = entry.fate.is === "noted" ? [...entry.fate.notes] : [];
    const earlier = first.get(job.same);
    if (earlier === undefined) first.set(job.same, entry);
    else {notes.push(
        `the same as line ${earlier.line}${
          earlier.file === entry.file ? "" : ` of ${earlier.file}`
        }: it runs twice`,
      );}
    if (job.cron === "* * * * *" && late.has(job.family)) {
      notes.push(
        "several entries make it run more often than once a minute: six fields, which begin with seconds, or a service say that better",
      );
    }
    return { ...entry, fate: takenWith(notes) };
  });
}

/** Tells a file that is no crontab at all: none of its lines begins as a time does, or has the place for one. */
function foreignTo(entries: readonly Entry[]): Imported["broken"] {
  const first = entries.find(({ what }) => !what.endsWith("="));
  if (first === undefined || entries.some(({ what }) => /^(?:@[a-z]|[\d*]\S* +\S+ +\S)/i.test(what))) {
    return undefined;
  }
  const { file, line } = first;
  return { file, line, why: "it is no crontab: no line begins with a time" };
}
