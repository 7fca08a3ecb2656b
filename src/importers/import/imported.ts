/** What an import makes of somebody else's files; importers are pure functions to it. */

/** A file to import, read as text. */
export interface SourceFile {
  /** Absolute, or "-" for standard input. */
  path: string;
  text: string;
}

/** What became of an entry: taken as it stands, taken with notes, or not taken, and why. */
export type Fate = { is: "taken" } | { is: "noted"; notes: string[] } | { is: "refused"; why: string };

/** One thing that stood in a source. */
export interface Entry {
  file: string;
  /** From 1; 0 when it stands in no line. */
  line: number;
  /** A word for people, e.g. "[program:web]", or the line of a crontab, shortened. */
  what: string;
  /** The unit that it became, or became part of. */
  unit?: string;
  fate: Fate;
}

/** A unit that an import makes, or a `[compose.ALIAS]` table, which stands for several. */
export interface ImportedUnit {
  kind: "task" | "service" | "compose";
  /** The alias of a compose table. */
  name: string;
  /** The names of the services that a compose table stands for; of no other kind. */
  services?: readonly string[];
  /**
   * Keys of svc's configuration in its own spelling, in the order in which they are written; values as TOML has
   * them. Text is written so that svc reads that very text; a `Template` is substituted by svc.
   */
  settings: Record<string, unknown>;
}

/** All that came of an import. */
export interface Imported {
  units: ImportedUnit[];
  entries: Entry[];
  /** Set when the file as a whole can't be read as what it should be: then nothing is taken. */
  broken?: { file: string; line: number; why: string };
}

/** What is not in the files; importers get it as data. */
export interface ImportContext {
  /** Processors of this machine. */
  cores: number;
  /** Name of this machine. */
  hostname: string;
  /** Lines have an account column wherever their files stand (`--system`). */
  system: boolean;
  /** The account of the importing user, and its home folder; absent where unknown. */
  user?: string;
  home?: string;
  /** Names of units that are in use already. */
  taken: ReadonlySet<string>;
  /** Whether there is a file at an absolute path; absent where that can't be known. */
  exists?: (path: string) => boolean;
  /** The readable files that an absolute glob matches, sorted; for the includes of a source. */
  files: (absoluteGlob: string) => SourceFile[];
}

/** Makes units of files of one kind, and accounts for everything that stands in them. */
export type Importer = (files: readonly SourceFile[], context: ImportContext) => Imported;

/** Text in which `${NAME}`, `${NAME:-fallback}` and `${file:PATH}` are meant to be substituted by svc. */
export class Template {
  constructor(readonly text: string) {}
}

/** The fate of an entry that was taken, with notes if there are any. */
export function takenWith(notes: readonly string[]): Fate {
  return notes.length === 0 ? { is: "taken" } : { is: "noted", notes: [...notes] };
}

/** The names that the units of a table have in svc. */
export function unitNames({ name, services }: ImportedUnit): readonly string[] {
  return services ?? [name];
}
