import assert from "node:assert/strict";
import type { Run } from "../../ui/data/runs.ts";
import { BulkBar, stoppedWords } from "../../ui/views/runs/bulk.tsx";
import { FilterBar } from "../../ui/views/runs/filter_bar.tsx";
import { GridHead, RunRow } from "../../ui/views/runs/grid.tsx";
import { NoRuns } from "../../ui/views/runs/runs.tsx";
import { textOf } from "./text.ts";

const none = (): void => {};
const run: Run = {
  id: "01KBTESTRUN00000000ABCDEFG",
  task_name: "backup",
  status: "ended",
  exit_code: 3,
  triggered_by: "cron",
  created_at: "2026-03-01T02:00:00Z",
  start_at: "2026-03-01T02:00:00Z",
  end_at: "2026-03-01T02:04:07Z",
  end_reason: "failed",
  retry_attempt: 2,
  instance_index: 0,
};

Deno.test("RunRow tells a run in one line", () => {
  const row = (
    <RunRow
      index={4}
      run={run}
      isSelected
      isGone={false}
      isStop
      isSeen
      onOpen={none}
      onSelect={none}
      onFocus={none}
    />
  );
  // The time is that of this machine's zone.
  const text = textOf(row).replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, "TIME");
  assert.equal(text, "[______] ✕ failed (3) [backup] […BCDEFG] cron TIME 4 m 07 s 3 retry 2");
});

Deno.test("GridHead names the sorted column and its direction", () => {
  const query = new URLSearchParams("sort_field=duration&sort_direction=desc");
  const head = <GridHead query={query} chosen="none" onSort={none} onAll={none} />;
  assert.equal(
    textOf(head),
    "[______] [State ] [Unit ] Run Trigger [Created ] [Duration ↓ ] [Exit ] Attempt",
  );
});

Deno.test("FilterBar shows what is set, and offers to clear it", () => {
  const query = new URLSearchParams("search=db&status=failed");
  const bar = <FilterBar query={query} names={["backup"]} zone="UTC" onChange={none} />;
  const text = textOf(bar);
  assert.ok(text.includes("[Filters (2)]"), text);
  assert.ok(text.includes("[Clear all]"), text);
  assert.ok(
    !textOf(<FilterBar query={new URLSearchParams()} names={[]} zone="UTC" onChange={none} />)
      .includes("Clear all"),
  );
});

Deno.test("BulkBar counts what is selected, and offers all that match", () => {
  const bar = (total: number | undefined) => (
    <BulkBar
      count={2}
      total={total}
      onAll={none}
      onClear={none}
      onDelete={none}
      onStop={none}
      onRerun={none}
    />
  );
  assert.equal(
    textOf(bar(100_000)),
    "2 runs selected [Select all 100,000 runs that match] [Rerun][Stop][Delete][Clear]",
  );
  assert.equal(textOf(bar(undefined)), "2 runs selected [Rerun][Stop][Delete][Clear]");
});

Deno.test("stoppedWords() says what was stopped and what had ended", () => {
  assert.equal(stoppedWords(0, 3), "None of these runs was active");
  assert.equal(stoppedWords(1, 0), "1 run is being stopped");
  assert.equal(stoppedWords(4, 2), "4 runs are being stopped; 2 had ended before");
});

Deno.test("NoRuns tells no runs at all from none that match", () => {
  assert.equal(textOf(<NoRuns isFiltered onClear={none} />), "No run matches these filters\n[Clear filters]");
  assert.equal(
    textOf(<NoRuns isFiltered={false} onClear={none} />),
    "Nothing has run yet\nEach execution of a task or service becomes a row here, with its log.",
  );
});
