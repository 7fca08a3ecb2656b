import type { StopReason } from "./run_machine.ts";
import { type InstanceState, stoppedInstance } from "./service_machine.ts";

/**
 * What is written down of a run's machine, so that the next daemon goes on with it. `phase`: what was done to its
 * process. `why`: a sentence, where the reason does not say it all. `askedAt`: when it was to be asked to end, Unix ms;
 * `isAsked`: that was done.
 */
export interface RunWords {
  phase: "running" | "stopping" | "killing";
  want?: StopReason;
  why?: string;
  askedAt?: number;
  isAsked?: true;
  /** A line of output has matched one of the unit's `output:` rules. */
  outputFailed?: true;
}

/** What is written down of the machine of an instance whose life the run is. */
export type InstanceWords =
  & Pick<InstanceState, "want" | "failedStarts" | "unhealthy" | "again">
  & { phase: "starting" | "healthy" | "stopping" };

/** All that is written down of how a run stands; nothing secret is in it. */
export interface KeptWords {
  run: RunWords;
  /** Of a service's run. */
  instance?: InstanceWords;
}

const stopReasons: readonly StopReason[] = [
  "stopped",
  "timeout",
  "log_overflow",
  "daemon_stopped",
  "unhealthy",
];
const runPhases: readonly RunWords["phase"][] = ["running", "stopping", "killing"];
const lifePhases: readonly InstanceWords["phase"][] = ["starting", "healthy", "stopping"];

/** A run that nobody has asked to end. */
export const runningWords: RunWords = { phase: "running" };

/** What there is to write down of an instance; one whose life is about to end, or has, is left as it was (undefined). */
export function instanceWords(
  { phase, want, failedStarts, unhealthy, again }: InstanceState,
): InstanceWords | undefined {
  const isLife = phase === "starting" || phase === "healthy" || phase === "stopping";
  return isLife ? { phase, want, failedStarts, unhealthy, again } : undefined;
}

/** An instance as it stood; of one of which nothing is known it is known that it had been started. */
export function instanceOf(words: InstanceWords | undefined): InstanceState {
  return { ...stoppedInstance, phase: "starting", want: "up", ...words };
}

/** As it is stored: JSON. */
export function writeKept(words: KeptWords): string {
  return JSON.stringify(words);
}

/** Reads what was stored; whatever makes no sense is as if nothing had been written. */
export function readKept(text: string): KeptWords {
  const { run, instance } = objectOf(parsed(text));
  const life = readInstance(objectOf(instance));
  return { run: readRun(objectOf(run)), ...(life === undefined ? {} : { instance: life }) };
}

function readRun({ phase, want, why, askedAt, isAsked, outputFailed }: Loose): RunWords {
  const rule = outputFailed === true ? { outputFailed } as const : {};
  const reason = oneOf(stopReasons, want);
  const stage = oneOf(runPhases, phase);
  if (reason === undefined || stage === undefined || stage === "running") return { ...runningWords, ...rule };
  return {
    phase: stage,
    want: reason,
    ...(typeof why === "string" ? { why } : {}),
    ...(isNumber(askedAt) ? { askedAt } : {}),
    ...(isAsked === true ? { isAsked } : {}),
    ...rule,
  };
}

function readInstance({ phase, want, failedStarts, unhealthy, again }: Loose): InstanceWords | undefined {
  const stage = oneOf(lifePhases, phase);
  if (stage === undefined) return undefined;
  return {
    phase: stage,
    want: want === "down" ? "down" : "up",
    failedStarts: isNumber(failedStarts) && failedStarts > 0 ? Math.floor(failedStarts) : 0,
    unhealthy: unhealthy === true,
    again: again === true,
  };
}

type Loose = Record<string, unknown>;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Loose {
  return typeof value === "object" && value !== null ? value as Loose : {};
}

function oneOf<T extends string>(known: readonly T[], value: unknown): T | undefined {
  return known.find((one) => one === value);
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
