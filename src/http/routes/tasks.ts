import { createRoute, z } from "@hono/zod-openapi";
import { parseCron } from "../../core/cron/parse.ts";
import type { Engine } from "../../engine/engine.ts";
import { Fault } from "../../fault.ts";
import { newRouter } from "../router.ts";
import { actionRunJson } from "../run_json.ts";
import { actionRunSchema } from "../schemas/run.ts";
import { answers, json, namePath, runBody, time, waitQuery, wholeNumber } from "../schemas/request.ts";
import { previewSchema, taskResponseSchema, tasksResponseSchema, ticksSchema } from "../schemas/unit.ts";
import { preview, tickJson } from "../tick_json.ts";
import { unitJson } from "../unit_json.ts";

const list = createRoute({
  method: "get",
  path: "/api/tasks",
  responses: answers({ 200: json(tasksResponseSchema, "All units, sorted by name") }),
});

const get = createRoute({
  method: "get",
  path: "/api/tasks/{taskName}",
  request: { params: namePath },
  responses: answers({ 200: json(taskResponseSchema, "One unit") }),
});

const next = createRoute({
  method: "get",
  path: "/api/tasks/{taskName}/next",
  request: {
    params: namePath,
    query: z.object({ count: wholeNumber({ min: 1, max: 1000, default: 10 }), after: time.optional() }),
  },
  responses: answers({ 200: json(ticksSchema, "The next ticks; empty for a unit without a schedule") }),
});

const run = createRoute({
  method: "post",
  path: "/api/tasks/{taskName}/run",
  request: {
    params: namePath,
    query: waitQuery.extend({ via: z.enum(["ui", "cli"], "expected ui or cli").optional() }),
    body: { content: { "application/json": { schema: runBody } } },
  },
  responses: answers({ 201: json(actionRunSchema, "The run: pending, or with wait=true as it ended") }),
});

const action = <A extends "start" | "stop" | "restart" | "pause" | "resume">(name: A) =>
  createRoute({
    method: "post",
    path: `/api/tasks/{taskName}/${name}`,
    request: { params: namePath, query: waitQuery },
    responses: answers({
      200: json(actionRunSchema, "With wait=true on a task: the run as it ended"),
      204: { description: "Done" },
    }),
  });

const previewRoute = createRoute({
  method: "get",
  path: "/api/schedule/preview",
  request: {
    query: z.object({
      cron: z.string().transform((text, context) => {
        try {
          return parseCron(text);
        } catch (error) {
          context.addIssue({
            code: "custom",
            message: error instanceof Error ? error.message : String(error),
          });
          return z.NEVER;
        }
      }).openapi({ type: "string" }),
      timezone: z.string().optional(),
      after: time.optional(),
      count: wholeNumber({ min: 1, max: 1000, default: 10 }),
    }),
  },
  responses: answers({ 200: json(previewSchema, "The schedule in words and its next ticks") }),
});

/** Routes about units: definitions, schedules and every action. */
export function taskRoutes(engine: Engine) {
  return newRouter()
    .openapi(list, (c) => c.json({ tasks: engine.views().map(unitJson) }, 200))
    .openapi(get, (c) => c.json(unitJson(engine.view(c.req.valid("param").taskName)), 200))
    .openapi(next, (c) => {
      const { count, after } = c.req.valid("query");
      const { ticks, timezone } = engine.ticks(c.req.valid("param").taskName, {
        count,
        after: after ?? engine.now(),
      });
      return c.json({ ticks: ticks.map((tick) => tickJson(tick, timezone)) }, 200);
    })
    .openapi(previewRoute, (c) => {
      const { cron, timezone, after, count } = c.req.valid("query");
      return c.json(
        preview(cron, { timezone: timezone || engine.timezone, after: after ?? engine.now(), count }),
        200,
      );
    })
    .openapi(run, async (c) => {
      const { via, wait, waitTimeout } = c.req.valid("query");
      const { params } = c.req.valid("json") ?? {};
      const started = engine.run(c.req.valid("param").taskName, {
        trigger: via ?? "api",
        ...(params === undefined ? {} : { params }),
      });
      const shown = wait ? await engine.whenEnded(started.id, waitTimeout * 1000) : started;
      return c.json(actionRunJson(shown), 201);
    })
    .openapi(action("start"), async (c) => {
      const { taskName } = c.req.valid("param");
      const query = c.req.valid("query");
      refuseServiceWait(engine, taskName, { wait: query.wait, action: "start" });
      const started = engine.startUnit(taskName, { trigger: "api" });
      if (!query.wait || started === undefined) return c.body(null, 204);
      return c.json(actionRunJson(await engine.whenEnded(started.id, query.waitTimeout * 1000)), 200);
    })
    .openapi(action("restart"), async (c) => {
      const { taskName } = c.req.valid("param");
      const query = c.req.valid("query");
      refuseServiceWait(engine, taskName, { wait: query.wait, action: "restart" });
      const fresh = engine.restartUnit(taskName, { trigger: "api" });
      if (!query.wait || fresh === undefined) return c.body(null, 204);
      return c.json(actionRunJson(await engine.whenEnded(fresh.id, query.waitTimeout * 1000)), 200);
    })
    .openapi(action("stop"), async (c) => {
      const { taskName } = c.req.valid("param");
      const { wait, waitTimeout } = c.req.valid("query");
      const stopped = engine.stopUnit(taskName);
      if (wait && !(await engine.within(stopped, waitTimeout * 1000))) {
        throw new Fault("conflict", `"${taskName}" is still ending after ${waitTimeout} s; the stop goes on`);
      }
      return c.body(null, 204);
    })
    .openapi(action("pause"), (c) => {
      engine.pause(c.req.valid("param").taskName);
      return c.body(null, 204);
    })
    .openapi(action("resume"), (c) => {
      engine.resume(c.req.valid("param").taskName);
      return c.body(null, 204);
    });
}

function refuseServiceWait(engine: Engine, name: string, options: { wait: boolean; action: string }): void {
  if (!options.wait || engine.unit(name).kind !== "service") return;
  throw new Fault(
    "bad_request",
    `cannot wait for the ${options.action} of "${name}": a service has no end; leave wait out`,
  );
}
