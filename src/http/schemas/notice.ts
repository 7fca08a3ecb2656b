import { z } from "@hono/zod-openapi";

const moment = z.string().openapi({ format: "date-time" });
const schemaLink = z.string().optional().openapi({ format: "uri", readOnly: true });

export const noticeSchema = z.object({
  id: z.string(),
  fingerprint: z.string().openapi({ description: "The same for all that may become one row; hex" }),
  kind: z.string(),
  severity: z.enum(["info", "warn", "error"]),
  task_name: z.string().openapi({ description: "Empty for what concerns the daemon" }),
  run_id: z.string().openapi({ description: "Of the newest occurrence; empty where there is no run" }),
  title: z.string(),
  body: z.string().openapi({ description: "Plain text; lines end with a line feed" }),
  count: z.int(),
  occurrences: z.array(moment).nullable().openapi({ description: "Newest first, the newest 50" }),
  created_at: moment,
  last_occurred_at: moment,
  read_at: moment.optional().openapi({ description: "Absent when unread" }),
}).openapi("NotificationDTO");

export const noticesSchema = z.object({
  $schema: schemaLink,
  items: z.array(noticeSchema).nullable().openapi({ description: "Newest first" }),
  next_cursor: z.string().openapi({ description: "For before, on the next page; empty at the end" }),
}).openapi("NotificationsListBody");

export const unreadSchema = z.object({ $schema: schemaLink, count: z.int() }).openapi(
  "NotificationUnreadBody",
);

export const notifierTestSchema = z.object({
  $schema: schemaLink,
  delivered: z.boolean(),
  error: z.string().openapi({ description: "Empty when it was delivered" }),
}).openapi("NotifierTestBody");

const noticeEvent = z.object({ notification: noticeSchema, unread_count: z.int() });

/** Data of the events about notifications. */
export const noticeEventSchemas = [
  noticeEvent.openapi("NotificationCreatedEvent"),
  noticeEvent.openapi("NotificationUpdatedEvent"),
  z.object({ unread_count: z.int() }).openapi("NotificationUnreadCountEvent"),
] as const;

export type NoticeJson = z.infer<typeof noticeSchema>;
