/** A process of a stage. */
export interface Marked {
  pid: number;
  /** In which life of the daemon it was started. */
  life: number;
  command: string;
  /** Absent where it has cleared its environment. */
  runId?: string;
  /** Its control group, where that is one of a run's own. */
  group?: string;
}

/**
 * The mark of a life of a stage's daemon: a number that `sleep` takes beside another, so that a process can carry it
 * among its arguments when it has cleared its environment. Every process finds it in LIFE.
 */
export function lifeMark(key: string, life: number): string {
  return `0.${key}${String(life).padStart(4, "0")}`;
}

/** All living processes that carry the mark of any life of a stage, in their environment or arguments. */
export async function markedProcesses(key: string): Promise<Marked[]> {
  const mark = new RegExp(`0\\.${key}(\\d{4})`);
  const found: Marked[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const [environment, command, groups] = await Promise.all([
      read(`/proc/${name}/environ`),
      read(`/proc/${name}/cmdline`),
      read(`/proc/${name}/cgroup`),
    ]);
    const life = mark.exec(environment)?.[1] ?? mark.exec(command)?.[1];
    if (life === undefined) continue;
    const group = /\/svc-[^/\n]+\/[^/\n]+/.exec(groups)?.[0];
    const runId = /(?:^|\0)SVC_RUN_ID=(\w+)/.exec(environment)?.[1];
    found.push({
      pid: Number(name),
      life: Number(life),
      command: command.replaceAll("\0", " ").slice(0, 120),
      ...(runId === undefined ? {} : { runId }),
      ...(group === undefined ? {} : { group }),
    });
  }
  return found;
}

async function read(path: string): Promise<string> {
  return await Deno.readTextFile(path).catch(() => "");
}
