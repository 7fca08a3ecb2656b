import type { Place } from "./manager.ts";
import { Mark } from "./marked.ts";

/** Does the work in a folder of its own; afterwards nothing of it is left, whatever happened. */
export async function inPlace<T>(work: (place: Place) => Promise<T>): Promise<T> {
  const mark = new Mark();
  const folder = await Deno.makeTempDir({ prefix: "svc-bench-" });
  try {
    return await work({ folder, env: mark.env });
  } finally {
    await mark.end();
    await Deno.remove(folder, { recursive: true });
  }
}

let sleeps = 0;

/** A command that no other process has. */
export function sleepCommand(): string {
  return `sleep 100000.${Deno.pid}${String(++sleeps).padStart(4, "0")}`;
}
