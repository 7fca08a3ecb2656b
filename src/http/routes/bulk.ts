import type { Engine } from "../../engine/engine.ts";
import { newRoute } from "../route.ts";
import { newRouter } from "../router.ts";
import { answers, json } from "../schemas/request.ts";
import { bulkAffectedSchema, bulkRerunSchema, selectorBody } from "../schemas/selector.ts";

const body = { content: { "application/json": { schema: selectorBody } }, required: true };

const bulk = <A extends "delete" | "restore" | "stop">(action: A, summary: string, description: string) =>
  newRoute({
    method: "post",
    path: `/api/runs/bulk/${action}`,
    operationId: `${action}Runs`,
    summary,
    tags: ["Runs"],
    request: { body },
    responses: answers({ 200: json(bulkAffectedSchema, description) }),
  });

const rerun = newRoute({
  method: "post",
  path: "/api/runs/bulk/rerun",
  operationId: "rerunRuns",
  summary: "Run the tasks of many runs again",
  tags: ["Runs"],
  request: { body },
  responses: answers({ 200: json(bulkRerunSchema, "One fresh run for each task among the selected runs") }),
});

/** Routes that act on many runs. */
export function bulkRoutes(engine: Engine) {
  return newRouter()
    .openapi(
      bulk("delete", "Delete many ended runs", "Ended runs are hidden; ids of active ones are in skipped"),
      async (c) => c.json(await engine.bulk.delete(c.req.valid("json")), 200),
    )
    .openapi(
      bulk("restore", "Take a deletion of runs back", "Runs deleted within the undo window are back"),
      async (c) => c.json(await engine.bulk.restore(c.req.valid("json")), 200),
    )
    .openapi(
      bulk("stop", "Stop many runs", "Active runs have been asked to end"),
      async (c) => c.json(await engine.bulk.stop(c.req.valid("json")), 200),
    )
    .openapi(rerun, async (c) => {
      const triggered = await engine.bulk.rerun(c.req.valid("json"));
      return c.json({ triggered: triggered.map(({ id, unit }) => ({ task_name: unit, run_id: id })) }, 200);
    });
}
