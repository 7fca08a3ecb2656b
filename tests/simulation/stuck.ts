import type { FakeProcess } from "../support/fake_processes.ts";

/** Whether nothing ends a process: it is another user's by now, or waits for a device that is gone. */
export function isStuck(process: FakeProcess | undefined): boolean {
  return process !== undefined &&
    (process.behaviour.foreign === true || process.behaviour.unkillable === true);
}
