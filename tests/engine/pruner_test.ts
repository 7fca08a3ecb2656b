import assert from "node:assert/strict";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { day, hour, noon, run, second, service, task } from "../support/units.ts";

const api = { trigger: "api" } as const;

/** Makes runs of a task that end at once. */
async function makeRuns(t: TestEngine, name: string, count: number): Promise<string[]> {
  t.processes.behave(name, { exits: 0 });
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const made = t.engine.run(name, api);
    ids.push(made.id);
    t.processes.alive(name).find(({ spec }) => spec.runId === made.id)?.print("x\n");
    await t.clock.advance(second);
  }
  return ids;
}

function logExists(t: TestEngine, unit: string, id: string): boolean {
  try {
    return Deno.statSync(`${t.folder}/logs/${unit}/${id}`).isDirectory;
  } catch {
    return false;
  }
}

Deno.test("Pruner keeps the newest keep_runs ended runs, log and row, and never an active one", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", keepRuns: 3, maxConcurrent: 9 })] });
  const active = t.engine.run("t", api);
  const ids = await makeRuns(t, "t", 6);
  await t.clock.advance(second);
  assert.deepEqual(t.runs().map(({ id }) => id), [active.id, ...ids.slice(3)]);
  assert.equal(logExists(t, "t", ids[2]!), false);
  assert.equal(logExists(t, "t", ids[3]!), true);
});

Deno.test("Pruner takes keep_runs = 0 and keep_for = 0 as no cap", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", keepRuns: 0, keepFor: 0 })] });
  await makeRuns(t, "t", 5);
  await t.clock.advance(2 * hour);
  assert.equal(t.runs().length, 5);
});

Deno.test("Pruner removes by keep_for hourly, also without a new run, and at start", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", keepFor: day })] });
  await makeRuns(t, "t", 2);
  await t.clock.advance(day - hour);
  assert.equal(t.runs().length, 2);
  await t.clock.advance(2 * hour);
  assert.equal(t.runs().length, 0);
  await makeRuns(t, "t", 1);
  await t.crash(2 * day);
  await t.start();
  await t.clock.advance(second);
  assert.equal(t.runs().length, 0);
});

Deno.test("Pruner removes oldest first, in steps, when much is to go", async () => {
  await using t = await makeEngine({
    units: [task({ name: "t", keepRuns: 10 })],
    before: (it) => {
      for (let i = 0; i < 350; i++) {
        const id = `Q${String(i).padStart(5, "0")}`;
        it.store.runs.insert(
          run({ id, status: "ended", endReason: "success", createdAt: noon - 1000 + i, endedAt: noon }),
        );
      }
    },
  });
  await t.clock.advance(second);
  const gone = t.events.flatMap((event) => event.type === "run.deleted" ? [event.runId] : []);
  assert.deepEqual(gone, Array.from({ length: 340 }, (_, i) => `Q${String(i).padStart(5, "0")}`));
  assert.equal(t.runs().length, 10);
});

Deno.test("Pruner gives runs of units that are gone what [defaults] says", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  await makeRuns(t, "t", 5);
  t.config = { ...t.config, units: [], removedKeepRuns: 2 };
  await t.engine.reload({ dryRun: false });
  await t.clock.advance(hour + second);
  assert.equal(t.runs().length, 2);
});

Deno.test("Pruner tells of what it removes, and the unit's newest run is no removed one", async () => {
  await using t = await makeEngine({ units: [task({ name: "t", keepFor: hour })] });
  const [id] = await makeRuns(t, "t", 1);
  assert.equal(t.engine.view("t").lastRun?.id, id);
  await t.clock.advance(3 * hour);
  assert.deepEqual(t.events.filter(({ type }) => type === "run.deleted"), [
    { type: "run.deleted", runId: id, unit: "t" },
  ]);
  assert.equal(t.engine.view("t").lastRun, undefined);
});

Deno.test("Engine.deleteRun() hides an ended run at once and reclaims row and log after 10 s", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  const [first, second_] = await makeRuns(t, "t", 2);
  t.engine.deleteRun(second_!);
  assert.deepEqual(t.runs().map(({ id }) => id), [first]);
  assert.throws(() => t.engine.getRun(second_!), { code: "not_found" });
  assert.throws(() => t.engine.deleteRun(second_!), { code: "not_found" });
  assert.equal(t.engine.view("t").lastRun?.id, first);
  await t.clock.advance(10 * second);
  assert.equal(logExists(t, "t", second_!), true);
  await t.clock.advance(second);
  assert.equal(logExists(t, "t", second_!), false);
  assert.deepEqual(t.store.runs.deletedBefore(Infinity), []);
  assert.deepEqual(t.events.filter(({ type }) => type === "run.deleted"), [
    { type: "run.deleted", runId: second_, unit: "t" },
  ]);
});

Deno.test("Engine.deleteRun() refuses active runs", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" }), service({ name: "s" })] });
  t.engine.run("t", api);
  t.engine.run("t", api);
  for (const { id } of t.runs()) assert.throws(() => t.engine.deleteRun(id), { code: "still_active" });
});

Deno.test("Pruner reclaims after a restart what was deleted shortly before it", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  const [id] = await makeRuns(t, "t", 1);
  t.engine.deleteRun(id!);
  await t.crash(2 * second);
  await t.start();
  assert.equal(t.store.runs.deletedBefore(Infinity).length, 1);
  await t.clock.advance(11 * second);
  assert.deepEqual(t.store.runs.deletedBefore(Infinity), []);
  assert.equal(logExists(t, "t", id!), false);
});

Deno.test("Pruner goes on when a log can't be removed", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" }), task({ name: "u" })] });
  await makeRuns(t, "t", 3);
  await makeRuns(t, "u", 3);
  // A link to itself where the folder of the logs should be: nothing in it can be looked at.
  Deno.removeSync(`${t.folder}/logs/t`, { recursive: true });
  Deno.symlinkSync("t", `${t.folder}/logs/t`);
  await t.reload([task({ name: "t", keepRuns: 1 }), task({ name: "u", keepRuns: 1 })]);
  await t.clock.advance(hour);
  assert.equal(t.runs("u").length, 1);
  assert.equal(t.runs("t").length, 3, "a row stays as long as its log does");
  assert.ok(t.said.some((line) => line.startsWith("warn cannot remove")));
});
