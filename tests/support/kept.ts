import { namesIn } from "../../src/io/logs/files.ts";

/** What a keeper's file says of its processes. */
export interface KeptProcess {
  runId: string;
  keeper: number;
  pid: number;
}

/** Runs that keepers of a data folder have, living or not; read beside any daemon. */
export function keptIn(dataDir: string): KeptProcess[] {
  return namesIn(`${dataDir}/keepers`).flatMap((runId) => {
    const path = `${dataDir}/keepers/${runId}`;
    if (!/^[0-9A-Z]{26}$/.test(runId) || !Deno.lstatSync(path).isFile) return [];
    const record = Deno.readTextFileSync(path).slice(0, 128);
    const match = /^#pid (\d+) (\d+) /m.exec(record);
    return match === null ? [] : [{ runId, keeper: Number(match[1]), pid: Number(match[2]) }];
  });
}

/** Ends what a daemon that was killed has left with its keepers, for tests after which no other daemon comes. */
export function endKept(dataDir: string): void {
  for (const { runId, keeper, pid } of keptIn(dataDir)) {
    // Nobody else has the keeper's pid, as long as that is its file.
    const isIts = commandOf(keeper).includes(`/keepers/${runId}\0`);
    if (!isIts) continue;
    kill(-pid);
    kill(keeper);
  }
}

function commandOf(pid: number): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/cmdline`);
  } catch {
    return "";
  }
}

function kill(target: number): void {
  try {
    Deno.kill(target, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
