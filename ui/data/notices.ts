/// <reference lib="dom" />
import { signal } from "@preact/signals";
import { get } from "../net/api.ts";
import { isGap, onEvents } from "../net/events.ts";

/** Notifications that nobody has read. */
export const unread = signal(0);

export async function loadUnread(): Promise<void> {
  unread.value = (await get("/api/notifications/unread-count")).count;
}

export function watchUnread(): void {
  onEvents((events) => {
    for (const { name, data } of events) {
      if (name.startsWith("notification.")) unread.value = JSON.parse(data).unread_count;
    }
    if (events.some(isGap)) loadUnread().catch(() => {});
  });
}
