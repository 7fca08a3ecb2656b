import assert from "node:assert/strict";
import { Store } from "../../../src/io/store/store.ts";
import type { Run } from "../../../src/types.ts";
import { noon, run } from "../../support/units.ts";

/** A store in memory that is closed when the test ends. */
function memory(runs: (Partial<Run> & { id: string })[] = []): Store & Disposable {
  const store = new Store(":memory:");
  for (const own of runs) store.runs.insert(run(own));
  return Object.assign(store, { [Symbol.dispose]: () => store.close() });
}

const ended = { status: "ended", endReason: "success" } as const;

Deno.test("RunStore gives back every field as it was stored, and absent ones as absent", () => {
  const full: Run = {
    id: "R1",
    unit: "a.b:c",
    status: "ended",
    exitCode: -2,
    trigger: "hook",
    createdAt: noon,
    startedAt: noon + 1,
    endedAt: noon + 2,
    endReason: "crashed",
    isFailure: true,
    retryAttempt: 3,
    retryOf: "R0",
    instance: 7,
    params: { A: "", "--b": "ü\n" },
    error: "no",
    peakMemoryBytes: 2 ** 40,
    cpuTimeMs: 12,
    adoptedAt: noon + 1,
  };
  using store = memory([full, run({ id: "R2" })]);
  assert.deepEqual(store.runs.get("R1"), full);
  assert.deepEqual(store.runs.get("R2"), run({ id: "R2" }));
  assert.equal(store.runs.get("R3"), undefined);
});

Deno.test("RunStore.update() stores what changes in a run's life", () => {
  using store = memory([{ id: "R1" }]);
  const later = run({
    id: "R1",
    ...ended,
    exitCode: 3,
    startedAt: noon,
    endedAt: noon + 5,
    isFailure: true,
    error: "x",
  });
  store.runs.update(later);
  assert.deepEqual(store.runs.get("R1"), later);
});

Deno.test("RunStore.active() lists what has not ended, oldest first, with the process that carried it", () => {
  using store = memory([
    { id: "R3", createdAt: noon },
    { id: "R1", createdAt: noon + 1, status: "running" },
    { id: "R2", createdAt: noon + 1, status: "running" },
    { id: "R4", ...ended },
  ]);
  store.runs.setIdentity("R1", { pid: 11, bootId: "b" });
  store.runs.setIdentity("R2", { pid: 12, bootId: "b", startTicks: "99" });
  assert.deepEqual(store.runs.active().map(({ run, process }) => [run.id, process]), [
    ["R3", undefined],
    ["R1", { pid: 11, bootId: "b" }],
    ["R2", { pid: 12, bootId: "b", startTicks: "99" }],
  ]);
});

Deno.test("RunStore.begin() stores by what a run is known that may outlive its daemon, until it ends", () => {
  using store = memory([{ id: "R1" }, { id: "R2" }]);
  const { runs } = store;
  const running = run({ id: "R1", status: "running", startedAt: noon });
  runs.begin(running, { nonce: "n1", kept: "{}" });
  runs.begin({ ...running, id: "R2" });
  assert.deepEqual(runs.get("R1"), running);
  assert.deepEqual(runs.active().map(({ keeping }) => keeping), [{ nonce: "n1", kept: "{}" }, undefined]);
  runs.setKept("R1", '{"a":1}');
  runs.update({ ...running, adoptedAt: noon + 9 });
  assert.deepEqual(runs.active()[0], {
    run: { ...running, adoptedAt: noon + 9 },
    keeping: { nonce: "n1", kept: '{"a":1}' },
  });
  runs.update(run({ id: "R1", ...ended }));
  runs.update(run({ id: "R1" })); // as no row does: to look at what is left of it
  assert.equal(runs.active().find((one) => one.run.id === "R1")?.keeping, undefined);
});

Deno.test("RunStore.markDeleted() hides ended runs alone, each once", () => {
  using store = memory([{ id: "R1", ...ended }, { id: "R2", ...ended }, { id: "R3" }]);
  assert.equal(store.runs.markDeleted(["R1", "R3", "none"], noon), 1);
  assert.equal(store.runs.markDeleted(["R1"], noon + 5), 0);
  assert.equal(store.runs.get("R1"), undefined);
  assert.equal(store.runs.count({}), 2);
  assert.deepEqual(store.runs.deletedBefore(noon - 1), []);
  assert.deepEqual(store.runs.deletedBefore(noon), [{ id: "R1", unit: "t" }]);
  store.runs.remove("R1");
  assert.deepEqual(store.runs.deletedBefore(noon), []);
});

