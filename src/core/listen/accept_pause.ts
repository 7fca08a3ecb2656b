/** The wait (ms) after `failures` refusals in a row to accept a connection: 5 ms, doubled each time, at most a second. */
export function acceptPause(failures: number): number {
  return Math.min(1000, 5 * 2 ** Math.min(failures - 1, 10));
}

/** What to do about an error of accept: the listener is gone, or it is tried again. */
export function acceptTrouble(error: unknown): "ended" | "full" | "other" {
  if (!(error instanceof Error)) return "other";
  if (error.name === "BadResource" || error.name === "Interrupted") return "ended";
  const code = "code" in error ? error.code : undefined;
  return code === "EMFILE" || code === "ENFILE" || /too many open files/i.test(error.message)
    ? "full"
    : "other";
}
