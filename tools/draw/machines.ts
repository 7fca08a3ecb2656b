import {
  begin,
  type Exit,
  type RunEvent,
  type RunPolicy,
  type RunState,
  step as stepRun,
} from "../../src/core/run_machine.ts";
import {
  type InstanceEvent,
  type InstancePolicy,
  type InstanceState,
  type Life,
  step as stepInstance,
  stoppedInstance,
} from "../../src/core/service_machine.ts";
import type { Machine } from "./rows.ts";

const exit: Exit = { code: 1 };
const process = { pid: 7, name: "sleep" };

/** The machine of a run, with all that it can meet. */
export const runMachine: Machine<RunPolicy, RunState, RunEvent> = {
  policies: [60_000, 0].flatMap((timeout) =>
    [5000, 0].flatMap((gracefulStop) =>
      [true, false].map((killStrays) => ({ timeout, gracefulStop, killStrays, stopSignal: "SIGTERM" }))
    )
  ),
  begin: (policy) => begin(policy)[0],
  step: stepRun,
  events: [
    ["stop", "by somebody", { type: "stop", reason: "stopped" }],
    ["stop", "the daemon stops", { type: "stop", reason: "daemon_stopped" }],
    ["kill", "", { type: "kill", reason: "daemon_stopped" }],
    ["timer timeout", "", { type: "timer", timer: "timeout" }],
    ["timer grace", "", { type: "timer", timer: "grace" }],
    ["timer look", "", { type: "timer", timer: "look" }],
    ["timer pipes", "", { type: "timer", timer: "pipes" }],
    ["timer last", "", { type: "timer", timer: "last" }],
    ["timer ask", "", { type: "timer", timer: "ask" }],
    ["exited", "", { type: "exited", exit }],
    ["pipes_closed", "", { type: "pipes_closed" }],
    ["looked", "nothing lives", { type: "looked", rest: [] }],
    ["looked", "something lives", { type: "looked", rest: [process] }],
    ["looked", "it can't be told", { type: "looked", rest: undefined }],
    ["asked", "its process lives", { type: "asked", lives: true }],
    ["asked", "it is gone", { type: "asked", lives: false }],
    ["asked", "it can't be told", { type: "asked", lives: undefined }],
    ["swept", "all is gone", { type: "swept", left: [] }],
    ["swept", "something is left", { type: "swept", left: [process] }],
  ],
  facts: {
    "it was not gone before": (_, { isMissed }) => isMissed !== true,
    "its pipes have ended": (_, { pipesClosed }) => pipesClosed,
    "graceful_stop is 0": ({ gracefulStop }) => gracefulStop === 0,
  },
  isFar: () => false,
};

const lives: Life[] =
  (["success", "failed", "start_failed", "unhealthy", "stopped", "daemon_stopped"] as const)
    .flatMap((reason) =>
      [1, 60_000].map((ranFor) => ({
        reason,
        ranFor,
        isFailure: reason !== "success" && reason !== "stopped",
      }))
    );

/** The machine of an instance of a service, with all that it can meet. */
export const instanceMachine: Machine<InstancePolicy, InstanceState, InstanceEvent> = {
  policies: (["always", "on_failure", "never"] as const).flatMap((restart) =>
    [-1, 1].flatMap((startRetries) =>
      [true, false].map((hasHealthCheck): InstancePolicy => ({
        restart,
        startRetries,
        hasHealthCheck,
        restartDelay: 1000,
        restartBackoff: "exponential",
        healthyAfter: 10_000,
      }))
    )
  ),
  begin: () => ({ ...stoppedInstance }),
  step: stepInstance,
  events: [
    ["start", "by hand, or what it needs is up", { type: "start", byHand: true, ready: true }],
    ["start", "it must wait", { type: "start", byHand: false, ready: false }],
    ["ready", "", { type: "ready" }],
    ["stop", "", { type: "stop" }],
    ["restart", "", { type: "restart" }],
    ["timer healthy", "", { type: "timer", timer: "healthy" }],
    ["timer backoff", "", { type: "timer", timer: "backoff" }],
    ["passed", "", { type: "passed" }],
    ["failed_check", "", { type: "failed_check" }],
    ["check_changed", "", { type: "check_changed" }],
    ["not_launched", "", { type: "not_launched" }],
    ...lives.map((life): [string, string, InstanceEvent] => [
      "ended",
      `${life.reason} after ${life.ranFor}`,
      { type: "ended", life },
    ]),
    ["stored", "", { type: "stored" }],
  ],
  facts: {
    "it is wanted down": (_, { want }) => want === "down",
    "the daemon stops": (_, { ending }) => ending?.life.reason === "daemon_stopped",
    "it is to start again": (_, { again }) => again,
    "its run alone was stopped": (_, { ending }) => ending?.life.reason === "stopped",
    "that was the last try": (_, { ending }) => ending?.isLastTry === true,
    "restart wants it": ({ restart }, { ending }) =>
      restart === "always" || (restart === "on_failure" && ending?.life.isFailure === true),
  },
  // Failed starts are counted without end.
  isFar: ({ failedStarts }) => failedStarts > 4,
};
