import { z } from "@hono/zod-openapi";
import { runSchema } from "./run.ts";

const duration = z.int().openapi({ description: "Nanoseconds" });
const size = z.int().openapi({ description: "Bytes" });
const strings = z.array(z.string()).nullable();

export const taskParamSchema = z.object({
  kind: z.enum(["env", "arg", "option", "flag"]),
  key: z.string(),
  type: z.enum(["string", "number"]).optional(),
  default: z.string().optional(),
  description: z.string().optional(),
  required: z.boolean().optional(),
  choices: strings.optional(),
  allow_custom: z.boolean().optional(),
}).openapi("TaskParam");

export const composeRefSchema = z.object({
  file: z.string(),
  project_name: z.string(),
  service: z.string().optional(),
}).openapi("TaskComposeRef");

export const taskBriefSchema = z.object({
  name: z.string(),
  api_trigger: z.boolean(),
  catch_up: z.string().optional(),
  cron: z.string().optional(),
  group: z.string().optional(),
  on_overlap: z.string().optional(),
  restart: z.string().optional(),
  compose: composeRefSchema.optional(),
  depends_on: strings.optional(),
  instances: z.int().optional(),
  max_concurrent: z.int().optional(),
  kind: z.enum(["task", "service"]).optional(),
  parameters: z.array(taskParamSchema).nullable().optional(),
}).openapi("TaskBrief");

export const usageSchema = z.object({
  cpu_percent: z.number().openapi({ description: "Percent of one core: two busy cores are 200" }),
  memory_bytes: size,
}).openapi("UnitUsage", { description: "What all processes of a unit use, a few seconds old at most" });

/** States of a service as a whole (docs/behaviour.md#services). */
export const serviceStates = [
  "stopped",
  "waiting",
  "starting",
  "running",
  "degraded",
  "backing_off",
  "unhealthy",
  "fatal",
] as const;

export const taskResponseSchema = z.object({
  $schema: z.string().optional().openapi({ format: "uri", readOnly: true }),
  name: z.string(),
  description: z.string(),
  kind: z.enum(["task", "service"]),
  group: z.string(),
  cron: z.string().optional(),
  timezone: z.string().optional(),
  next_run_at: z.string().optional().openapi({ format: "date-time" }),
  paused_at: z.string().optional().openapi({ format: "date-time" }),
  api_trigger: z.boolean(),
  run_on_start: z.boolean().optional(),
  jitter: duration.optional(),
  catch_up: z.enum(["latest", "all", "skip"]).optional(),
  max_catch_up_runs: z.int().optional(),
  on_overlap: z.enum(["queue", "skip", "terminate"]).optional(),
  max_concurrent: z.int().optional(),
  queue_max: z.int().optional(),
  restart: z.enum(["never", "always", "on_failure"]),
  restart_delay: duration.optional(),
  restart_backoff: z.enum(["constant", "linear", "exponential"]).optional(),
  retry_attempts: z.int().optional(),
  retry_delay: duration.optional(),
  retry_backoff: z.enum(["constant", "linear", "exponential"]).optional(),
  exit_codes: z.array(z.int()).nullable(),
  timeout: duration,
  graceful_stop: duration,
  keep_runs: z.int(),
  keep_for: duration,
  log_max_size: size,
  log_on_full: z.enum(["drop_new", "drop_old", "kill_task"]),
  run: z.string(),
  shell: z.string(),
  working_dir: z.string(),
  env: z.record(z.string(), z.string()),
  env_file: z.string().optional(),
  secrets_file: z.string().optional(),
  parameters: z.array(taskParamSchema).nullable().optional(),
  compose: composeRefSchema.optional(),
  instances: z.int().optional(),
  autostart: z.boolean().optional(),
  priority: z.int().optional(),
  depends_on: strings.optional(),
  healthy_after: duration.optional(),
  start_retries: z.int().optional(),
  service_state: z.enum(serviceStates).optional(),
  healthy_instances: z.int().optional(),
  active_runs: z.int().optional(),
  queued_runs: z.int().optional(),
  last_run: runSchema.optional(),
  usage: usageSchema.optional(),
}).openapi("TaskResponse");

export const tasksResponseSchema = z.object({ tasks: z.array(taskResponseSchema) }).openapi(
  "TasksResponseBody",
);

export const tickSchema = z.object({
  at: z.string().openapi({ format: "date-time" }),
  local: z.string().openapi({ description: "Wall-clock time in the zone, with its offset" }),
  note: z.enum(["gap", "repeat", ""]),
}).openapi("Tick");

export const ticksSchema = z.object({ ticks: z.array(tickSchema) }).openapi("TicksBody");

export const previewSchema = z.object({ description: z.string(), ticks: z.array(tickSchema) })
  .openapi("SchedulePreviewBody");

export type TaskResponseJson = z.infer<typeof taskResponseSchema>;
export type TaskBriefJson = z.infer<typeof taskBriefSchema>;
export type TaskParamJson = z.infer<typeof taskParamSchema>;
export type TickJson = z.infer<typeof tickSchema>;
