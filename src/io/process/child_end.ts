import { messageOf } from "../../fault.ts";
import type { ProcessExit } from "./processes.ts";

/** What tells of the end of a child; a part of `Deno.ChildProcess`. */
export interface Child {
  readonly status: Promise<Deno.CommandStatus>;
}

/** Exit code of a process that has ended nobody knows how, as shells give it for what is out of range. */
const unknown = 255;

/**
 * How a child has ended. Never rejects: the runtime's own promise does for signals that it has no name for (34 to 64,
 * the realtime ones), and then the number is all there is.
 */
export async function endOf(child: Child): Promise<ProcessExit> {
  try {
    const { code, signal } = await child.status;
    return signal === null ? { code } : { code, signal };
  } catch (error) {
    const number = Number(/signal:? (\d+)/i.exec(messageOf(error))?.[1]);
    if (number > 0) return { code: 128 + number, signal: `signal ${number}` };
    return { code: unknown, signal: "unknown", untold: messageOf(error) };
  }
}