Deno.test("RunStore.expired() finds the oldest beyond a number, and all before a time; never an active or deleted one", () => {
  using store = memory([
    { id: "R0", createdAt: noon, status: "running" },
    ...[1, 2, 3, 4, 5].map((n) => ({ id: `R${n}`, createdAt: noon + n, ...ended })),
    { id: "X1", unit: "other", createdAt: noon, ...ended },
  ]);
  const { runs } = store;
  assert.deepEqual(runs.expired("t", { keep: 3, limit: 10 }), ["R1", "R2"]);
  assert.deepEqual(runs.expired("t", { keep: 1, limit: 2 }), ["R1", "R2"], "the oldest first");
  assert.deepEqual(runs.expired("t", { keep: 5, limit: 10 }), []);
  assert.deepEqual(runs.expired("t", { keep: 9, limit: 10 }), []);
  assert.deepEqual(runs.expired("t", { before: noon + 3, limit: 10 }), ["R1", "R2"]);
  assert.deepEqual(runs.expired("t", { before: noon + 2, keep: 2, limit: 10 }), ["R1", "R2", "R3"]);
  assert.deepEqual(runs.expired("t", { limit: 10 }), []);
  runs.markDeleted(["R5"], noon);
  assert.deepEqual(runs.expired("t", { keep: 3, limit: 10 }), ["R1"]);
});

Deno.test("RunStore.newestPerUnit() finds the newest of each unit, deleted ones aside", () => {
  using store = memory([
    { id: "R1", unit: "a", createdAt: noon + 9, ...ended },
    { id: "R2", unit: "a", createdAt: noon },
    { id: "R3", unit: "b", createdAt: noon, ...ended },
    { id: "R4", unit: "b", createdAt: noon, ...ended },
    { id: "R5", unit: "c", ...ended },
  ]);
  store.runs.markDeleted(["R5"], noon);
  assert.deepEqual(store.runs.newestPerUnit().map(({ id }) => id).sort(), ["R1", "R4"]);
  assert.deepEqual(store.runs.units().sort(), ["a", "b", "c"]);
});

Deno.test("ScheduleStore moves the handled tick forward, never back", () => {
  using store = memory();
  store.schedules.put({ unit: "t", definition: "* * * * * UTC", anchor: 5, handled: 10 });
  store.schedules.setHandled("t", 20);
  store.schedules.setHandled("t", 15);
  assert.deepEqual(store.schedules.all(), [{
    unit: "t",
    definition: "* * * * * UTC",
    anchor: 5,
    handled: 20,
  }]);
  store.schedules.put({ unit: "t", definition: "x", anchor: 6, handled: 7, pausedAt: 8 });
  assert.deepEqual(store.schedules.all(), [{
    unit: "t",
    definition: "x",
    anchor: 6,
    handled: 7,
    pausedAt: 8,
  }]);
  store.schedules.remove("t");
  assert.deepEqual(store.schedules.all(), []);
});

Deno.test("RetryStore keeps retries in order of their time, one for each attempt", () => {
  using store = memory();
  const retry = { unit: "t", ofRun: "R1", attempt: 1, dueAt: noon + 9, trigger: "cron" as const };
  const other = { ...retry, ofRun: "R2", dueAt: noon, params: { A: "1" } };
  store.retries.put(retry);
  store.retries.put(other);
  store.retries.put({ ...retry, unit: "u", attempt: 2 });
  store.retries.put(retry);
  assert.deepEqual(store.retries.all().map(({ ofRun, attempt }) => `${ofRun}/${attempt}`), [
    "R2/1",
    "R1/1",
    "R1/2",
  ]);
  assert.deepEqual(store.retries.all()[0], other);
  store.retries.remove(other);
  store.retries.removeOf("t");
  assert.deepEqual(store.retries.all().map(({ unit }) => unit), ["u"]);
});
