/** A process, and what its program is called (as the kernel has it, 15 bytes); empty where that can't be told. */
export interface NamedProcess {
  pid: number;
  name: string;
}

/** The most pids that one line names: a tree may have thousands. */
const mostNamed = 20;

/** Processes as a log names them: "pid 7 (sleep), pid 8 (cat)". */
export function pidWords(processes: readonly NamedProcess[]): string {
  const named = processes.slice(0, mostNamed).map(words).join(", ");
  return processes.length > mostNamed ? `${named} and ${processes.length - mostNamed} more` : named;
}

/** Each process once, with the first name that it has. */
export function uniqueProcesses<T extends NamedProcess>(processes: readonly T[]): T[] {
  const byPid = new Map<number, T>();
  for (const one of processes) if (!byPid.get(one.pid)?.name) byPid.set(one.pid, one);
  return [...byPid.values()];
}

function words({ pid, name }: NamedProcess): string {
  // A process chooses its name itself: it may hold what acts on a terminal.
  const shown = name.replace(/[^\x20-\x7e\u00a0-\uffff]/g, "?");
  return shown === "" ? `pid ${pid}` : `pid ${pid} (${shown})`;
}
