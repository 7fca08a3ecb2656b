import { z } from "@hono/zod-openapi";
import { durationWords } from "../../core/time_words.ts";
import type { Engine } from "../../engine/engine.ts";
import { configJson } from "../config_json.ts";
import type { DaemonFacts } from "../facts.ts";
import { newRoute } from "../route.ts";
import { newRouter } from "../router.ts";
import { configSchema } from "../schemas/config.ts";
import { answers, json, time } from "../schemas/request.ts";
import { metricsSchema, systemStatsSchema } from "../schemas/system.ts";
import { sampleJson } from "../system_json.ts";

const hour = 3_600_000;

const stats = newRoute({
  method: "get",
  path: "/api/system",
  operationId: "getSystem",
  summary: "Get the machine and its load",
  tags: ["System"],
  responses: answers({ 200: json(systemStatsSchema, "The machine, and its load at the moment") }),
});

const metrics = newRoute({
  method: "get",
  path: "/api/system/metrics",
  operationId: "getSystemMetrics",
  summary: "Get the machine's load over time",
  tags: ["System"],
  request: { query: z.object({ since: time.optional() }) },
  responses: answers({
    200: json(
      metricsSchema,
      "The machine's load since a time (default: an hour ago), every 5 seconds; what is older than an hour, or " +
        "than the daemon, by minutes for 7 days",
    ),
  }),
});

const config = newRoute({
  method: "get",
  path: "/api/config",
  operationId: "getConfig",
  summary: "Get the configuration in force",
  tags: ["Daemon"],
  responses: answers({
    200: json(configSchema, "The configuration in force, with all defaults and without anything secret"),
  }),
});

/** Routes about the machine, and about what the daemon was told to do on it. */
export function systemRoutes(engine: Engine, facts: DaemonFacts) {
  const mask = (unit: string, text: string): string => engine.masked(unit, text);
  return newRouter()
    .openapi(stats, async (c) => {
      const now = await engine.monitor.current();
      const machine = engine.monitor.machine();
      return c.json({
        // A machine whose counters can't be read has no figures.
        cpu_usage: now?.cpu ?? 0,
        mem_usage: now?.mem ?? 0,
        mem_total: now?.memTotal ?? 0,
        mem_used: now?.memUsed ?? 0,
        uptime: durationWords(engine.monitor.uptime),
        version: facts.version,
        name: "svc",
        cpu_cores: machine.cores,
        host: machine.host,
        os: machine.os,
        arch: machine.arch,
        work_dir: machine.workDir,
      }, 200);
    })
    .openapi(metrics, (c) => {
      const since = c.req.valid("query").since ?? engine.now() - hour;
      return c.json({ samples: engine.monitor.samples(Math.ceil(since / 1000)).map(sampleJson) }, 200);
    })
    .openapi(config, (c) => c.json(configJson(engine.config, { timezone: engine.timezone, mask }), 200));
}
