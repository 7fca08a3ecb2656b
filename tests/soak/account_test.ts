import assert from "node:assert/strict";
import { Account, type SeenRun } from "./account.ts";

const start = Date.UTC(2027, 0, 15);

function run(n: number, fields: Partial<SeenRun> = {}): SeenRun {
  const created_at = new Date(start + n * 1000).toISOString();
  return { id: `run-${n}`, task_name: "tick", status: "ended", created_at, end_reason: "success", ...fields };
}

/** Three runs of which everything was told; `tell` may tell more or less. */
function told(tell: { events?: [string, number][]; rows?: SeenRun[]; ledger?: number[] }): string[] {
  const account = new Account();
  const events = tell.events ?? [0, 1, 2].flatMap((n) => [["run.created", n], ["run.completed", n]] as const);
  events.forEach(([name, n], id) =>
    account.event(name, { id: String(id), data: JSON.stringify({ run: run(n) }) })
  );
  account.ticks(tell.rows ?? [0, 1, 2].map((n) => run(n)));
  return account.complaints({ ledger: (tell.ledger ?? [0, 1, 2]).map((n) => `run-${n}`), signing: ["tick"] });
}

Deno.test("Account has no complaint where all is as it should be", () => {
  assert.deepEqual(told({}), []);
});

Deno.test("Account complains of runs that were executed twice, never, or behind everybody's back", () => {
  assert.deepEqual(told({ ledger: [0, 1, 1, 2] }), ["run run-1 was executed 2 times"]);
  assert.deepEqual(told({ ledger: [0, 2] }), ["run run-1 of tick was never executed"]);
  assert.deepEqual(told({ ledger: [0, 1, 2, 3] }), ["run run-3 was executed, and no event told of it"]);
});

Deno.test("Account complains of runs without an end, and with two", () => {
  assert.deepEqual(told({ events: [["run.created", 0]], ledger: [0], rows: [run(0)] }), [
    "run run-0 of tick has no end",
  ]);
  const twice: [string, number][] = [["run.created", 0], ["run.failed", 0], ["run.completed", 0]];
  assert.deepEqual(told({ events: twice, ledger: [0], rows: [run(0)] }), [
    "run run-0 of tick was ended twice",
  ]);
});

Deno.test("Account complains of seconds without a run, with two, and of runs that went wrong", () => {
  assert.deepEqual(told({ rows: [run(0), run(2)] }), ["no run after 2027-01-15T00:00:00.000Z"]);
  assert.deepEqual(told({ rows: [run(0), run(1), run(1, { id: "other" })] }), [
    "two runs after 2027-01-15T00:00:01.000Z",
  ]);
  assert.deepEqual(told({ rows: [run(0), run(1, { end_reason: "queue_full" })] }), [
    "run run-1 of tick is ended, queue_full",
  ]);
});

Deno.test("Account complains of events that are missing in the stream", () => {
  const account = new Account();
  for (const id of ["5", "6", "8"]) account.event("tasks.changed", { id, data: "{}" });
  account.event("ping", { id: undefined, data: "{}" });
  assert.deepEqual(account.complaints({ ledger: [], signing: [] }), ["event 8 came after 6"]);
});
