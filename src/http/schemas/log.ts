import { z } from "@hono/zod-openapi";
import { noticeEventSchemas } from "./notice.ts";
import { logLineSchema, runSchema } from "./run.ts";
import { systemSampleEventSchema } from "./system.ts";

const schemaLink = z.string().optional().openapi({ format: "uri", readOnly: true });

export const logHistorySchema = z.object({
  $schema: schemaLink,
  frames: z.array(z.array(z.string())).nullable().openapi({ description: "Earlier frames, oldest first" }),
}).openapi("LogLineHistoryBody");

export const logHitSchema = z.object({
  run_id: z.string(),
  n: z.int(),
  stream: z.string(),
  text: z.string(),
  ts: z.int().openapi({ description: "created_at of the run, Unix ms" }),
}).openapi("LogSearchHit");

export const logSearchSchema = z.object({
  $schema: schemaLink,
  hits: z.array(logHitSchema).nullable(),
  exhausted: z.boolean(),
  scanned_runs: z.int(),
  next_cursor: z.string().optional().openapi({ description: "Empty when there is no more" }),
}).openapi("LogSearchBody");

const runEvent = z.object({ run: runSchema, error: z.string().optional() });

/** What the data of the events of GET /api/events/stream hold. */
export const eventSchemas = z.union([
  runEvent.openapi("RunCreatedEvent"),
  runEvent.openapi("RunStartedEvent"),
  runEvent.openapi("RunUpdatedEvent"),
  runEvent.openapi("RunCompletedEvent"),
  runEvent.openapi("RunFailedEvent"),
  z.object({ run_id: z.string(), task_name: z.string() }).openapi("RunDeletedSSEEvent"),
  z.object({ stale: z.boolean() }).openapi("ConfigStaleSSEEvent"),
  systemSampleEventSchema,
  ...noticeEventSchemas,
  z.object({}).openapi("PingEvent"),
]);

/** What the data of the events of a run's log stream hold. */
export const logEventSchemas = z.union([
  logLineSchema.openapi("LogLineSSEEvent"),
  z.object({ stream: z.enum(["stdout", "stderr"]), epoch: z.int(), rows: z.array(z.string()).nullable() })
    .openapi("LogRegionSSEEvent"),
  z.object({ after: z.int(), count: z.int() }).openapi("LogDroppedEvent"),
  z.object({ first_available: z.int() }).openapi("LogRotatedEvent"),
  z.object({ final_line: z.int(), status: z.string() }).openapi("LogDoneEvent"),
]);

export const daemonLineSchema = z.object({ line: z.string() }).openapi("DaemonLogLineEvent");

export type LogSearchJson = z.infer<typeof logSearchSchema>;
export type LogHitJson = z.infer<typeof logHitSchema>;
