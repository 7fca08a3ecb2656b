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
