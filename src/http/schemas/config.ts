import { z } from "@hono/zod-openapi";
import { taskResponseSchema } from "./unit.ts";

const duration = z.int().openapi({ description: "Nanoseconds" });
const size = z.int().openapi({ description: "Bytes; 0: no cap" });
const strings = z.array(z.string());

const placeSchema = z.object({ file: z.string(), line: z.int(), column: z.int() }).openapi("Place");

const healthCheckSchema = z.object({
  run: z.string().optional(),
  http: z.string().optional().openapi({ description: "The address, without user and password" }),
  tcp: z.string().optional(),
  interval: duration,
  timeout: duration,
  retries: z.int(),
  start_period: duration,
}).openapi("HealthCheck");

/** A unit as it is defined: what TaskResponse tells of it apart from its state, and the rest of its keys. */
const unitConfigSchema = taskResponseSchema.omit({
  $schema: true,
  next_run_at: true,
  paused_at: true,
  service_state: true,
  healthy_instances: true,
  active_runs: true,
  queued_runs: true,
  last_run: true,
}).extend({
  failures: strings,
  stop_signal: z.string(),
  kill_strays: z.boolean(),
  survive: z.boolean(),
  pipefail: z.boolean(),
  umask: z.string().optional(),
  user: z.string().optional(),
  env_base: z.enum(["inherit", "clean"]),
  notify: strings,
  limits: z.object({ memory: z.int().optional(), cpu: z.number().optional(), pids: z.int().optional() }),
  expect_every: z.union([duration, z.literal("auto")]).optional(),
  warn_after: duration.optional(),
  health_check: healthCheckSchema.optional(),
  place: placeSchema,
}).openapi("UnitConfig");

export const configSchema = z.object({
  $schema: z.string().optional().openapi({ format: "uri", readOnly: true }),
  path: z.string(),
  sources: strings.openapi({ description: "All files that it was read from" }),
  include: strings.openapi({ description: "Globs of further files, absolute" }),
  daemon: z.object({
    timezone: z.string(),
    shutdown_timeout: duration,
    external_url: z.string(),
    tls: z.enum(["off", "auto"]),
    tls_cert: z.string().optional(),
    tls_key: z.string().optional().openapi({ description: "Path of the file" }),
    trusted_proxies: strings,
    max_parallel_runs: z.int(),
    metrics: z.boolean(),
    metrics_listen: z.string().optional(),
  }),
  storage: z.object({ max_size: size, min_free_space: size }),
  removed_units: z.object({ keep_runs: z.int(), keep_for: duration })
    .openapi({ description: "Retention of the runs of units that are gone" }),
  notify: z.object({
    global_notifiers: strings,
    coalesce_window: duration,
    keep: z.int(),
    keep_for: duration,
    retry_budget: duration,
  }),
  notifiers: z.array(z.object({ id: z.string(), type: z.string(), template: z.string().optional() }))
    .openapi({ description: "Without addresses and credentials" }),
  routes: z.array(z.object({
    kinds: strings,
    severity: z.enum(["info", "warn", "error"]).optional(),
    task: z.string().optional(),
    failure: z.boolean().optional(),
    notify: strings,
  })),
  units: z.array(unitConfigSchema),
  compose: z.array(z.object({
    alias: z.string(),
    file: z.string(),
    services: strings.optional(),
    profiles: strings,
    env_file: z.string().optional(),
    project_name: z.string().optional(),
    group: z.string(),
    name_format: z.string(),
    pull: z.enum(["missing", "always", "never"]),
    with_deps: z.boolean(),
    overridden: strings.openapi({ description: "Services whose keys are overridden" }),
    place: placeSchema,
  })),
}).openapi("EffectiveConfig");

export type ConfigJson = z.infer<typeof configSchema>;
export type UnitConfigJson = z.infer<typeof unitConfigSchema>;
export type HealthCheckJson = z.infer<typeof healthCheckSchema>;
