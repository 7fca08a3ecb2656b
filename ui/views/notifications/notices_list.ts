import type { NoticeJson } from "../../../src/http/schemas/notice.ts";
import type { Role } from "../../../src/core/words.ts";

export type Notice = NoticeJson;

/** Notices that are kept at most; older ones can be read again from the daemon. */
export const most = 1000;

/** Puts notices among others, those that are known in place of what was known; newest happening first. */
export function merged(known: readonly Notice[], fresh: readonly Notice[]): readonly Notice[] {
  const byId = new Map(known.map((notice) => [notice.id, notice]));
  for (const notice of fresh) byId.set(notice.id, notice);
  return [...byId.values()]
    .sort((a, b) => Date.parse(b.last_occurred_at) - Date.parse(a.last_occurred_at) || (a.id < b.id ? 1 : -1))
    .slice(0, most);
}

/** Marks notices as read, or as unread. `at`: RFC 3339. */
export function marked(
  known: readonly Notice[],
  { ids, at }: { ids: ReadonlySet<string> | "all"; at: string | undefined },
): readonly Notice[] {
  return known.map((notice) => {
    if (ids !== "all" && !ids.has(notice.id)) return notice;
    const { read_at, ...rest } = notice;
    if (at === undefined) return rest;
    return read_at === undefined ? { ...rest, read_at: at } : notice;
  });
}

/** What the address wants to see. */
export interface NoticeFilter {
  isUnreadOnly: boolean;
  kind: string;
}

export function filterOf(query: URLSearchParams): NoticeFilter {
  return { isUnreadOnly: query.get("show") === "unread", kind: query.get("kind") ?? "" };
}

export function filtered(known: readonly Notice[], { isUnreadOnly, kind }: NoticeFilter): Notice[] {
  return known.filter((notice) =>
    (!isUnreadOnly || notice.read_at === undefined) && (kind === "" || notice.kind === kind)
  );
}

/** The kinds of notices, and how they are called. */
export const kinds: Readonly<Record<string, string>> = {
  "run.failed": "run failed",
  "run.timeout": "run timed out",
  "run.crashed": "run crashed",
  "run.missed": "run missed",
  "run.recovered": "works again",
  "run.succeeded": "run succeeded",
  "run.overdue": "overdue",
  "run.slow": "slow run",
  "service.failing": "service failing",
  "service.fatal": "service fatal",
  "service.unhealthy": "service unhealthy",
  "service.blocked": "service blocked",
  "log.disk_pressure": "disk nearly full",
  "notify.delivery_failed": "not told",
  "config.stale": "configuration changed",
};

/** A severity: mark, word and colour. */
export function severityOf(
  { severity }: Pick<Notice, "severity">,
): { mark: string; word: string; role: Role } {
  if (severity === "error") return { mark: "✕", word: "error", role: "bad" };
  if (severity === "warn") return { mark: "!", word: "warning", role: "warn" };
  return { mark: "·", word: "info", role: "muted" };
}

/** Whether a text is longer than what is shown of it at first: four lines of about the width of the page. */
export function isLong(body: string): boolean {
  return body.split("\n").length > 4 || body.length > 480;
}
