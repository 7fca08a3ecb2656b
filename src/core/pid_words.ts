/** The most pids that one line names: a tree may have thousands. */
const mostNamed = 20;

/** Processes as a log names them: "pid 7, pid 8". */
export function pidWords(pids: readonly number[]): string {
  const named = pids.slice(0, mostNamed).map((pid) => `pid ${pid}`).join(", ");
  return pids.length > mostNamed ? `${named} and ${pids.length - mostNamed} more` : named;
}
