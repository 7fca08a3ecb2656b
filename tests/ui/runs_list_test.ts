import assert from "node:assert/strict";
import type { Run } from "../../ui/data/runs.ts";
import {
  askOf,
  chips,
  chipState,
  countFilters,
  matcherOf,
  nextSort,
  selectorFilter,
  toggleChip,
} from "../../ui/views/runs/filters.ts";
import { RunList } from "../../ui/views/runs/run_list.ts";
import { addAll, countOf, nothing, selectorOf, toggle, without } from "../../ui/views/runs/selection.ts";
import { windowOf } from "../../ui/views/runs/window.ts";

const run = (n: number, rest: Partial<Run> = {}): Run => ({
  id: `01M${String(n).padStart(23, "0")}`,
  task_name: "backup",
  status: "ended",
  exit_code: 0,
  triggered_by: "cron",
  created_at: new Date(1_790_000_000_000 + n * 1000).toISOString(),
  retry_attempt: 0,
  instance_index: 0,
  end_reason: "success",
  ...rest,
});
const failed = chips.find(({ label }) => label === "failed")!;

Deno.test("toggleChip() adds all states of a chip, or takes them away", () => {
  assert.equal(toggleChip(failed, "pending"), "pending,failed,timeout,crashed,start_failed,log_overflow");
  assert.equal(toggleChip(failed, toggleChip(failed, "pending")), "pending");
  assert.equal(chipState(failed, "timeout"), "mixed");
  assert.equal(chipState(failed, null), false);
});

Deno.test("askOf() passes the filters of the address on, and turns a range into a time", () => {
  const query = new URLSearchParams("status=failed&range=1h&search=&sort_field=duration&from=x");
  assert.deepEqual(askOf(query, Date.parse("2027-01-15T12:00:00Z")), {
    status: "failed",
    sort_field: "duration",
    created_after: "2027-01-15T11:00:00.000Z",
  });
  assert.equal(countFilters(query), 2);
});

Deno.test("selectorFilter() speaks the selector's types, and leaves out what comes later", () => {
  const ask = askOf(new URLSearchParams("exit_code_min=3&retries_only=true&sort_field=duration"), 0);
  assert.deepEqual(selectorFilter(ask, 0), {
    exit_code_min: 3,
    retries_only: true,
    created_before: "1970-01-01T00:00:00.000Z",
  });
});

Deno.test("nextSort() goes one way, the other, and back to newest first", () => {
  const none = { sort_field: undefined, sort_direction: undefined };
  assert.deepEqual(nextSort(new URLSearchParams(), "duration"), {
    sort_field: "duration",
    sort_direction: "desc",
  });
  const up = { sort_field: "duration", sort_direction: "asc" };
  assert.deepEqual(nextSort(new URLSearchParams("sort_field=duration&sort_direction=desc"), "duration"), up);
  assert.deepEqual(nextSort(new URLSearchParams("sort_field=duration"), "duration"), none);
  assert.deepEqual(nextSort(new URLSearchParams(), "created_at"), {
    sort_field: "created_at",
    sort_direction: "asc",
  });
});

Deno.test("matcherOf() knows which run of an event belongs in the list", () => {
  const isMine = matcherOf({ status: "failed,pending", task_name: "backup", exit_code_min: "2" });
  assert.equal(isMine(run(1, { end_reason: "failed", exit_code: 3 })), true);
  assert.equal(isMine(run(1, { end_reason: "failed", exit_code: 1 })), false);
  assert.equal(isMine(run(1)), false);
  assert.equal(matcherOf({ triggered_by: "cloud" })(run(1, { triggered_by: "cloud" })), true);
  assert.equal(matcherOf({ status: "nonsense" })(run(1)), false);
});

Deno.test("A selection counts, changes, and becomes a selector", () => {
  const some = addAll(toggle(nothing, "a"), ["b", "c"]);
  assert.equal(countOf(some), 3);
  assert.deepEqual(selectorOf(without(toggle(some, "a"), new Set(["c"]))), { ids: ["b"] });
  const all = toggle({ kind: "all", except: new Set(), total: 10, filter: { status: "failed" } }, "a");
  assert.equal(countOf(all), 9);
  assert.deepEqual(selectorOf(all), { match_all: true, filter: { status: "failed" }, except_ids: ["a"] });
  assert.equal(countOf(addAll(all, ["a"])), 10);
});

