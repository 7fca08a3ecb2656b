import { z } from "@hono/zod-openapi";
import type { Auth } from "../auth/auth.ts";
import { newRoute } from "../route.ts";
import { newRouter } from "../router.ts";
import { daemonLineSchema, eventSchemas } from "../schemas/log.ts";
import { answers, eventStream, lastEventId } from "../schemas/request.ts";
import type { Streams } from "../streams/streams.ts";

const events = newRoute({
  method: "get",
  path: "/api/events/stream",
  operationId: "streamEvents",
  summary: "Follow events",
  tags: ["Events"],
  request: { query: z.object({ task_name: z.string().optional() }), headers: lastEventId },
  responses: answers({ 200: eventStream(eventSchemas, "What happens, as it happens") }),
});

const daemonLog = newRoute({
  method: "get",
  path: "/api/daemon/log/stream",
  operationId: "streamDaemonLog",
  summary: "Follow the daemon's own log",
  tags: ["Events"],
  responses: answers({ 200: eventStream(daemonLineSchema, "The daemon's own log: 200 lines, then live") }),
});

/** Streams of what happens in the daemon. */
export function eventRoutes(streams: Streams, auth: Auth) {
  return newRouter()
    .openapi(events, (c) => {
      const unit = c.req.valid("query").task_name;
      // What isn't a number is no id of ours: the ring can't tell what came after it.
      const last = c.req.valid("header")["last-event-id"];
      const lastId = last === undefined ? undefined : /^\d+$/.test(last) ? Number(last) : NaN;
      return streams.openEvents(c, {
        auth,
        ...(unit ? { unit } : {}),
        ...(lastId === undefined ? {} : { lastId }),
      });
    })
    .openapi(daemonLog, (c) => streams.openDaemonLog(c, { auth }));
}
