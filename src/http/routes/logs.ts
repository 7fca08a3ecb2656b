import { z } from "@hono/zod-openapi";
import type { Engine } from "../../engine/engine.ts";
import type { Auth } from "../auth/auth.ts";
import { answerDownload, answerText } from "../log_download.ts";
import { newRoute } from "../route.ts";
import { newRouter } from "../router.ts";
import { logPageJson } from "../run_json.ts";
import { logEventSchemas, logHistorySchema } from "../schemas/log.ts";
import {
  answers,
  eventStream,
  flag,
  json,
  lastEventId,
  runPath,
  time,
  wholeNumber,
} from "../schemas/request.ts";
import { logPageSchema } from "../schemas/run.ts";
import type { Streams } from "../streams/streams.ts";

const from = wholeNumber({ default: -1000 });

const page = newRoute({
  method: "get",
  path: "/api/runs/{runId}/log",
  operationId: "getRunLog",
  summary: "Get a page of a run's log",
  tags: ["Logs"],
  request: {
    params: runPath,
    query: z.object({
      from,
      limit: wholeNumber({ min: 1, max: 10_000, default: 1000 }),
      since: time.optional(),
    }),
  },
  responses: answers({ 200: json(logPageSchema, "A page of the run's log") }),
});

const stream = newRoute({
  method: "get",
  path: "/api/runs/{runId}/log/stream",
  operationId: "streamRunLog",
  summary: "Follow a run's log",
  tags: ["Logs"],
  request: { params: runPath, query: z.object({ from }), headers: lastEventId },
  responses: answers({ 200: eventStream(logEventSchemas, "The run's log as it comes") }),
});

const raw = newRoute({
  method: "get",
  path: "/api/runs/{runId}/log/raw",
  operationId: "downloadRunLog",
  summary: "Download a run's log",
  tags: ["Logs"],
  request: { params: runPath, query: z.object({ timestamps: flag, plain: flag }) },
  responses: answers({
    200: { description: "What the run wrote", content: { "text/plain": { schema: z.string() } } },
    206: { description: "A part of it", content: { "text/plain": { schema: z.string() } } },
  }),
});

const history = newRoute({
  method: "get",
  path: "/api/runs/{runId}/log/line/{n}/history",
  operationId: "getLogLineHistory",
  summary: "Get earlier frames of a redrawn line",
  tags: ["Logs"],
  request: {
    params: runPath.extend({
      n: z.string().regex(/^\d{1,15}$/, "expected the number of a line")
        .openapi({ param: { name: "n", in: "path" }, type: "integer" }),
    }),
  },
  responses: answers({ 200: json(logHistorySchema, "Earlier frames of a line that was redrawn") }),
});

/** Routes about the logs of runs. */
export function logRoutes(engine: Engine, { auth, streams }: { auth: Auth; streams: Streams }) {
  return newRouter()
    .openapi(page, (c) => {
      const { from, limit, since } = c.req.valid("query");
      const options = since === undefined ? { from, limit } : { since, limit };
      return c.json(logPageJson(engine.logs.page(c.req.valid("param").runId, options)), 200);
    })
    .openapi(stream, (c) => {
      const run = engine.getRun(c.req.valid("param").runId);
      const last = c.req.valid("header")["last-event-id"] ?? "";
      const start = /^\d{1,15}$/.test(last) ? { after: Number(last) } : { from: c.req.valid("query").from };
      return streams.openLog(c, { auth, run, start });
    })
    .openapi(raw, async (c) => {
      const { runId } = c.req.valid("param");
      const { timestamps, plain } = c.req.valid("query");
      engine.getRun(runId);
      if (!timestamps && !plain) return answerDownload(c, await engine.logs.download(runId)) as never;
      const lines = engine.logs.everyLine(runId, { system: timestamps });
      return answerText(c, lines, { timestamps, plain }) as never;
    })
    .openapi(history, (c) => {
      const { runId, n } = c.req.valid("param");
      return c.json({ frames: engine.logs.history(runId, Number(n)) }, 200);
    });
}
