import type { Engine } from "../../engine/engine.ts";
import type { NewsEvent } from "../../engine/news.ts";
import { refusingJson } from "../refusing_json.ts";
import { noticeJson } from "../notice_json.ts";
import { sampleEventJson } from "../system_json.ts";
import type { EventHub } from "./event_hub.ts";

/** Tells the clients of the event stream what only those hear who listen just now. The result ends it. */
export function relayNews(engine: Engine, events: EventHub): () => void {
  return engine.news.subscribe((news) => send(events, news));
}

function send(events: EventHub, news: NewsEvent): void {
  switch (news.type) {
    case "system.sample":
      return events.broadcast(news.type, sampleEventJson(news));
    case "notification.created":
    case "notification.updated": {
      const { notice, unreadCount } = news;
      const data = { notification: noticeJson(notice), unread_count: unreadCount };
      return events.broadcast(news.type, data, notice.unit);
    }
    case "daemon.refusing":
      return events.broadcast(news.type, { refusing: refusingJson(news.refusing) ?? null });
    case "daemon.handover":
      return events.broadcast(news.type, {});
    case "notification.unread_count":
      return events.broadcast(news.type, { unread_count: news.unreadCount });
  }
}
