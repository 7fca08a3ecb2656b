import type { Context } from "@hono/hono";
import { z } from "@hono/zod-openapi";
import { isLoopback } from "../../core/addresses.ts";
import type { Engine } from "../../engine/engine.ts";
import { Fault } from "../../fault.ts";
import { isOfAnotherSite } from "../auth/browser_marks.ts";
import { isOwnHost } from "../auth/hosts.ts";
import type { DaemonFacts } from "../facts.ts";
import { problem } from "../problems.ts";
import { refusingJson } from "../refusing_json.ts";
import { newRoute } from "../route.ts";
import { type Env, newRouter } from "../router.ts";
import { isoTime } from "../run_json.ts";
import {
  daemonInfoSchema,
  type InstanceInfoJson,
  instanceInfoSchema,
  reloadResultSchema,
} from "../schemas/daemon.ts";
import { answers, flag, json } from "../schemas/request.ts";
import { unitBrief } from "../unit_json.ts";

const health = newRoute({
  method: "get",
  path: "/health",
  operationId: "getHealth",
  summary: "Tell that the daemon answers",
  tags: ["Daemon"],
  responses: answers({ 200: json(z.object({ status: z.literal("ok") }), "The daemon answers") }),
});

const info = newRoute({
  method: "get",
  path: "/api/daemon",
  operationId: "getDaemon",
  summary: "Get the daemon and its units",
  tags: ["Daemon"],
  responses: answers({ 200: json(daemonInfoSchema, "The daemon and its units") }),
});

const identity = newRoute({
  method: "get",
  path: "/api/daemon/identity",
  operationId: "getDaemonIdentity",
  summary: "Tell which daemon holds the port",
  tags: ["Daemon"],
  responses: answers({
    200: json(instanceInfoSchema, "Who holds the port; loopback and control socket only"),
  }),
});

const reload = newRoute({
  method: "post",
  path: "/api/daemon/reload",
  operationId: "reloadDaemon",
  summary: "Reload the configuration",
  tags: ["Daemon"],
  request: { query: z.object({ dry_run: flag }) },
  responses: answers({ 200: json(reloadResultSchema, "What was, or would be, changed") }),
});

const drain = newRoute({
  method: "post",
  path: "/api/daemon/drain",
  operationId: "drainDaemon",
  summary: "Let runs end, then end the daemon",
  tags: ["Daemon"],
  responses: answers({
    202: { description: "Nothing new is started; when the runs of tasks have ended, the daemon ends" },
  }),
});

const handover = newRoute({
  method: "post",
  path: "/api/daemon/handover",
  operationId: "handOverDaemon",
  summary: "End the daemon, and leave what runs to the next",
  tags: ["Daemon"],
  request: { query: z.object({ force: flag, trial: flag }) },
  responses: answers({
    202: { description: "The daemon ends with exit code 75, and what runs goes on for the next one" },
  }),
});

const confirm = newRoute({
  method: "post",
  path: "/api/daemon/confirm",
  operationId: "confirmDaemon",
  summary: "End the trial of a daemon that an upgrade has started",
  tags: ["Daemon"],
  responses: answers({
    204: { description: "The daemon is on trial no more; control socket only" },
  }),
});

const backup = newRoute({
  method: "post",
  path: "/api/daemon/backup",
  operationId: "backupDatabase",
  summary: "Copy the database",
  tags: ["Daemon"],
  responses: answers({
    200: {
      description: "A consistent copy of the database: one SQLite file",
      content: { "application/vnd.sqlite3": { schema: { type: "string" as const, format: "binary" } } },
    },
  }),
});

/** Headers by which a request shows that it came through a proxy on this machine. */
const proxyHeaders = new Set([
  "cf-connecting-ip",
  "cf-connecting-ipv6",
  "client-ip",
  "fastly-client-ip",
  "fly-client-ip",
  "forwarded",
  "true-client-ip",
  "via",
  "x-appengine-user-ip",
  "x-azure-clientip",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-envoy-external-address",
  "x-original-forwarded-for",
  "x-original-host",
  "x-proxyuser-ip",
  "x-real-ip",
]);

