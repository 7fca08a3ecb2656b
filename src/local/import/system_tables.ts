import { ownEnvironment, programPath } from "../../io/programs.ts";
import type { Entry } from "../../importers/import/imported.ts";
import { Fault, messageOf } from "../../fault.ts";
import { expandGlob } from "../../io/glob_walk.ts";
import { addSource, readFile, type Sources } from "./read_sources.ts";

/** Where the tables of this machine's cron are. */
export interface TablePlaces {
  /** Tables with an account column: files, and folders of files. */
  system: readonly string[];
  /** Folders in which each file is the table of the account of its name. */
  users: readonly string[];
}

/** The places of Debian, Red Hat, SUSE, Alpine and the BSDs. */
export const tablePlaces: TablePlaces = {
  system: ["/etc/crontab", "/etc/cron.d/"],
  users: ["/var/spool/cron/crontabs", "/var/spool/cron/tabs", "/var/spool/cron", "/var/cron/tabs"],
};

/** Adds the table of the importing user, who may see it by `crontab -l` alone; nothing where there is none. */
export async function addOwnTable(
  sources: Sources,
  { user, program = programPath("crontab") }: { user: string; program?: string | undefined },
): Promise<void> {
  // A machine without cron has no such program.
  if (program === undefined) return;
  try {
    const { success, stdout } = await new Deno.Command(program, {
      args: ["-l"],
      clearEnv: true,
      env: ownEnvironment(),
      stdin: "null",
      stderr: "null",
    }).output();
    if (success) addSource(sources, { path: `/var/spool/cron/crontabs/${user}`, bytes: stdout });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Reads all tables of this machine's cron, in the order of their paths; those that can't be read are told. */
export function readSystemTables(places: TablePlaces = tablePlaces): Sources {
  const sources: Sources = { files: [], foreign: new Map(), unread: [] };
  const seen = new Set<string>();
  const add = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    try {
      addSource(sources, { path, bytes: readFile(path) });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (error.code !== "not_found") sources.unread.push(unread(path, error.message));
    }
  };
  for (const place of places.system) {
    if (!place.endsWith("/")) add(place);
    // Cron passes over names with a dot, which packages leave behind.
    else for (const path of filesIn(place.slice(0, -1), sources)) if (!/\.[^/]*$/.test(path)) add(path);
  }
  for (const folder of places.users) for (const path of filesIn(folder, sources)) add(path);
  return sources;
}

function filesIn(folder: string, sources: Sources): string[] {
  try {
    Deno.readDirSync(folder)[Symbol.iterator]().next();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory)) {
      sources.unread.push(unread(folder, reasonOf(error)));
    }
    return [];
  }
  return expandGlob(`${folder}/*`).files;
}

function reasonOf(error: unknown): string {
  const isDenied = error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable;
  return isDenied ? "permission denied; root can import it" : messageOf(error);
}

function unread(file: string, why: string): Entry {
  return {
    file,
    line: 0,
    what: "the tables here",
    fate: { is: "refused", why: `it can't be read: ${why}` },
  };
}