Deno.test("windowOf() draws what is seen and a little more", () => {
  const at = windowOf({ scrollTop: 3210, viewHeight: 320, rowHeight: 32, total: 1000, overscan: 5 });
  assert.deepEqual(at, { first: 95, last: 116, seenFirst: 100, seenLast: 111, height: 32_000, top: 3040 });
});

Deno.test("windowOf() reaches the first and the last row of a list taller than a browser allows", () => {
  const place = { viewHeight: 640, rowHeight: 32, total: 5_000_000, overscan: 0 };
  assert.equal(windowOf({ ...place, scrollTop: 0 }).first, 0);
  const { height } = windowOf({ ...place, scrollTop: 0 });
  assert.equal(height, 12_000_000);
  const end = windowOf({ ...place, scrollTop: height - 640 });
  assert.deepEqual([end.first, end.last], [4_999_980, 5_000_000]);
  assert.equal(end.top + 20 * 32, height);
});

/** A daemon with runs 0 to `count - 1`, newest first. */
function source(count: number) {
  const all = Array.from({ length: count }, (_, n) => run(n)).reverse();
  const asked: [number, number][] = [];
  return {
    all,
    asked,
    ask: (offset: number, limit: number) => {
      asked.push([offset, limit]);
      return Promise.resolve({ runs: all.slice(offset, offset + limit), total: all.length });
    },
    isMine: () => true,
    isNewestFirst: true,
  };
}
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

Deno.test("RunList reads the pages that are seen, and forgets those far away", async () => {
  const from = source(20_000);
  const list = new RunList(from);
  list.want(0, 30);
  await settled();
  assert.equal(list.total, 20_000);
  assert.equal(list.rowAt(0)?.id, run(19_999).id);
  for (let page = 1; page < 60; page++) {
    list.want(page * 200, page * 200 + 30);
    await settled();
  }
  assert.equal(list.rowAt(0), undefined);
  assert.equal(list.rowAt(59 * 200)?.id, run(19_999 - 59 * 200).id);
  assert.ok(from.asked.every(([, limit]) => limit === 200));
  list.close();
});

Deno.test("RunList lets rows stand still while it is held, and counts what comes", async () => {
  const from = source(1000);
  const list = new RunList(from);
  list.want(0, 30);
  await settled();
  list.isHeld = true;
  from.all.unshift(run(1000));
  list.take([{ run: run(1000, { status: "running" }) }, { run: run(1000) }]);
  list.want(200, 230);
  await settled();
  assert.equal(list.arrived.value, 1);
  assert.equal(list.rowAt(0)?.id, run(999).id);
  assert.equal(list.rowAt(200)?.id, run(799).id);
  assert.equal(list.total, 1000);
  list.want(0, 30);
  list.showArrived();
  await settled();
  assert.equal(list.rowAt(0)?.id, run(1000).id);
  assert.equal(list.total, 1001);
  list.close();
});

Deno.test("RunList changes a row in place, and marks what is gone until it has read again", async () => {
  const from = source(10);
  const list = new RunList(from);
  list.want(0, 10);
  await settled();
  list.take([{ run: run(3, { end_reason: "failed", exit_code: 1 }) }]);
  assert.equal(list.find(run(3).id)?.end_reason, "failed");
  list.markGone(new Set([run(3).id]));
  assert.ok(list.gone.has(run(3).id));
  list.refresh();
  await settled();
  assert.equal(list.gone.size, 0);
  assert.deepEqual(await list.idsBetween(2, 0), [run(9).id, run(8).id, run(7).id]);
  list.close();
});

Deno.test("RunList says why it could not read, and asks no further until it is told to", async () => {
  const list = new RunList({
    ask: () => Promise.reject(new Error("no such status")),
    isMine: () => true,
    isNewestFirst: true,
  });
  list.want(0, 10);
  await settled();
  assert.equal(list.error, "no such status");
  list.close();
});
