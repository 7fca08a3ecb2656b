import assert from "node:assert/strict";
import { makeApp } from "../support/make_app.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { hour, minute, noon, run, task } from "../support/units.ts";
import type { EndReason } from "../../src/types.ts";

const history: { at: number; reason: EndReason; failure?: boolean; unit?: string }[] = [
  { at: noon - 30 * hour, reason: "failed", failure: true },
  { at: noon - 2 * hour, reason: "success" },
  { at: noon - 2 * hour + minute, reason: "unhealthy", failure: true },
  { at: noon - 2 * hour + 2 * minute, reason: "failed", failure: true, unit: "b" },
  { at: noon - hour, reason: "missed", failure: true },
  { at: noon - minute, reason: "missed" },
];

function withHistory(): Promise<TestEngine> {
  return makeEngine({
    units: [task({ name: "a" }), task({ name: "b" })],
    before: (t) =>
      history.forEach(({ at, reason, failure = false, unit = "a" }, n) =>
        t.store.runs.insert(
          run({
            id: `H${n}`,
            unit,
            status: "ended",
            endReason: reason,
            isFailure: failure,
            createdAt: at,
            endedAt: at + 1,
          }),
        )
      ),
  });
}

Deno.test("GET /api/runs/summary counts runs since a time", async () => {
  await using t = await withHistory();
  const app = makeApp(t);
  assert.deepEqual((await app("/api/runs/summary")).body, {
    total: 6,
    success: 1,
    failed: 3,
    missed: 2,
    last_failure: new Date(noon - hour + 1).toISOString(),
  });
  const since = new Date(noon - 10 * minute).toISOString();
  assert.deepEqual((await app(`/api/runs/summary?since=${since}`)).body, {
    total: 1,
    success: 0,
    failed: 0,
    missed: 1,
  });
  assert.equal((await app("/api/runs/summary?since=yesterday")).status, 422);
});

Deno.test("GET /api/runs/histogram counts ended runs per hour of the last day, empty hours included", async () => {
  await using t = await withHistory();
  t.engine.run("a", { trigger: "api" });
  const { status, body } = await makeApp(t)("/api/runs/histogram");
  assert.equal(status, 200);
  assert.equal(body.buckets.length, 24);
  const full = body.buckets.filter(({ counts }: { counts: object }) => Object.keys(counts).length > 0);
  assert.deepEqual(full, [
    { start: new Date(noon - 2 * hour).toISOString(), counts: { success: 1, failed: 2 } },
    { start: new Date(noon - hour).toISOString(), counts: { missed: 2 } },
  ]);
});

Deno.test("GET /api/runs/histogram takes a width, a time and a task, and refuses too much", async () => {
  await using t = await withHistory();
  const app = makeApp(t);
  const since = new Date(noon - 2 * hour).toISOString();
  const until = new Date(noon - hour).toISOString();
  const { body } = await app(`/api/runs/histogram?bucket=15m&since=${since}&until=${until}&task_name=b`);
  assert.deepEqual(body.buckets.map(({ counts }: { counts: object }) => counts), [{ failed: 1 }, {}, {}, {}]);
  for (
    const query of ["bucket=1s", "bucket=0", "bucket=x", "bucket=1.5ms", `since=${until}&until=${since}`]
  ) {
    const answer = await app(`/api/runs/histogram?${query}`);
    assert.equal(answer.status, 422, query);
    assert.match(answer.body.errors[0].location, /^query\./);
  }
});
