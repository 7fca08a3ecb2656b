import { z } from "@hono/zod-openapi";
import type { Engine } from "../../engine/engine.ts";
import type { LogHits } from "../../engine/runs/run_logs.ts";
import { newRoute } from "../route.ts";
import { newRouter } from "../router.ts";
import { type LogSearchJson, logSearchSchema } from "../schemas/log.ts";
import { answers, flag, json, namePath, wholeNumber } from "../schemas/request.ts";

const query = z.object({
  q: z.string().min(1, "expected something to search for").max(1000, "expected 1000 characters or less"),
  regex: flag,
  case: flag,
  run_id: z.string().optional(),
  limit: wholeNumber({ min: 1, max: 1000, default: 100 }),
  cursor: z.string().optional(),
});

const inTask = newRoute({
  method: "get",
  path: "/api/tasks/{taskName}/log/search",
  operationId: "searchTaskLogs",
  summary: "Search the logs of a unit",
  tags: ["Logs"],
  request: { params: namePath, query },
  responses: answers({ 200: json(logSearchSchema, "Lines of the unit's logs that match, newest run first") }),
});

const everywhere = newRoute({
  method: "get",
  path: "/api/log/search",
  operationId: "searchLogs",
  summary: "Search all logs",
  tags: ["Logs"],
  request: { query },
  responses: answers({ 200: json(logSearchSchema, "Lines of all logs that match, newest run first") }),
});

/** Routes that search logs. */
export function logSearchRoutes(engine: Engine) {
  return newRouter()
    .openapi(inTask, async (c) => {
      const unit = engine.unit(c.req.valid("param").taskName).name;
      return c.json(await search(engine, { ...c.req.valid("query"), unit }), 200);
    })
    .openapi(everywhere, async (c) => c.json(await search(engine, c.req.valid("query")), 200));
}

async function search(
  engine: Engine,
  asked: z.output<typeof query> & { unit?: string },
): Promise<LogSearchJson> {
  const { q, regex, limit, cursor = "", case: caseSensitive, run_id: runId, unit } = asked;
  return searchJson(
    await engine.logs.search({
      query: { text: q, regex, caseSensitive },
      limit,
      cursor,
      ...(unit === undefined ? {} : { unit }),
      ...(runId ? { runId } : {}),
    }),
  );
}

function searchJson({ hits, scannedRuns, next }: LogHits): LogSearchJson {
  return {
    hits: hits.map(({ run, line: { n, stream, text } }) => ({
      run_id: run.id,
      n,
      stream,
      text,
      ts: run.createdAt,
    })),
    exhausted: next === "",
    scanned_runs: scannedRuns,
    next_cursor: next,
  };
}