/** Whether a request comes from this machine itself, not by a proxy, nor by a page under a name that was made to point here. */
function isDirect(c: Context<Env>, hostNames: readonly string[]): boolean {
  if (c.env.peer.kind === "socket") return true;
  if (!isLoopback(c.env.peer.address) || !isOwnHost(c, { hostNames }) || isOfAnotherSite(c)) return false;
  return [...c.req.raw.headers.keys()].every((name) =>
    !name.startsWith("x-forwarded-") && !proxyHeaders.has(name)
  );
}

/** Routes about the daemon as a whole. */
export function daemonRoutes(engine: Engine, facts: DaemonFacts) {
  return newRouter()
    .openapi(health, (c) => c.json({ status: "ok" as const }, 200))
    .openapi(info, (c) => {
      const { daemon } = engine.config;
      const refusing = refusingJson(engine.refusing);
      return c.json({
        version: facts.version,
        fingerprint: facts.fingerprint,
        port: facts.port(),
        external_url: daemon.externalUrl,
        cloud_enabled: false,
        scheduling_active: engine.isScheduling,
        service_managed: facts.serviceManaged,
        auth_disabled: facts.authDisabled,
        config_stale: facts.isConfigStale(),
        config_loaded_at: isoTime(engine.loadedAt),
        resolved_timezone: engine.timezone,
        timezone_source: daemon.timezone === undefined ? "system" as const : "config" as const,
        tasks: engine.config.units.map((unit) => unitBrief(unit, (name, text) => engine.masked(name, text))),
        capabilities: facts.capabilities,
        ...(engine.trial === undefined ? {} : { trial: { left_behind: engine.trial.leftBehind } }),
        adopted: engine.takenOver.adopted,
        ended_meanwhile: engine.takenOver.endedMeanwhile,
        ...(refusing === undefined ? {} : { refusing }),
      }, 200);
    })
    .openapi(identity, (c) => {
      if (!isDirect(c, facts.auth?.hostNames ?? [])) {
        return problem(c, "forbidden", { detail: "the identity is told on this machine only" }) as never;
      }
      return c.json(instanceInfo(facts), 200);
    })
    .openapi(
      reload,
      async (c) => c.json(await engine.reload({ dryRun: c.req.valid("query").dry_run }), 200),
    )
    .openapi(drain, (c) => {
      engine.drain();
      return c.body(null, 202);
    })
    .openapi(handover, async (c) => {
      const isLocal = c.env.peer.kind === "socket";
      if (facts.pid === 1) {
        throw new Fault(
          "conflict",
          "cannot hand over: the daemon is process 1 here, and with it all would end",
        );
      }
      if (!isLocal && !facts.serviceManaged && !c.req.valid("query").force) {
        throw new Fault(
          "conflict",
          "cannot hand over: no service manager would start the next daemon; say force=true where something else does",
        );
      }
      if (c.req.valid("query").trial) {
        if (!isLocal) throw new Fault("forbidden", "cannot upgrade: that is for the control socket alone");
        if (engine.trial !== undefined) {
          throw new Fault(
            "conflict",
            "cannot upgrade: the daemon is on trial itself; wait until that is over",
          );
        }
        await facts.askForTrial?.();
      }
      engine.handOver();
      return c.body(null, 202);
    })
    .openapi(confirm, async (c) => {
      if (c.env.peer.kind !== "socket") {
        throw new Fault("forbidden", "cannot confirm an upgrade: that is for the control socket alone");
      }
      await engine.confirm();
      return c.body(null, 204);
    })
    .openapi(backup, async (c) => {
      const { size, body } = await engine.backup(facts.dataDir);
      return c.body(body, 200, {
        "content-type": "application/vnd.sqlite3",
        "content-length": String(size),
        "content-disposition": `attachment; filename="${backupName(engine.now())}"`,
      });
    });
}

/** What tells a caller which daemon this is. */
export function instanceInfo(facts: DaemonFacts): InstanceInfoJson {
  return {
    app: "svc",
    version: facts.version,
    fingerprint: facts.fingerprint,
    pid: facts.pid,
    data_dir: facts.dataDir,
    config_path: facts.configPath,
    socket_path: facts.socketPath,
  };
}

/** e.g. "svc-20270115-120000.db", in UTC. */
function backupName(at: number): string {
  return `svc-${isoTime(at).slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-")}.db`;
}
