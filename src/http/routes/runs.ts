import type { Engine } from "../../engine/engine.ts";
import { newRoute } from "../route.ts";
import { newRouter } from "../router.ts";
import { runJson } from "../run_json.ts";
import { runSchema, runsResponseSchema } from "../schemas/run.ts";
import { answers, json, runPath, runsQuery } from "../schemas/request.ts";

const list = newRoute({
  method: "get",
  path: "/api/runs",
  operationId: "listRuns",
  summary: "List runs",
  tags: ["Runs"],
  request: { query: runsQuery },
  responses: answers({ 200: json(runsResponseSchema, "A page of runs and how many match in all") }),
});

const get = newRoute({
  method: "get",
  path: "/api/runs/{runId}",
  operationId: "getRun",
  summary: "Get a run",
  tags: ["Runs"],
  request: { params: runPath },
  responses: answers({ 200: json(runSchema, "One run") }),
});

const remove = newRoute({
  method: "delete",
  path: "/api/runs/{runId}",
  operationId: "deleteRun",
  summary: "Delete an ended run",
  tags: ["Runs"],
  request: { params: runPath },
  responses: answers({ 204: { description: "Hidden at once, reclaimed after the undo window" } }),
});

const stop = newRoute({
  method: "post",
  path: "/api/runs/{runId}/stop",
  operationId: "stopRun",
  summary: "Stop a run",
  tags: ["Runs"],
  request: { params: runPath },
  responses: answers({ 204: { description: "The run has been asked to end" } }),
});

/** Routes about runs. */
export function runRoutes(engine: Engine) {
  const mask = (unit: string, text: string): string => engine.masked(unit, text);
  return newRouter()
    .openapi(list, async (c) => {
      const { runs, total } = await engine.listRuns(c.req.valid("query"));
      return c.json({ runs: runs.map((run) => runJson(run, mask)), total }, 200);
    })
    .openapi(get, (c) => c.json(runJson(engine.getRun(c.req.valid("param").runId), mask), 200))
    .openapi(remove, (c) => {
      engine.deleteRun(c.req.valid("param").runId);
      return c.body(null, 204);
    })
    .openapi(stop, (c) => {
      engine.stopRun(c.req.valid("param").runId);
      return c.body(null, 204);
    });
}
