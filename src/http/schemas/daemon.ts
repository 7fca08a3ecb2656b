import { z } from "@hono/zod-openapi";
import { taskBriefSchema } from "./unit.ts";

export const capabilitySchema = z.object({ name: z.string(), available: z.boolean() }).openapi("CapInfo");

export const refusingSchema = z.object({
  since: z.string().openapi({ format: "date-time" }),
  why: z.string(),
}).openapi("Refusing", {
  description: "The database refuses what the daemon has to store: nothing starts or ends meanwhile",
});

export const trialSchema = z.object({
  left_behind: z.int().openapi({
    description: "How many runs should have outlived the daemon before, and were not taken over",
  }),
}).openapi("Trial", {
  description: "The daemon is on trial after an upgrade: it takes over what runs, and starts nothing",
});

export const daemonInfoSchema = z.object({
  $schema: z.string().optional().openapi({ format: "uri", readOnly: true }),
  version: z.string(),
  fingerprint: z.string(),
  port: z.int(),
  external_url: z.string(),
  cloud_enabled: z.boolean(),
  scheduling_active: z.boolean(),
  service_managed: z.boolean(),
  auth_disabled: z.boolean(),
  config_stale: z.boolean(),
  config_loaded_at: z.string().openapi({ format: "date-time" }),
  resolved_timezone: z.string(),
  timezone_source: z.enum(["config", "system"]),
  tasks: z.array(taskBriefSchema).nullable(),
  capabilities: z.array(capabilitySchema).nullable(),
  adopted: z.int().optional().openapi({
    description: "How many runs outlived an earlier daemon, and were taken over at the start of this one",
  }),
  ended_meanwhile: z.int().optional().openapi({
    description: "How many runs had ended while no daemon was there, at the start of this one",
  }),
  refusing: refusingSchema.optional(),
  trial: trialSchema.optional(),
}).openapi("DaemonInfo");

export const instanceInfoSchema = z.object({
  $schema: z.string().optional().openapi({ format: "uri", readOnly: true }),
  app: z.literal("svc"),
  version: z.string(),
  fingerprint: z.string(),
  pid: z.int(),
  data_dir: z.string(),
  config_path: z.string(),
  socket_path: z.string(),
}).openapi("InstanceInfo");

export const reloadResultSchema = z.object({
  $schema: z.string().optional().openapi({ format: "uri", readOnly: true }),
  added: z.array(z.string()).nullable(),
  removed: z.array(z.string()).nullable(),
  changed: z.array(
    z.object({ name: z.string(), reasons: z.array(z.string()).nullable() }).openapi("ReloadTaskChange"),
  ).nullable(),
}).openapi("ReloadResult");

export type DaemonInfoJson = z.infer<typeof daemonInfoSchema>;
export type RefusingJson = z.infer<typeof refusingSchema>;
export type InstanceInfoJson = z.infer<typeof instanceInfoSchema>;
export type ReloadResultJson = z.infer<typeof reloadResultSchema>;
