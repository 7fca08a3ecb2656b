import assert from "node:assert/strict";
import { Ledger, type LedgerEntry } from "../../src/engine/runs/ledger.ts";
import type { Run, Trigger } from "../../src/types.ts";
import { FakeClock } from "../support/fake_clock.ts";

function run(id: string, { unit = "a", trigger = "api" as Trigger } = {}): Run {
  return {
    id,
    unit,
    status: "pending",
    exitCode: 0,
    trigger,
    createdAt: 0,
    isFailure: false,
    retryAttempt: 0,
    instance: 0,
  };
}

function ids(entries: Iterable<LedgerEntry>): string {
  return [...entries].map(({ id }) => id).join(" ");
}

Deno.test("Ledger keeps the runs of a task in the order in which they came, wherever they are", () => {
  const ledger = new Ledger(new FakeClock(0));
  for (const id of ["1", "2", "3", "4"]) ledger.add(run(id), "queued");
  ledger.add(run("5", { unit: "b" }), "queued");
  for (const id of ["1", "2", "3"]) ledger.move(id, "in_line");
  for (const phase of ["launching", "executing", "ending"] as const) ledger.move("1", phase);
  const { admitted, queued } = ledger.of("a");
  assert.deepEqual([ids(admitted), ids(queued), ids(ledger.of("b").queued)], ["1 2 3", "4", "5"]);
});

Deno.test("Ledger puts a run that gives its place back before those that came after it", () => {
  const ledger = new Ledger(new FakeClock(0));
  for (const id of ["1", "2", "3", "4"]) ledger.add(run(id), "queued");
  for (const id of ["1", "2", "3"]) ledger.move(id, "in_line");
  for (const id of ["3", "2"]) ledger.move(id, "queued");
  assert.deepEqual([ids(ledger.of("a").admitted), ids(ledger.of("a").queued)], ["1", "2 3 4"]);
});

Deno.test("Ledger counts as started what has had its turn and is not over", () => {
  const ledger = new Ledger(new FakeClock(0));
  for (const id of ["1", "2", "3"]) ledger.add(run(id), "queued");
  ledger.add(run("life", { unit: "web", trigger: "service" }), "launching");
  ledger.move("1", "in_line");
  assert.equal(ids(ledger.started), "");
  ledger.move("1", "launching");
  assert.equal(ids(ledger.started), "1");
  ledger.move("1", "in_line"); // its start could not be stored
  assert.equal(ids(ledger.started), "");
  ledger.move("1", "launching");
  ledger.move("1", "executing");
  ledger.move("1", "ending");
  assert.equal(ids(ledger.started), "1");
  ledger.remove("1");
  assert.equal(ids(ledger.started), "");
});

Deno.test("Ledger forgets a run that is over; who holds its entry sees that", () => {
  const ledger = new Ledger(new FakeClock(0));
  const entry = ledger.add(run("1"), "executing");
  ledger.replace({ ...entry.run, status: "ended", exitCode: 3 });
  ledger.mark("1", "isStopped");
  assert.deepEqual([ledger.remove("1"), ledger.remove("1")], [true, false]);
  assert.deepEqual([entry.phase, entry.run.exitCode, entry.isStopped], [
    "executing",
    3,
    true,
  ]);
  ledger.move("1", "queued");
  ledger.mark("1", "holdsQueue");
  assert.deepEqual([ledger.get("1"), ids(ledger.all()), ids(ledger.of("a").queued)], [undefined, "", ""]);
});

Deno.test("Ledger does not take the runs of a service for those of a task of its name", () => {
  const ledger = new Ledger(new FakeClock(0));
  ledger.add(run("life", { trigger: "service" }), "executing");
  ledger.add(run("1"), "queued");
  assert.deepEqual([ids(ledger.of("a").admitted), ids(ledger.of("a").queued)], ["", "1"]);
  assert.equal(ids(ledger.all()), "life 1");
});
