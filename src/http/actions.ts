import { z } from "@hono/zod-openapi";
import type { Engine } from "../engine/engine.ts";
import { Fault } from "../fault.ts";
import type { Run, Trigger } from "../types.ts";
import { newRoute } from "./route.ts";
import { actionRunSchema } from "./schemas/run.ts";
import { answers, json, namePath, runBody, waitQuery } from "./schemas/request.ts";

/** What is asked of a unit, by session, control socket or hook. */
export interface Call {
  name: string;
  trigger: Trigger;
  wait: boolean;
  /** Seconds. */
  waitTimeout: number;
  /** Called with a hook token: `api_trigger` does not apply. */
  byHook?: boolean;
}

/** A wait that makes no sense, or that took too long; the action itself is told apart from it. */
export class WaitRefused extends Fault {}

/** Triggers a task; answers the run as it is, or with `wait` as it ended (as it is after `waitTimeout`). Throws `Fault`. */
export async function runTask(
  engine: Engine,
  call: Call & { params?: Record<string, string | null> | undefined },
): Promise<Run> {
  const { name, trigger, params, byHook = false } = call;
  // A copy: the answer tells the run as it is now, not as it will be when that is written.
  const started = { ...engine.run(name, { trigger, byHook, ...(params === undefined ? {} : { params }) }) };
  return call.wait ? await engine.whenEnded(started.id, call.waitTimeout * 1000) : started;
}

/** Starts or restarts a unit; answers a task's run if it was waited for. Throws `Fault`. */
export async function launchUnit(
  engine: Engine,
  action: "start" | "restart",
  call: Call,
): Promise<Run | undefined> {
  const { name, trigger, byHook = false } = call;
  if (call.wait && engine.unit(name).kind === "service") {
    throw new WaitRefused(
      "bad_request",
      `cannot wait for the ${action} of "${name}": a service has no end; leave wait out`,
    );
  }
  const options = { trigger, byHook };
  const run = action === "start" ? engine.startUnit(name, options) : engine.restartUnit(name, options);
  return call.wait && run !== undefined ? await engine.whenEnded(run.id, call.waitTimeout * 1000) : undefined;
}

/** Stops a unit; with `wait` resolves once all of it has ended. Throws `Fault` still_ending when that takes too long. */
export async function stopUnit(engine: Engine, call: Omit<Call, "trigger">): Promise<void> {
  const { name, wait, waitTimeout, byHook = false } = call;
  const stopped = engine.stopUnit(name, { byHook });
  if (wait && !(await engine.within(stopped, waitTimeout * 1000))) {
    throw new WaitRefused(
      "still_ending",
      `"${name}" is still ending after ${waitTimeout} s; the stop goes on`,
    );
  }
}

const summaries = {
  run: "Run a task",
  start: "Start a unit",
  stop: "Stop a unit",
  restart: "Restart a unit",
  pause: "Pause a unit's schedule",
  resume: "Resume a unit's schedule",
};
type Action = keyof typeof summaries;

/** Where an action on a unit is to be had: with a session, or with a hook token of the unit. */
type ActionPath<A extends Action> = `/api/${"" | "hooks/"}tasks/{taskName}/${A}`;

/** What the API's description calls an action, e.g. "runTask" and "runTaskByHook". */
function described(path: ActionPath<Action>) {
  const action = path.slice(path.lastIndexOf("/") + 1) as Action;
  return path.startsWith("/api/hooks/")
    ? {
      operationId: `${action}TaskByHook`,
      summary: `${summaries[action]}, with a hook token`,
      tags: ["Hooks"] as ["Hooks"],
    }
    : { operationId: `${action}Task`, summary: summaries[action], tags: ["Tasks"] as ["Tasks"] };
}

/** The route that triggers a task; `query` says what it takes beside the wait. */
export function runRoute<P extends ActionPath<"run">, Q extends z.ZodRawShape>(path: P, query: Q) {
  return newRoute({
    method: "post",
    path,
    ...described(path),
    request: {
      params: namePath,
      query: waitQuery.extend(query),
      body: { content: { "application/json": { schema: runBody } } },
    },
    responses: answers({ 201: json(actionRunSchema, "The run: pending, or with wait=true as it ended") }),
  });
}

/** The route of another action on a unit; `query` says what it takes beside the wait. */
export function actionRoute<P extends ActionPath<Exclude<Action, "run">>, Q extends z.ZodRawShape>(
  path: P,
  query: Q,
) {
  return newRoute({
    method: "post",
    path,
    ...described(path),
    request: { params: namePath, query: waitQuery.extend(query) },
    responses: answers({
      200: json(actionRunSchema, "With wait=true on a task: the run as it ended"),
      204: { description: "Done" },
    }),
  });
}
