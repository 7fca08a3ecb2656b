import type { EndReason, FailureRule, Run } from "../types.ts";
import type { Exit, StopReason } from "./run_machine.ts";
import { signalOfCode } from "./signal_codes.ts";
import { sizeWords } from "./size.ts";
import { durationWords } from "./time_words.ts";

/** How a run ended, as it is stored. */
export interface Outcome {
  reason: EndReason;
  exitCode: number;
  error?: string;
  /** A line of output matched one of the unit's `output:` rules, which turns `success` into `failed`. */
  byOutput?: boolean;
}

/** The failures of a unit that names none. */
export const defaultFailures: readonly EndReason[] = [
  "failed",
  "timeout",
  "crashed",
  "log_overflow",
  "start_failed",
  "unhealthy",
  "missed",
  "queue_full",
  "daemon_stopped",
];

/** The outcome of a process that ended: `want` is why it was made to end, if it was. */
export function outcomeOf(
  exit: Exit,
  options: {
    exitCodes: readonly number[];
    want?: StopReason | undefined;
    /** Why it was made to end. */
    why?: string | undefined;
    outputFailed: boolean;
  },
): Outcome {
  if (exit.failure !== undefined) return { reason: "start_failed", exitCode: -1, error: exit.failure };
  const exitCode = exit.code;
  if (options.want !== undefined) {
    return { reason: options.want, exitCode, ...(options.why === undefined ? {} : { error: options.why }) };
  }
  const reason = ownReason(exit, options);
  const error = whyOf(exit);
  return {
    reason,
    exitCode,
    ...(error === undefined ? {} : { error }),
    ...(options.outputFailed ? { byOutput: true } : {}),
  };
}

/** A run with its end, as it is stored. `failures` are those of its unit, `at` is Unix ms. */
export function endRun(
  run: Run,
  outcome: Outcome,
  { failures, at }: { failures: readonly FailureRule[]; at: number },
): Run {
  const { reason, exitCode, error } = outcome;
  return {
    ...run,
    status: "ended",
    exitCode,
    endReason: reason,
    endedAt: at,
    isFailure: isFailure(outcome, failures),
    ...(error === undefined ? {} : { error }),
  };
}

/** Whether an outcome counts as a failure of its unit. */
export function isFailure(outcome: Outcome, rules: readonly FailureRule[]): boolean {
  return rules.some((rule) => {
    switch (rule.kind) {
      case "reason":
        return rule.reason === outcome.reason;
      case "exit":
        return executed(outcome) && outcome.exitCode >= rule.from && outcome.exitCode <= rule.to;
      case "output":
        return outcome.byOutput === true;
    }
  });
}

/** How a process ended that nobody made to end. */
function ownReason(
  exit: Exit,
  options: { exitCodes: readonly number[]; outputFailed: boolean },
): "success" | "failed" | "crashed" {
  // What is not known can't be what a unit expects, nor a code that no signal gives.
  if (exit.untold !== undefined || (exit.signal !== undefined && exit.code <= 128)) return "crashed";
  if (options.exitCodes.includes(exit.code)) return options.outputFailed ? "failed" : "success";
  // A shell says so of its child, and whoever outlives a daemon can't tell it from a code of the process's own.
  return exit.signal !== undefined || signalOfCode(exit.code) !== undefined ? "crashed" : "failed";
}

/** Why a run was made to end, where nobody said more. */
export function whyEnded(want: StopReason, unit: { timeout: number; logMaxSize: number }): string {
  switch (want) {
    case "timeout":
      return `it was not done after ${durationWords(unit.timeout)}`;
    case "log_overflow":
      return `its log has reached ${sizeWords(unit.logMaxSize)}`;
    case "daemon_stopped":
      return "the daemon stopped";
    case "unhealthy":
      return "its health check failed";
    case "stopped":
      return "it was stopped on request";
  }
}

/** What an exit code alone does not tell of an end; undefined: nothing. */
export function whyOf({ signal, untold, failure }: Exit): string | undefined {
  if (failure !== undefined) return `cannot start: ${failure}`;
  if (untold !== undefined) return `it ended, and the system did not say how: ${untold}`;
  return signal === undefined || signal.startsWith("SIG") ? undefined : `ended by ${signal}`;
}

/** Whether a process of the unit really ran to this end. */
function executed(outcome: Outcome): boolean {
  return outcome.exitCode >= 0 && outcome.reason !== "success";
}
