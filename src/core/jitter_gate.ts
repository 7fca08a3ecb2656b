import type { Run, Task } from "../types.ts";

/** A run that has to pass the jitter gate. */
export interface GateWaiter {
  /** Its tick plus its task's jitter, Unix ms: then it starts whatever the gate says. */
  deadline: number;
  /** Of its task. */
  name: string;
}

/** The gate at a moment. */
export interface GateState {
  /** A run holds it. */
  isTaken: boolean;
  waiting: readonly GateWaiter[];
  /** Unix ms. */
  now: number;
}

/**
 * What a run has to show at the gate (docs/behaviour.md#jitter): only runs of the schedule pass it, no retries and none by
 * request. Those that make up for a missed tick are for the caller to leave out.
 */
export function gateWaiterOf(
  run: Run,
  { name, jitter }: Pick<Task, "name" | "jitter">,
): GateWaiter | undefined {
  if (jitter === 0 || run.trigger !== "cron" || run.retryAttempt > 0) return undefined;
  return { deadline: run.createdAt + jitter, name };
}

/** Whether a waiter may start: it is the first at a free gate, or its deadline has come. */
export function mayPass(waiter: GateWaiter, { isTaken, waiting, now }: GateState): boolean {
  if (now >= waiter.deadline) return true;
  return !isTaken && !waiting.some((other) => goesBefore(other, waiter));
}

/** Ms until the next deadline of a waiter; undefined when none is to come. */
export function untilDeadline(waiting: readonly GateWaiter[], now: number): number | undefined {
  const left = waiting.map(({ deadline }) => deadline - now).filter((ms) => ms > 0);
  return left.length === 0 ? undefined : left.reduce((a, b) => Math.min(a, b));
}

function goesBefore(a: GateWaiter, b: GateWaiter): boolean {
  return a.deadline < b.deadline || (a.deadline === b.deadline && a.name < b.name);
}
