import type { FakeProcess } from "../support/fake_processes.ts";

/** Processes of earlier daemons that a start could not look for. */
const lost = new WeakSet<FakeProcess>();

/** A daemon starts, and nothing tells it what an earlier one has left: it goes on without knowing of this process. */
export function lose(process: FakeProcess): void {
  lost.add(process);
}

/** A later one has found it after all. */
export function find(process: FakeProcess): void {
  lost.delete(process);
}

/** Whether nothing ends a process: it is another user's by now, waits for a device that is gone, or nobody knows of it. */
export function isStuck(process: FakeProcess | undefined): boolean {
  return process !== undefined &&
    (process.behaviour.foreign === true || process.behaviour.unkillable === true || lost.has(process));
}
