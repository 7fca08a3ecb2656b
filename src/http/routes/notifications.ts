import { createRoute, z } from "@hono/zod-openapi";
import { BUILT_IN_NOTIFIER } from "../../core/config/notify_schema.ts";
import type { Engine } from "../../engine/engine.ts";
import { noticeJson } from "../notice_json.ts";
import { newRouter } from "../router.ts";
import { noticesSchema, notifierTestSchema, unreadSchema } from "../schemas/notice.ts";
import { answers, json, wholeNumber } from "../schemas/request.ts";

const idPath = z.object({ id: z.string().openapi({ param: { name: "id", in: "path" } }) });

const list = createRoute({
  method: "get",
  path: "/api/notifications",
  request: {
    query: z.object({
      limit: wholeNumber({ min: 1, max: 500, default: 50 }),
      before: z.string().optional().openapi({ description: "next_cursor of the page before" }),
    }),
  },
  responses: answers({ 200: json(noticesSchema, "A page of notifications, newest first") }),
});

const unreadCount = createRoute({
  method: "get",
  path: "/api/notifications/unread-count",
  responses: answers({ 200: json(unreadSchema, "How many notifications are unread") }),
});

const readAll = createRoute({
  method: "post",
  path: "/api/notifications/read",
  responses: answers({ 204: { description: "All are read" } }),
});

const read = createRoute({
  method: "post",
  path: "/api/notifications/{id}/read",
  request: { params: idPath },
  responses: answers({ 204: { description: "It is read" } }),
});

const unread = createRoute({
  method: "post",
  path: "/api/notifications/{id}/unread",
  request: { params: idPath },
  responses: answers({ 204: { description: "It is unread" } }),
});

const testNotifier = createRoute({
  method: "post",
  path: "/api/notifiers/{id}/test",
  request: { params: idPath },
  responses: answers({ 200: json(notifierTestSchema, "Whether a message was delivered, else why not") }),
});

/** The bell, and those that carry notices elsewhere. */
export function notificationRoutes(engine: Engine) {
  return newRouter()
    .openapi(list, (c) => {
      const { limit, before } = c.req.valid("query");
      const { notices, next } = engine.bell.list({ limit, ...(before ? { before } : {}) });
      return c.json({ items: notices.map(noticeJson), next_cursor: next }, 200);
    })
    .openapi(unreadCount, (c) => c.json({ count: engine.bell.unreadCount() }, 200))
    .openapi(readAll, (c) => {
      engine.bell.readAll();
      return c.body(null, 204);
    })
    .openapi(read, (c) => {
      engine.bell.mark(c.req.valid("param").id, { isRead: true });
      return c.body(null, 204);
    })
    .openapi(unread, (c) => {
      engine.bell.mark(c.req.valid("param").id, { isRead: false });
      return c.body(null, 204);
    })
    .openapi(testNotifier, async (c) => {
      const { id } = c.req.valid("param");
      if (id !== BUILT_IN_NOTIFIER) return c.json(await engine.courier.test(id), 200);
      const error = `nothing was sent to "${id}": it is the bell of this daemon, and needs no sender`;
      return c.json({ delivered: false, error }, 200);
    });
}
