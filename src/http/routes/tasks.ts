import { z } from "@hono/zod-openapi";
import { parseCron } from "../../core/cron/parse.ts";
import type { Engine } from "../../engine/engine.ts";
import { actionRoute, launchUnit, runRoute, runTask, stopUnit } from "../actions.ts";
import { newRoute } from "../route.ts";
import { newRouter } from "../router.ts";
import { actionRunJson } from "../run_json.ts";
import { answers, json, namePath, time, wholeNumber } from "../schemas/request.ts";
import { previewSchema, taskResponseSchema, tasksResponseSchema, ticksSchema } from "../schemas/unit.ts";
import { preview, tickJson } from "../tick_json.ts";
import { unitJson } from "../unit_json.ts";

const list = newRoute({
  method: "get",
  path: "/api/tasks",
  operationId: "listTasks",
  summary: "List all units",
  tags: ["Tasks"],
  responses: answers({ 200: json(tasksResponseSchema, "All units, sorted by name") }),
});

const get = newRoute({
  method: "get",
  path: "/api/tasks/{taskName}",
  operationId: "getTask",
  summary: "Get a unit",
  tags: ["Tasks"],
  request: { params: namePath },
  responses: answers({ 200: json(taskResponseSchema, "One unit") }),
});

const next = newRoute({
  method: "get",
  path: "/api/tasks/{taskName}/next",
  operationId: "listNextTicks",
  summary: "List the next ticks of a unit",
  tags: ["Tasks"],
  request: {
    params: namePath,
    query: z.object({ count: wholeNumber({ min: 1, max: 1000, default: 10 }), after: time.optional() }),
  },
  responses: answers({ 200: json(ticksSchema, "The next ticks; empty for a unit without a schedule") }),
});

const run = runRoute("/api/tasks/{taskName}/run", {
  via: z.enum(["ui", "cli"], "expected ui or cli").optional(),
});

const action = <A extends "start" | "stop" | "restart" | "pause" | "resume">(name: A) =>
  actionRoute(`/api/tasks/{taskName}/${name}`, {});

const previewRoute = newRoute({
  method: "get",
  path: "/api/schedule/preview",
  operationId: "previewSchedule",
  summary: "Explain a schedule and list its ticks",
  tags: ["Tasks"],
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
  const mask = (unit: string, text: string): string => engine.masked(unit, text);
  return newRouter()
    .openapi(list, (c) => c.json({ tasks: engine.views().map((view) => unitJson(view, mask)) }, 200))
    .openapi(get, (c) => c.json(unitJson(engine.view(c.req.valid("param").taskName), mask), 200))
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
      const { via, ...wait } = c.req.valid("query");
      const { params } = c.req.valid("json") ?? {};
      const { taskName: name } = c.req.valid("param");
      return c.json(
        actionRunJson(await runTask(engine, { name, trigger: via ?? "api", ...wait, params }), mask),
        201,
      );
    })
    .openapi(action("start"), async (c) => {
      const { taskName: name } = c.req.valid("param");
      const run = await launchUnit(engine, "start", { name, trigger: "api", ...c.req.valid("query") });
      return run === undefined ? c.body(null, 204) : c.json(actionRunJson(run, mask), 200);
    })
    .openapi(action("restart"), async (c) => {
      const { taskName: name } = c.req.valid("param");
      const run = await launchUnit(engine, "restart", { name, trigger: "api", ...c.req.valid("query") });
      return run === undefined ? c.body(null, 204) : c.json(actionRunJson(run, mask), 200);
    })
    .openapi(action("stop"), async (c) => {
      await stopUnit(engine, { name: c.req.valid("param").taskName, ...c.req.valid("query") });
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
