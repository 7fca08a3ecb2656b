import { roughWords } from "./time_words.ts";

/** The database refuses. */
export interface Refusing {
  /** Unix ms. */
  since: number;
  /** "database or disk is full" */
  why: string;
}

/** What SQLite says when the machine, not the program, is to blame. Not all of its errors carry a number. */
const refusals = new Set([
  "database is locked",
  "attempt to write a readonly database",
  "disk I/O error",
  "database or disk is full",
  "unable to open database file",
]);

/** Why the database refuses for the moment ("database or disk is full"); undefined for any other error. */
export function refusalOf(error: unknown): string | undefined {
  const isOfSqlite = error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
  return isOfSqlite && refusals.has(error.message) ? error.message : undefined;
}

/** What people are told of a database that refuses: since when and why, what that means, and what ends it. */
export function refusingWords(refusing: Refusing, now: number): string {
  return `The database ${refusingClause(refusing, now)}.`;
}

/** The same, as what is said of a database. */
export function refusingClause({ since, why }: Refusing, now: number): string {
  return `has refused for ${roughWords(now - since)}: ${why}; nothing starts or ends ${until(why)}`;
}

/** What is to be done about a database that refuses. */
export function refusingAdvice(why: string): string {
  if (isOfSpace(why)) return "make room on the disk of the data folder: what waits goes on by itself";
  if (isOfLock(why)) return "end what has the daemon's database open: what waits goes on by itself";
  return "see to the disk of the data folder and to who may write there: what waits goes on by itself";
}

function until(why: string): string {
  if (isOfSpace(why)) return "until there is room";
  return isOfLock(why) ? "until another program lets go of it" : "until that is mended";
}

function isOfSpace(why: string): boolean {
  return /disk is full|no space left|quota/i.test(why);
}

function isOfLock(why: string): boolean {
  return why.includes("locked");
}
