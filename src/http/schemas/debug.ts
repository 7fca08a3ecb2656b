import { z } from "@hono/zod-openapi";
import { snakeTriggers } from "../../core/run_words.ts";

const time = z.string().openapi({ format: "date-time" });
const trigger = z.enum(snakeTriggers);
const timers = z.array(z.object({ name: z.string(), left_ms: z.int() }).openapi("DebugTimer"));

const debugRunSchema = z.object({
  run_id: z.string(),
  task_name: z.string(),
  triggered_by: trigger,
  created_at: time,
  phase: z.enum(["queued", "in_line", "launching", "executing", "ending"]),
  phase_ms: z.int(),
  marks: z.array(z.enum(["stopped", "catch_up", "holds_queue", "holds_gate"])),
  machine: z.object({
    phase: z.string(),
    want: z.string().optional(),
    stuck: z.boolean(),
    pid: z.int().optional(),
    timers,
  }).optional(),
}).openapi("DebugRun");

const debugLineSchema = z.object({
  max_parallel_runs: z.int(),
  started: z.int(),
  gate_shut: z.boolean(),
  gate_holder: z.string().optional(),
  waiting: z.array(z.object({
    run_id: z.string(),
    task_name: z.string(),
    hold: z.enum(["closed", "limit", "catch_ups", "gate_taken", "gate_shut", "gate_order", "turn"]),
    deadline: time.optional(),
  })),
}).openapi("DebugLine");

const debugInstanceSchema = z.object({
  task_name: z.string(),
  index: z.int(),
  phase: z.string(),
  want: z.enum(["up", "down"]),
  again: z.boolean(),
  unhealthy: z.boolean(),
  failed_starts: z.int(),
  leaving: z.boolean(),
  run_id: z.string().optional(),
  timers,
}).openapi("DebugInstance");

const debugRetrySchema = z.object({
  task_name: z.string(),
  retry_of_run_id: z.string(),
  attempt: z.int(),
  due_at: time,
  triggered_by: trigger,
}).openapi("DebugRetry");

export const debugSchema = z.object({
  $schema: z.string().optional().openapi({ format: "uri", readOnly: true }),
  at: time,
  versions: z.object({ svc: z.string(), deno: z.string(), v8: z.string() }),
  pid: z.int(),
  uptime_ms: z.int(),
  memory: z.object({ rss: z.int(), heap_total: z.int(), heap_used: z.int(), external: z.int() }),
  connections: z.array(z.object({ listener: z.string(), open: z.int() })),
  streams: z.object({ events: z.int(), logs: z.int() }),
  refusing: z.object({ since: time, why: z.string(), tries: z.int(), what: z.array(z.string()) }).optional(),
  runs: z.array(debugRunSchema),
  line: debugLineSchema,
  instances: z.array(debugInstanceSchema),
  retries: z.array(debugRetrySchema),
}).openapi("DebugBody", { description: "What goes on inside the daemon, for who looks for a fault" });

export type DebugJson = z.infer<typeof debugSchema>;
