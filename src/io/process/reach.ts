import type { Reach } from "./processes.ts";

/**
 * Sends a signal to a process group, or to its leader where that has not made the group yet; a group that is
 * gone is no error. The pid of a leader that has ended may be somebody else's by now: say so.
 */
export function signalGroup(
  pid: number,
  { name, leaderLives }: { name: string; leaderLives: boolean },
): Reach {
  const ofGroup = reach(-pid, name);
  if (ofGroup !== "gone" || !leaderLives) return ofGroup;
  // Between the two the leader may have made its group, and a child in it.
  const ofLeader = reach(pid, name);
  if (ofLeader === "sent" && name === "SIGKILL") reach(-pid, name);
  return ofLeader;
}

/** Sends a signal to a process, or to a group where `target` is negative. Never throws: whoever is refused must end all the same. */
export function reach(target: number, signal: string): Reach {
  return tryKill(target, signal as Deno.Signal);
}

/** Whether there is a process: `refused`, and it is another user's. One that nobody has waited for yet is there. */
export function presence(pid: number): Reach {
  return tryKill(pid, 0);
}

function tryKill(target: number, signal: Deno.Signal | number): Reach {
  try {
    Deno.kill(target, signal);
    return "sent";
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? "gone" : "refused";
  }
}
