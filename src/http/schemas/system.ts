import { z } from "@hono/zod-openapi";

const percent = z.number().min(0).max(100);
const bytes = z.int().min(0);

export const metricsSampleSchema = z.object({
  ts: z.int().openapi({ description: "Unix seconds" }),
  cpu: percent,
  mem: percent,
  mem_total: bytes,
  mem_used: bytes,
}).openapi("MetricsSample");

export const metricsSchema = z.object({
  $schema: z.string().optional().openapi({ format: "uri", readOnly: true }),
  samples: z.array(metricsSampleSchema).openapi({ description: "Oldest first" }),
}).openapi("MetricsBody");

export const systemStatsSchema = z.object({
  $schema: z.string().optional().openapi({ format: "uri", readOnly: true }),
  cpu_usage: percent,
  mem_usage: percent,
  mem_total: bytes,
  mem_used: bytes,
  uptime: z.string().openapi({ description: "How long the daemon has been up, in words" }),
  version: z.string(),
  name: z.string(),
  cpu_cores: z.int(),
  host: z.string(),
  os: z.string(),
  arch: z.string(),
  work_dir: z.string(),
}).openapi("SystemStats");

/** Data of a `system.sample` event. */
export const systemSampleEventSchema = z.object({ sample: metricsSampleSchema, uptime: z.string() })
  .openapi("SystemSampleSSEEvent");

export type SystemStatsJson = z.infer<typeof systemStatsSchema>;
export type MetricsSampleJson = z.infer<typeof metricsSampleSchema>;
export type SystemSampleEventJson = z.infer<typeof systemSampleEventSchema>;
