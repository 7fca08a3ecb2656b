import { z } from "@hono/zod-openapi";
import { parseDuration } from "../../core/duration.ts";
import { type SnakeReason, snakeReason } from "../../core/run_words.ts";
import type { Engine } from "../../engine/engine.ts";
import { Fault } from "../../fault.ts";
import { newRoute } from "../route.ts";
import { newRouter } from "../router.ts";
import { isoTime } from "../run_json.ts";
import { answers, json, time } from "../schemas/request.ts";

/** The most buckets that one answer holds. */
const mostBuckets = 2000;
const day = 86_400_000;

export const runSummarySchema = z.object({
  $schema: z.string().optional().openapi({ format: "uri", readOnly: true }),
  total: z.int(),
  success: z.int(),
  failed: z.int(),
  missed: z.int(),
  last_failure: z.string().optional().openapi({ format: "date-time" }),
}).openapi("RunSummary");

const histogramSchema = z.object({
  buckets: z.array(
    z.object({
      start: z.string().openapi({ format: "date-time" }),
      counts: z.record(z.string(), z.int()).openapi({ description: "End reason to number of runs" }),
    }).openapi("RunBucket"),
  ),
}).openapi("RunHistogramBody");

const summary = newRoute({
  method: "get",
  path: "/api/runs/summary",
  operationId: "getRunSummary",
  summary: "Count runs by how they ended",
  tags: ["Runs"],
  request: { query: z.object({ since: time.optional() }) },
  responses: answers({
    200: json(runSummarySchema, "Counts over the runs created since a time, or over all"),
  }),
});

const histogram = newRoute({
  method: "get",
  path: "/api/runs/histogram",
  operationId: "getRunHistogram",
  summary: "Count ended runs over time",
  tags: ["Runs"],
  request: {
    query: z.object({
      bucket: z.string().default("1h").transform((text, context) => {
        const width = parseDuration(text);
        if (width !== undefined && Number.isInteger(width) && width >= 1000) return width;
        context.addIssue({ code: "custom", message: "expected a duration of whole seconds, like 15m or 1h" });
        return z.NEVER;
      }).openapi({ type: "string", default: "1h" }),
      since: time.optional(),
      until: time.optional(),
      task_name: z.string().optional(),
    }),
  },
  responses: answers({
    200: json(histogramSchema, "Ended runs per stretch of time and end reason; a day unless asked"),
  }),
});

/** Routes that count runs. */
export function runStatRoutes(engine: Engine) {
  return newRouter()
    .openapi(summary, (c) => {
      const { lastFailure, ...counts } = engine.runStats.summary(c.req.valid("query").since ?? 0);
      return c.json({
        ...counts,
        ...(lastFailure === undefined ? {} : { last_failure: isoTime(lastFailure) }),
      }, 200);
    })
    .openapi(histogram, (c) => {
      const { bucket: width, since, until = engine.now(), task_name } = c.req.valid("query");
      const from = since ?? until - day;
      refuseTooMany(width, { from, until });
      const buckets = engine.runStats.histogram({
        since: from,
        until,
        width,
        ...(task_name ? { unit: task_name } : {}),
      });
      return c.json({
        buckets: buckets.map(({ start, counts }) => ({ start: isoTime(start), counts: snakeCounts(counts) })),
      }, 200);
    });
}

function refuseTooMany(width: number, span: { from: number; until: number }): void {
  if (span.until < span.from) {
    const message = "until is before since";
    throw new Fault("invalid", message, [{ location: "query.until", message }]);
  }
  if ((span.until - span.from) / width <= mostBuckets) return;
  const message = `more than ${mostBuckets} buckets: ask for a shorter time or wider buckets`;
  throw new Fault("invalid", message, [{ location: "query.bucket", message }]);
}

function snakeCounts(counts: Partial<Record<string, number>>): Record<string, number> {
  const merged: Record<string, number> = {};
  for (const [reason, n = 0] of Object.entries(counts)) {
    const word: SnakeReason = snakeReason(reason as Parameters<typeof snakeReason>[0]);
    merged[word] = (merged[word] ?? 0) + n;
  }
  return merged;
}
