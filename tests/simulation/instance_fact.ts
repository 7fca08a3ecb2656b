import type { Fact } from "./book.ts";

/** What is known of an instance of a service. */
export interface InstanceFact {
  want: "up" | "down";
  /** It is up, or on its way out. */
  fact?: Fact;
  /** Failed starts in a row; unknown after a reload, until a life was long enough. */
  failed: number | undefined;
  /** When its next life is due: not before, not later. */
  nextAt?: number;
  /** What the last life led to where no other is due. */
  rest?: "done" | "fatal" | "either";
  /** It starts anew as soon as the present life has ended. */
  again: boolean;
  /** A reload may have bounced it while its present life was on its way out: the next one need not wait. */
  mayBounce?: true;
  /** It was started at boot and may wait for others. */
  isWaiting: boolean;
  /** It came back, and its former self was stopped while that was still ending: it may be down with it, or not. */
  isUnsure?: true;
}

/** One that has not started yet. */
export function newInstance(want: "up" | "down"): InstanceFact {
  return { want, failed: 0, again: false, isWaiting: true };
}

/** Whether no process of it lives or is being ended; its next life may have a row already that could not be started. */
export function isIdle({ fact }: InstanceFact): boolean {
  return fact === undefined || fact.run.status === "pending";
}
