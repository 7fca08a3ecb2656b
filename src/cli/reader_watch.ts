import { fstatSync } from "node:fs";

/**
 * Resolves true once nobody reads standard output any more, false when `signal` ends the watch. Only who writes to a
 * pipe hears that its reader has gone, or who waits for it as `tail -f` of GNU does, with which the pipe is shared: it
 * ends by SIGPIPE. Where that can't be had, the next line tells.
 */
export async function readerLeaves(signal: AbortSignal): Promise<boolean> {
  const ended = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });
  const child = isPipe() ? startWaiting() : undefined;
  if (child === undefined) return await ended.then(() => false);
  const hasLeft = child.status.then((status) => status.signal === "SIGPIPE" || ended.then(() => false));
  const answer = await Promise.race([hasLeft, ended.then(() => false)]);
  try {
    child.kill("SIGKILL");
  } catch {
    // It has ended.
  }
  await child.status;
  return answer;
}

function isPipe(): boolean {
  try {
    return fstatSync(1).isFIFO();
  } catch {
    return false;
  }
}

/** It ends with this process, too. */
function startWaiting(): Deno.ChildProcess | undefined {
  try {
    return new Deno.Command("/usr/bin/tail", {
      args: ["-f", `--pid=${Deno.pid}`, "/dev/null"],
      clearEnv: true,
      stdin: "null",
      stdout: "inherit",
      stderr: "null",
    }).spawn();
  } catch {
    return undefined;
  }
}
