import { z } from "@hono/zod-openapi";
import { BUILT_IN_NOTIFIER } from "../../core/config/notify_schema.ts";
import type { Engine } from "../../engine/engine.ts";
import { noticeJson } from "../notice_json.ts";
import { newRoute } from "../route.ts";
import { newRouter } from "../router.ts";
import { noticesSchema, notifierTestSchema, unreadSchema } from "../schemas/notice.ts";
import { answers, json, wholeNumber } from "../schemas/request.ts";

const idPath = z.object({ id: z.string().openapi({ param: { name: "id", in: "path" } }) });

const list = newRoute({
  method: "get",
  path: "/api/notifications",
  operationId: "listNotifications",
  summary: "List notifications",
  tags: ["Notifications"],
  request: {
    query: z.object({
      limit: wholeNumber({ min: 1, max: 500, default: 50 }),
      before: z.string().optional().openapi({ description: "next_cursor of the page before" }),
    }),
  },
  responses: answers({ 200: json(noticesSchema, "A page of notifications, newest first") }),
});

const unreadCount = newRoute({
  method: "get",
  path: "/api/notifications/unread-count",
  operationId: "countUnreadNotifications",
  summary: "Count unread notifications",
  tags: ["Notifications"],
  responses: answers({ 200: json(unreadSchema, "How many notifications are unread") }),
});

const readAll = newRoute({
  method: "post",
  path: "/api/notifications/read",
  operationId: "markAllNotificationsRead",
  summary: "Mark all notifications as read",
  tags: ["Notifications"],
  responses: answers({ 204: { description: "All are read" } }),
});

const read = newRoute({
  method: "post",
  path: "/api/notifications/{id}/read",
  operationId: "markNotificationRead",
  summary: "Mark a notification as read",
  tags: ["Notifications"],
  request: { params: idPath },
  responses: answers({ 204: { description: "It is read" } }),
});

const unread = newRoute({
  method: "post",
  path: "/api/notifications/{id}/unread",
  operationId: "markNotificationUnread",
  summary: "Mark a notification as unread",
  tags: ["Notifications"],
  request: { params: idPath },
  responses: answers({ 204: { description: "It is unread" } }),
});

const testNotifier = newRoute({
  method: "post",
  path: "/api/notifiers/{id}/test",
  operationId: "testNotifier",
  summary: "Send a test message",
  tags: ["Notifications"],
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
