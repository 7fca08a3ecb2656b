import { relativeTime } from "../time_words.ts";
import { type Finding, ok, warn } from "./finding.ts";

/** What was seen of runs that a daemon left behind. */
export interface LeftoversSeen {
  isDaemonUp: boolean;
  /** Runs that are stored as executing, though no daemon runs. */
  executing: number;
  /** Live processes of runs that have ended, or of any run where no daemon runs. */
  processes: readonly { pid: number; unit: string; isKept: boolean }[];
  /** Unix ms. */
  now: number;
  lastRun?: number;
}

/** Whether anything of an earlier daemon lives on. */
export function judgeLeftovers({ isDaemonUp, executing, processes, now, lastRun }: LeftoversSeen): Finding {
  const check = "left behind";
  const named = processes.slice(0, 5).map(({ pid, unit }) => `${pid} of ${unit}`).join(", ");
  const more = processes.length > 5 ? ` and ${processes.length - 5} more` : "";
  const count = `${processes.length} ${processes.length === 1 ? "process" : "processes"}`;
  const lives = processes.length === 1 ? "lives" : "live";
  if (processes.length > 0 && !isDaemonUp && processes.every(({ isKept }) => isKept)) {
    const goes = processes.length === 1 ? "goes" : "go";
    return warn(
      check,
      `${count} ${goes} on without a daemon: ${named}${more}`,
      "the next daemon takes their runs over; until then nothing starts, and nobody watches them",
    );
  }
  if (processes.length > 0 && !isDaemonUp) {
    return warn(
      check,
      `${count} of a daemon that died ${lives} on: ${named}${more}`,
      "the next daemon takes over what it can, and ends the others; until then end them by hand if they are in the way",
    );
  }
  if (processes.length > 0) {
    return warn(
      check,
      `${count} of runs that have ended ${lives} on: ${named}${more}`,
      "expected where kill_strays is off; else end them by hand",
    );
  }
  if (executing > 0 && !isDaemonUp) {
    const runs = `${executing} ${executing === 1 ? "run was" : "runs were"}`;
    return ok(check, `no process; ${runs} cut short, the next daemon takes them as crashed`);
  }
  return ok(
    check,
    lastRun === undefined ? "nothing" : `nothing; the last run began ${relativeTime(lastRun, now)}`,
  );
}
