import { z } from "@hono/zod-openapi";
import { camelReasons, camelTriggers, snakeReasons, snakeTriggers } from "../../core/run_words.ts";

const dateTime = z.string().openapi({ format: "date-time" });
const reason = z.string().openapi({ description: "Why it ended so, where its exit code does not say it" });
const params = z.record(z.string(), z.string());

/** A run in the spelling of lists and events. */
export const runSchema = z.object({
  $schema: z.string().optional().openapi({ format: "uri", readOnly: true }),
  id: z.string().openapi({ description: "Run identifier, a ULID" }),
  task_name: z.string(),
  status: z.enum(["pending", "running", "ended"]),
  exit_code: z.int(),
  triggered_by: z.enum(snakeTriggers),
  created_at: dateTime,
  retry_attempt: z.int(),
  instance_index: z.int(),
  start_at: dateTime.optional(),
  end_at: dateTime.optional(),
  end_reason: z.enum(snakeReasons).optional(),
  error: reason.optional(),
  external_execution_id: z.string().optional(),
  params: params.optional(),
  retry_of_run_id: z.string().optional(),
  peak_memory_bytes: z.int().optional(),
  cpu_time_ms: z.int().optional(),
  adopted_at: z.string().optional().openapi({ format: "date-time" }),
}).openapi("Run");

/** A run in the spelling of action routes. */
export const actionRunSchema = z.object({
  $schema: z.string().optional().openapi({ format: "uri", readOnly: true }),
  id: z.string(),
  taskName: z.string(),
  status: z.enum(["pending", "running", "ended"]),
  exitCode: z.int(),
  isFailure: z.boolean(),
  triggeredBy: z.enum(camelTriggers),
  createdAt: dateTime,
  retryAttempt: z.int(),
  instanceIndex: z.int(),
  startedAt: dateTime.optional(),
  endedAt: dateTime.optional(),
  endReason: z.enum(camelReasons).optional(),
  error: reason.optional(),
  executionId: z.string().optional(),
  params: params.optional(),
  retryOfRunId: z.string().optional(),
  peakMemoryBytes: z.int().optional(),
  cpuTimeMs: z.int().optional(),
  adoptedAt: z.string().optional().openapi({ format: "date-time" }),
}).openapi("ActionRun");

export const runsResponseSchema = z.object({
  $schema: z.string().optional().openapi({ format: "uri", readOnly: true }),
  runs: z.array(runSchema).nullable(),
  total: z.int(),
}).openapi("RunsResponseBody");

export const logLineSchema = z.object({
  n: z.int(),
  ts: z.int().openapi({ description: "Unix ms" }),
  stream: z.string(),
  text: z.string(),
  continued: z.boolean().optional(),
  frame_count: z.int().optional(),
}).openapi("LogLineEntry");

export const logPageSchema = z.object({
  $schema: z.string().optional().openapi({ format: "uri", readOnly: true }),
  lines: z.array(logLineSchema).nullable(),
  first_available: z.int(),
  total_lines: z.int(),
  truncated: z.boolean(),
  finalized: z.boolean(),
}).openapi("LogPageBody");

export type RunJson = z.infer<typeof runSchema>;
export type ActionRunJson = z.infer<typeof actionRunSchema>;
export type LogPageJson = z.infer<typeof logPageSchema>;
export type LogLineJson = z.infer<typeof logLineSchema>;
