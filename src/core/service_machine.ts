import { backoffDelay, longestRestartDelay } from "./backoff.ts";
import type { Backoff, EndReason, RestartPolicy } from "../types.ts";

/** The part of a service's definition that the life of an instance depends on. Durations in ms. */
export interface InstancePolicy {
  restart: RestartPolicy;
  restartDelay: number;
  restartBackoff: Backoff;
  healthyAfter: number;
  /** -1: never give up. */
  startRetries: number;
  /** With a health check only a pass of it makes an instance healthy. */
  hasHealthCheck: boolean;
}

/**
 * What is. `waiting`: for a service that this one depends on. `starting`: the process runs, not yet
 * healthy. `stopping`: the process is being ended. `ending`: it has ended, its end is not stored yet, and what comes next
 * waits for that. `backing_off`: between two lives. `done`: it ended and
 * the restart policy leaves it so. `fatal`: it failed to start too often.
 */
export type InstancePhase =
  | "stopped"
  | "waiting"
  | "starting"
  | "healthy"
  | "stopping"
  | "ending"
  | "backing_off"
  | "done"
  | "fatal";

export interface InstanceState {
  phase: InstancePhase;
  /** What is wanted: an operator's stop and start change this and nothing else does. */
  want: "up" | "down";
  /** Failed starts in a row. */
  failedStarts: number;
  /** The last life was ended by its health check. */
  unhealthy: boolean;
  /** Start anew, without delay, once the process that is being stopped has ended. */
  again: boolean;
  /** The life whose end is not stored yet, and what was made of it. */
  ending?: { life: Life; failedStarts: number; isLastTry: boolean };
}

export type InstanceEvent =
  /** `ready`: what it depends on is up. By hand nothing is waited for. */
  | { type: "start"; byHand: boolean; ready: boolean }
  | { type: "ready" }
  | { type: "stop" }
  | { type: "restart" }
  | { type: "timer"; timer: InstanceTimer }
  | { type: "passed" }
  | { type: "failed_check" }
  /** Its health check came, went or changed while it lives. */
  | { type: "check_changed" }
  /** What was to be launched could not be: the database refused it. */
  | { type: "not_launched" }
  /** Its life is over: answered by `record`. */
  | { type: "ended"; life: Life }
  /** The end of its life is stored, or nobody tries any more. */
  | { type: "stored" };

export type InstanceTimer = "healthy" | "backoff";

/** How one life of an instance ended. */
export interface Life {
  reason: EndReason;
  isFailure: boolean;
  /** From start to end, ms. */
  ranFor: number;
}

export type InstanceEffect =
  /** `isRestart`: the restart policy wants it. */
  | { do: "launch"; isRestart: boolean }
  | { do: "stop_run"; reason: "stopped" | "unhealthy" }
  | { do: "set_timer"; timer: InstanceTimer; ms: number }
  | { do: "clear_timer"; timer: InstanceTimer }
  /** The end of the life is to be stored, of the last of too many tries as `start_failed`; answered by `stored`. */
  | { do: "record"; isLastTry: boolean }
  /** That was the last try. */
  | { do: "give_up"; tries: number }
  /** Three failed starts in a row. */
  | { do: "report_failing"; tries: number }
  | { do: "became_healthy" };

/** After the database refused, it is tried again after this many ms. */
const storeRetry = 1000;

type Step = [InstanceState, InstanceEffect[]];

export const stoppedInstance: InstanceState = {
  phase: "stopped",
  want: "down",
  failedStarts: 0,
  unhealthy: false,
  again: false,
};

/** The one table of an instance's life: what an event does in a phase. What is not listed changes nothing. */
export function step(policy: InstancePolicy, state: InstanceState, event: InstanceEvent): Step {
  const cell: `${InstancePhase} ${InstanceEvent["type"]}` = `${state.phase} ${event.type}`;
  switch (cell) {
    case "stopped start":
    case "done start":
    case "fatal start":
    case "waiting start":
    case "backing_off start":
      return start(policy, state, event as StartEvent);
    case "stopping start":
    case "ending start":
      return [{ ...state, want: "up", again: true }, []];

    case "waiting ready":
      return launch(policy, state);

    case "stopped restart":
    case "done restart":
    case "fatal restart":
    case "waiting restart":
    case "backing_off restart":
      return launch(policy, { ...state, want: "up", failedStarts: 0, unhealthy: false });
    case "starting restart":
    case "healthy restart":
      return stopRun({ ...state, want: "up", failedStarts: 0, again: true }, "stopped");
    case "stopping restart":
    case "ending restart":
      return [{ ...state, want: "up", failedStarts: 0, again: true }, []];

    case "stopped stop":
    case "done stop":
    case "fatal stop":
    case "waiting stop":
    case "backing_off stop":
      return [{ ...stoppedInstance }, [{ do: "clear_timer", timer: "backoff" }]];
    case "starting stop":
    case "healthy stop":
      return stopRun({ ...state, want: "down", again: false }, "stopped");
    case "stopping stop":
    case "ending stop":
      return [{ ...state, want: "down", again: false }, []];

    case "starting timer":
      return isTimer(event, "healthy") ? healthy(state) : [state, []];
    case "starting passed":
      return healthy(state);
    case "starting failed_check":
    case "healthy failed_check":
      return stopRun({ ...state, unhealthy: true }, "unhealthy");

    case "starting check_changed":
      return [state, [
        policy.hasHealthCheck
          ? { do: "clear_timer", timer: "healthy" }
          : { do: "set_timer", timer: "healthy", ms: policy.healthyAfter },
      ]];
    case "starting not_launched":
      return [{ ...state, phase: "backing_off" }, [
        { do: "clear_timer", timer: "healthy" },
        { do: "set_timer", timer: "backoff", ms: storeRetry },
      ]];

    case "backing_off timer":
      return isTimer(event, "backoff") ? launch(policy, state, { isRestart: true }) : [state, []];

    case "starting ended":
    case "healthy ended":
    case "stopping ended":
      return ended(policy, state, (event as EndedEvent).life);
    case "ending stored":
      return stored(policy, state);

    default:
      return [state, []];
  }
}

