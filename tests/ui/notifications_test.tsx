import assert from "node:assert/strict";
import { NoNotices, NoticeFilters } from "../../ui/views/notifications/notifications.tsx";
import {
  filtered,
  filterOf,
  marked,
  merged,
  most,
  type Notice,
} from "../../ui/views/notifications/notices_list.ts";
import { NoticeRow } from "../../ui/views/notifications/notice_row.tsx";
import { NotifierList } from "../../ui/views/notifications/notifiers.tsx";
import { textOf } from "./text.ts";

const notice = (n: number, rest: Partial<Notice> = {}): Notice => ({
  id: `N${n}`,
  fingerprint: "f",
  kind: "run.failed",
  severity: "error",
  task_name: "backup",
  run_id: `R${n}`,
  title: 'Task "backup" failed',
  body: "exit code 1 after 4.0 s\nlast line: no space left",
  count: 1,
  occurrences: ["2026-03-01T02:00:00Z"],
  created_at: "2026-03-01T02:00:00Z",
  last_occurred_at: new Date(Date.parse("2026-03-01T02:00:00Z") + n * 1000).toISOString(),
  ...rest,
});
const none = (): void => {};

Deno.test("merged() puts what has happened last first, each notice once, and has an end", () => {
  const list = merged([notice(1), notice(2)], [
    notice(1, { last_occurred_at: "2026-03-02T00:00:00Z", count: 2 }),
  ]);
  assert.deepEqual(list.map(({ id, count }) => [id, count]), [["N1", 2], ["N2", 1]]);
  assert.equal(merged([], Array.from({ length: most + 10 }, (_, n) => notice(n))).length, most);
});

Deno.test("marked() marks some or all as read, and some as unread", () => {
  const all = marked([notice(1), notice(2, { read_at: "before" })], { ids: "all", at: "now" });
  assert.deepEqual(all.map(({ read_at }) => read_at), ["now", "before"]);
  const some = marked(all, { ids: new Set(["N2"]), at: undefined });
  assert.deepEqual(some.map(({ read_at }) => read_at), ["now", undefined]);
});

Deno.test("filtered() keeps what the address wants", () => {
  const list = [notice(1), notice(2, { read_at: "x" }), notice(3, { kind: "run.missed" })];
  const ids = (query: string) => filtered(list, filterOf(new URLSearchParams(query))).map(({ id }) => id);
  assert.deepEqual(ids(""), ["N1", "N2", "N3"]);
  assert.deepEqual(ids("show=unread"), ["N1", "N3"]);
  assert.deepEqual(ids("show=unread&kind=run.missed"), ["N3"]);
});

Deno.test("NoticeRow tells what happened, how often, and leads to it", () => {
  const row = (rest: Partial<Notice>) =>
    textOf(<NoticeRow notice={notice(1, rest)} onMark={none} isOpen />).replaceAll(
      /2026-03-01 \d\d:00/g,
      "TIME",
    );
  assert.equal(
    row({}),
    `✕ error
Task "backup" failed
exit code 1 after 4.0 s
last line: no space left
[Run][backup] run failed
TIME [Mark read]`,
  );
  assert.equal(
    row({
      severity: "warn",
      kind: "service.failing",
      count: 60,
      occurrences: ["2026-03-01T02:00:00Z"],
      run_id: "",
      body: "1\n2\n3\n4\n5",
      read_at: "2026-03-01T03:00:00Z",
    }),
    `! warning
Task "backup" failed
1
2
3
4
5
[backup] service failing [60 times][Less]
TIME
and 59 times before
TIME [Mark unread]`,
  );
});

Deno.test("NoNotices tells nothing at all from nothing unread", () => {
  const text = (isUnreadOnly: boolean, kind: string) => textOf(<NoNotices filter={{ isUnreadOnly, kind }} />);
  assert.equal(text(true, ""), "You have read everything");
  assert.equal(text(false, "run.missed"), "None of this kind\n[Show all]");
  assert.ok(text(false, "").startsWith("Nothing to tell\n"));
  assert.ok(textOf(<NoticeFilters filter={{ isUnreadOnly: true, kind: "" }} />).startsWith("[all][unread]"));
});

Deno.test("NotifierList says what came of a test", () => {
  const list = (
    <NotifierList
      notifiers={[{ id: "ops", type: "webhook" }, { id: "mail", type: "email" }]}
      tested={{ ops: { delivered: false, error: "no answer" }, mail: { delivered: true, error: "" } }}
      onTest={none}
    />
  );
  assert.equal(
    textOf(list),
    "Notifiers\nops webhook ✕ no answer [Send a test]\nmail email ✓ delivered [Send a test]",
  );
});
