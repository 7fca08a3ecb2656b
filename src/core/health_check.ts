import type { HealthCheck } from "../types.ts";
import { readable } from "./log/plain.ts";

/** What one probe found out. `unknown`: it could not be made, which says nothing of the service. */
export type ProbeResult = { result: "passed" } | { result: "failed" | "unknown"; why: string };

/** The part of a check that its judgement depends on. Durations in ms. */
export type CheckPolicy = Pick<HealthCheck, "interval" | "retries" | "startPeriod">;

/** How an instance stands with its check. */
export interface CheckState {
  isHealthy: boolean;
  /** Failures in a row that count. */
  failures: number;
  /** While it is not healthy yet: a failure counts from this age of the instance on, ms. */
  countsFrom: number;
}

/** `passed`: it is healthy from now on. `failed`: it is to be stopped. `still`: nothing changes. */
export type CheckVerdict = "passed" | "failed" | "still";

/** Between two probes of an instance that is not healthy yet, ms. */
const shortest = 100;
const longest = 1000;

/** How an instance stands whose check begins: one that was healthy before stays so until the check says otherwise. */
export function beginCheck(policy: CheckPolicy, { isHealthy }: { isHealthy: boolean }): CheckState {
  return { isHealthy, failures: 0, countsFrom: Math.max(policy.startPeriod, policy.interval) };
}

/**
 * Judges a probe that began when the instance was `age` ms old. An instance that is not healthy yet is looked at more
 * often than every `interval`, but a failure in each interval is all that counts, so that a slow start is not punished.
 */
export function judge(
  policy: CheckPolicy,
  state: CheckState,
  { result, age }: { result: ProbeResult["result"]; age: number },
): [CheckState, CheckVerdict] {
  if (result === "unknown") return [state, "still"];
  if (result === "passed") {
    return [{ ...state, isHealthy: true, failures: 0 }, state.isHealthy ? "still" : "passed"];
  }
  if (age < policy.startPeriod || (!state.isHealthy && age < state.countsFrom)) return [state, "still"];
  const failures = state.failures + 1;
  return [
    { ...state, failures, countsFrom: age + policy.interval },
    failures > policy.retries ? "failed" : "still",
  ];
}

/** The wait before the next probe of an instance that is `age` ms old: until it is healthy it is looked at often. */
export function pauseBefore(policy: CheckPolicy, state: CheckState, age: number): number {
  if (state.isHealthy) return policy.interval;
  return Math.min(policy.interval, longest, Math.max(shortest, age));
}

/** Why a script's probe failed: the last line that it printed, else how it ended. */
export function scriptFailure(
  exit: { code: number; signal?: string; failure?: string },
  output: string,
): string {
  if (exit.failure !== undefined) return exit.failure;
  const said = output.split("\n").map(readable).findLast((line) => line !== "");
  return said ?? (exit.signal === undefined ? `exit code ${exit.code}` : `ended by ${exit.signal}`);
}