type StartEvent = Extract<InstanceEvent, { type: "start" }>;
type EndedEvent = Extract<InstanceEvent, { type: "ended" }>;

function isTimer(event: InstanceEvent, timer: InstanceTimer): boolean {
  return event.type === "timer" && event.timer === timer;
}

function start(policy: InstancePolicy, state: InstanceState, event: StartEvent): Step {
  const wanted: InstanceState = { ...state, want: "up", failedStarts: 0, unhealthy: false };
  if (!event.byHand && !event.ready) return [{ ...wanted, phase: "waiting" }, []];
  return launch(policy, wanted);
}

function launch(policy: InstancePolicy, state: InstanceState, { isRestart } = { isRestart: false }): Step {
  const effects: InstanceEffect[] = [{ do: "clear_timer", timer: "backoff" }];
  if (!policy.hasHealthCheck) effects.push({ do: "set_timer", timer: "healthy", ms: policy.healthyAfter });
  return [{ ...state, phase: "starting", again: false }, [...effects, { do: "launch", isRestart }]];
}

function stopRun(state: InstanceState, reason: "stopped" | "unhealthy"): Step {
  return [{ ...state, phase: "stopping" }, [{ do: "clear_timer", timer: "healthy" }, {
    do: "stop_run",
    reason,
  }]];
}

function healthy(state: InstanceState): Step {
  return [{ ...state, phase: "healthy", unhealthy: false }, [{ do: "became_healthy" }]];
}

/** What is made of an end is settled with it, since it is stored: a definition that comes later changes what comes next. */
function ended(policy: InstancePolicy, state: InstanceState, life: Life): Step {
  const wasUp = life.reason !== "start_failed" && life.ranFor >= policy.healthyAfter;
  const failedStarts = wasUp ? 0 : state.failedStarts + 1;
  const isLastTry = isTriedAgain(policy, state, life) &&
    policy.startRetries >= 0 && failedStarts > policy.startRetries;
  return [{ ...state, phase: "ending", ending: { life, failedStarts, isLastTry } }, [
    { do: "clear_timer", timer: "healthy" },
    { do: "record", isLastTry },
  ]];
}

/** The restart policy has the last word on what follows. */
function isTriedAgain(policy: InstancePolicy, { want, again }: InstanceState, life: Life): boolean {
  return want === "up" && !again && life.reason !== "stopped" && life.reason !== "daemon_stopped" &&
    restarts(policy.restart, life);
}

function stored(policy: InstancePolicy, { ending, ...before }: InstanceState): Step {
  const { life, failedStarts, isLastTry } = ending!;
  const state: InstanceState = { ...before, unhealthy: life.reason === "unhealthy" };
  // A daemon that stopped may have been killed over it: the next one waits for the end, and starts it anew.
  const isLeft = life.reason === "daemon_stopped" && !state.again;
  if (state.want === "down" || isLeft) return [{ ...stoppedInstance }, []];
  if (state.again) return launch(policy, { ...state, unhealthy: false });
  // The run was stopped by itself, not the service: an operator wants this instance down.
  if (life.reason === "stopped") return [{ ...stoppedInstance }, []];
  if (isLastTry) {
    return [{ ...state, phase: "fatal", failedStarts }, [{ do: "give_up", tries: failedStarts }]];
  }
  if (!restarts(policy.restart, life)) return [{ ...state, phase: "done", failedStarts: 0 }, []];
  const ms = backoffDelay(policy.restartBackoff, policy.restartDelay, {
    n: Math.max(1, failedStarts),
    cap: longestRestartDelay,
  });
  const effects: InstanceEffect[] = [{ do: "set_timer", timer: "backoff", ms }];
  if (failedStarts === 3) effects.push({ do: "report_failing", tries: failedStarts });
  return [{ ...state, phase: "backing_off", failedStarts }, effects];
}

function restarts(policy: RestartPolicy, life: Life): boolean {
  return policy === "always" || (policy === "on_failure" && life.isFailure);
}
