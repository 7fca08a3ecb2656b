import type { Place } from "./manager.ts";
import { family, Mark, memory, pause, pidsOf } from "./marked.ts";

const settling = 10_000;
const breakingOff = ["SIGINT", "SIGTERM"] as const;

/** Does the work in a folder of its own; afterwards nothing of it is left, whatever happened. */
export async function inPlace<T>(work: (place: Place) => Promise<T>): Promise<T> {
  const mark = new Mark();
  const folder = await Deno.makeTempDir({ prefix: "svc-bench-" });
  const clear = async (): Promise<void> => {
    await mark.end();
    await Deno.remove(folder, { recursive: true });
  };
  const breakOff = (): void => void clear().finally(() => Deno.exit(1));
  for (const signal of breakingOff) Deno.addSignalListener(signal, breakOff);
  try {
    return await work({ folder, env: mark.env });
  } finally {
    for (const signal of breakingOff) Deno.removeSignalListener(signal, breakOff);
    await clear();
  }
}

let sleeps = 0;

/** A command that no other process has. */
export function sleepCommand(): string {
  return `sleep 100000.${Deno.pid}${String(++sleeps).padStart(4, "0")}`;
}

/** Memory of a manager and its helpers, MB, once it has been idle for some seconds, without what it keeps running. */
export async function settledMemory(root: number, command: string): Promise<{ pss: number; rss: number }> {
  await pause(settling);
  const running = new Set(pidsOf(command));
  return memory(family(root).filter((pid) => !running.has(pid)));
}
