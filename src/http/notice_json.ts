import type { Notice } from "../core/notices.ts";
import { isoTime } from "./run_json.ts";
import type { NoticeJson } from "./schemas/notice.ts";

/** A row of the bell. */
export function noticeJson(notice: Notice): NoticeJson {
  return {
    id: notice.id,
    fingerprint: notice.fingerprint,
    kind: notice.kind,
    severity: notice.severity,
    task_name: notice.unit,
    run_id: notice.runId,
    title: notice.title,
    body: notice.body,
    count: notice.count,
    occurrences: notice.occurrences.map(isoTime),
    created_at: isoTime(notice.createdAt),
    last_occurred_at: isoTime(notice.lastOccurredAt),
    ...(notice.readAt === undefined ? {} : { read_at: isoTime(notice.readAt) }),
  };
}
