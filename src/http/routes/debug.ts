import type { Engine } from "../../engine/engine.ts";
import { debugJson } from "../debug_json.ts";
import type { DaemonFacts } from "../facts.ts";
import { problem } from "../problems.ts";
import { newRoute } from "../route.ts";
import { newRouter } from "../router.ts";
import { debugSchema } from "../schemas/debug.ts";
import { answers, json } from "../schemas/request.ts";
import type { Streams } from "../streams/streams.ts";

const debug = newRoute({
  method: "get",
  path: "/api/local/debug",
  operationId: "getLocalDebug",
  summary: "Show what goes on inside the daemon",
  tags: ["Daemon"],
  responses: answers({
    200: json(
      debugSchema,
      "All runs that are not over, who waits for what, timers, memory; control socket only",
    ),
  }),
});

/** The insides of the daemon, for who can open the control socket. */
export function debugRoutes(engine: Engine, facts: DaemonFacts, streams: Streams) {
  return newRouter().openapi(debug, (c) => {
    if (c.env.peer.kind !== "socket") {
      return problem(c, "forbidden", {
        detail: "what goes on inside the daemon is told over the control socket only",
      }) as never;
    }
    const { versions: { deno, v8 }, memory, connections } = facts.process();
    return c.json({
      versions: { svc: facts.version, deno, v8 },
      pid: facts.pid,
      uptime_ms: engine.monitor.uptime,
      memory: {
        rss: memory.rss,
        heap_total: memory.heapTotal,
        heap_used: memory.heapUsed,
        external: memory.external,
      },
      connections,
      streams: streams.open,
      ...debugJson(engine.debug()),
    }, 200);
  });
}
