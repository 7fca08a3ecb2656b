import assert from "node:assert/strict";
import { now } from "../../../ui/data/clock.ts";
import { GoneRun, RunHead } from "../../../ui/views/run/run.tsx";
import { around } from "../../../ui/views/run/run_data.ts";
import { runWith } from "../log/run_with.ts";
import { textOf } from "../text.ts";

const alone = { retries: [] };

Deno.test("RunHead tells all that is known of a run that has ended", () => {
  now.value = Date.parse("2027-01-15T12:10:00Z");
  const run = runWith({
    status: "ended",
    exit_code: 3,
    end_reason: "failed",
    start_at: "2027-01-15T12:00:05Z",
    end_at: "2027-01-15T12:04:12Z",
    retry_attempt: 2,
    retry_of_run_id: "01KB000000000000000FIRST01",
    peak_memory_bytes: 1_500_000,
    cpu_time_ms: 61_000,
    adopted_at: "2027-01-15T12:02:00Z",
    params: { TARGET: "eu-west", EMPTY: "" },
  });
  const older = runWith({ id: "01KA" });
  assert.equal(
    textOf(<RunHead run={run} neighbours={{ ...alone, before: older }} isService={false} />),
    `[backup]
✕ failed (3) [Copy the id 01KB00000000000000000000AA]
[Run before] ›
[Rerun][Delete]
Exit code
3
Started by
a request
Started
9 m ago
Note
taken over from an earlier daemon 8 m ago
Waited
5.0 s
Ended
5 m ago
Took
4 m 07 s
Attempt
retry 2 of [run …IRST01]
Peak memory
1.5 MB
CPU time
1 m 01 s
TARGET
eu-west
EMPTY
(empty)`,
  );
});

Deno.test("RunHead shows a run of a service that executes, and what can be done with it", () => {
  now.value = Date.parse("2027-01-15T12:00:12Z");
  const run = runWith({
    status: "running",
    triggered_by: "service",
    start_at: "2027-01-15T12:00:00Z",
    instance_index: 1,
  });
  assert.equal(
    textOf(<RunHead run={run} neighbours={alone} isService />),
    `[backup]
◐ running [Copy the id 01KB00000000000000000000AA]
‹ ›
[Stop]
Started by
its service
Started
12 s ago
Runs for
12 s
Instance
2`,
  );
});

Deno.test("RunHead says why a run never executed, and names the retries of one", () => {
  const skipped = runWith({ exit_code: -1, end_reason: "skipped" });
  assert.match(
    textOf(<RunHead run={skipped} neighbours={alone} isService={false} />),
    /It did not run: it was running at its limit already\.\nStarted by\na request\nRecorded\n/,
  );
  const retry = runWith({ id: "01KC", retry_attempt: 1, end_reason: "success" });
  assert.match(
    textOf(<RunHead run={runWith({})} neighbours={{ retries: [retry] }} isService={false} />),
    /\nRetries\n\[1\] ✓ ok/,
  );
});

Deno.test("GoneRun says that there is no such run", () => {
  assert.equal(
    textOf(<GoneRun id="nope" />),
    "Run\nThere is no such run\nNothing is known of nope . It was deleted, or it is older than what is kept.\n[All runs]",
  );
});

Deno.test("around() finds the runs next to one, and its retries, among those of one moment", () => {
  const [a, b, c, d] = ["A", "B", "C", "D"].map((id) => runWith({ id }));
  const retry = runWith({ id: "E", retry_of_run_id: "B" });
  const other = runWith({ id: "F", retry_of_run_id: "A" });
  assert.deepEqual(around(b!, { older: [c!, b!, a!], newer: [a!, b!, c!, d!], retries: [retry, other] }), {
    before: a,
    after: c,
    retries: [retry],
  });
  assert.deepEqual(around(a!, { older: [a!], newer: [a!], retries: [] }), { retries: [] });
});
