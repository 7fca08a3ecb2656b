import assert from "node:assert/strict";
import { type Answer, makeApp } from "../support/make_app.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { noon, param, run, second, service, task } from "../support/units.ts";
import type { Run } from "../../src/types.ts";

const units = [
  task({ name: "alpha", params: [param({ kind: "env", key: "SIZE", default: "1" })] }),
  task({ name: "beta" }),
  task({ name: "closed", apiTrigger: false }),
  service({ name: "web", autostart: false }),
];

function ended(id: string, own: Partial<Run> = {}): Run {
  return run({
    id,
    unit: "alpha",
    status: "ended",
    endReason: "success",
    startedAt: noon - second,
    endedAt: noon,
    ...own,
  });
}

const history = [
  ended("H1", { params: { SIZE: "7" } }),
  ended("H2", { unit: "beta", endReason: "failed", exitCode: 3, isFailure: true, trigger: "ui" }),
  ended("H3", { unit: "closed", trigger: "cron" }),
  ended("H4", { unit: "web", endReason: "unhealthy", exitCode: 143, isFailure: true, trigger: "service" }),
  ended("H5", { unit: "gone" }),
];

function withHistory(): Promise<TestEngine> {
  return makeEngine({ units, before: (t) => history.forEach((one) => t.store.runs.insert({ ...one })) });
}

/** Posts to a bulk route and lets its slices pass. */
async function bulk(t: TestEngine, action: string, json: unknown): Promise<Answer> {
  let answer: Answer | undefined;
  void makeApp(t)(`/api/runs/bulk/${action}`, { method: "POST", json }).then((got) => answer = got);
  for (let ms = 0; ms < 1000 && answer === undefined; ms++) await t.clock.advance(1);
  assert.ok(answer !== undefined, "an answer within a second");
  return answer;
}

function left(t: TestEngine): string[] {
  return t.runs().map(({ id }) => id).sort();
}

Deno.test("POST /api/runs/bulk/delete hides ended runs and names active ones", async () => {
  await using t = await withHistory();
  const active = t.engine.run("alpha", { trigger: "api" });
  const { status, body } = await bulk(t, "delete", { ids: ["H1", "H2", "H2", active.id, "nope"] });
  assert.equal(status, 200);
  assert.deepEqual(body, { affected: 2, skipped: [active.id] });
  assert.deepEqual(left(t), ["H3", "H4", "H5", active.id].sort());
  const deleted = t.events.filter((event) => event.type === "run.deleted");
  assert.deepEqual(deleted, [
    { type: "run.deleted", runId: "H1", unit: "alpha" },
    { type: "run.deleted", runId: "H2", unit: "beta" },
  ]);
});

Deno.test("POST /api/runs/bulk/delete takes a filter in both spellings, less some ids", async () => {
  const cases: [unknown, string[]][] = [
    [{ matchAll: true }, ["H1", "H2", "H3", "H4", "H5"]],
    [{ match_all: true, except_ids: ["H1", "H5"] }, ["H2", "H3", "H4"]],
    [{ matchAll: true, exceptIds: ["H2"], filter: { isFailure: true } }, ["H4"]],
    [{ matchAll: true, filter: { status: "failed" } }, ["H2", "H4"]],
    [{ matchAll: true, filter: { status: "succeeded", isFailure: true } }, ["H1", "H2", "H3", "H4", "H5"]],
    [{ matchAll: true, filter: { triggeredBy: "ui" } }, ["H2"]],
    [{ matchAll: true, filter: { triggered_by: "api" } }, ["H1", "H2", "H5"]],
    [{ matchAll: true, filter: { exitCodeMin: 1, exit_code_max: 3 } }, ["H2"]],
    [{ matchAll: true, filter: { taskName: "alpha" } }, ["H1"]],
    [{ matchAll: true, filter: { search: "BET" } }, ["H2"]],
    [{ matchAll: true, filter: { createdAfter: "2100-01-01T00:00:00Z" } }, []],
    [{ matchAll: true, filter: { retriesOnly: true } }, []],
    [{ matchAll: false, ids: ["H3"], filter: { taskName: "alpha" } }, ["H3"]],
    [{ ids: null }, []],
    [{}, []],
  ];
  for (const [selector, gone] of cases) {
    await using t = await withHistory();
    const { status, body } = await bulk(t, "delete", selector);
    assert.equal(status, 200, JSON.stringify(selector));
    assert.equal(body.affected, gone.length, JSON.stringify(selector));
    assert.deepEqual(left(t), history.map(({ id }) => id).filter((id) => !gone.includes(id)));
  }
});

Deno.test("POST /api/runs/bulk/delete refuses what it does not understand and deletes nothing", async () => {
  await using t = await withHistory();
  const cases: [unknown, string][] = [
    [{ matchAll: true, filter: { statuss: "failed" } }, "body.filter.statuss"],
    [{ matchAll: true, filter: { status: "faild" } }, "body.filter.status"],
    [{ matchAll: true, filter: { triggeredBy: "cloud" } }, "body.filter.triggeredBy"],
    [{ matchAll: true, filter: { triggered_by: "ui" } }, "body.filter.triggered_by"],
    [{ matchAll: true, filter: { createdAfter: "2027-02-30T00:00:00Z" } }, "body.filter.createdAfter"],
    [{ matchAll: true, match_all: true }, "body.match_all"],
    [{ matchAll: true, filter: { taskName: "a", task_name: "a" } }, "body.filter.task_name"],
    [{ ids: [1] }, "body.ids[0]"],
    [{ id: "H1" }, "body.id"],
  ];
  for (const [selector, location] of cases) {
    const { status, body } = await bulk(t, "delete", selector);
    assert.equal(status, 422, JSON.stringify(selector));
    assert.equal(body.errors[0].location, location);
  }
  assert.equal(left(t).length, history.length);
});

Deno.test("POST /api/runs/bulk/restore brings runs back for ten seconds, and then they are reclaimed", async () => {
  await using t = await withHistory();
  await bulk(t, "delete", { ids: ["H1", "H2"] });
  await t.clock.advance(5 * second);
  const { body } = await bulk(t, "restore", { matchAll: true, filter: { taskName: "alpha" } });
  assert.equal(body.affected, 1);
  assert.deepEqual(left(t), ["H1", "H3", "H4", "H5"]);
  assert.deepEqual(t.eventsOf("H1"), ["run.updated"]);
  await t.clock.advance(6 * second);
  assert.equal((await bulk(t, "restore", { ids: ["H2"] })).body.affected, 0);
  assert.equal(t.store.picks.find({ filter: {}, deleted: true, after: "", upTo: "~", limit: 10 }).length, 0);
});

Deno.test("POST /api/runs/bulk/stop asks active runs to end and leaves ended ones", async () => {
  await using t = await withHistory();
  const active = t.engine.run("alpha", { trigger: "api" });
  const waiting = t.engine.run("alpha", { trigger: "api" });
  const { body } = await bulk(t, "stop", { matchAll: true, filter: { taskName: "alpha" } });
  assert.equal(body.affected, 2);
  await t.clock.advance(10 * second);
  assert.equal(t.engine.getRun(active.id).endReason, "stopped");
  assert.equal(t.engine.getRun(waiting.id).endReason, "stopped");
  assert.equal(t.engine.getRun("H1").endReason, "success");
});

Deno.test("POST /api/runs/bulk/rerun makes one run for each task that may be triggered, like the newest selected", async () => {
  await using t = await withHistory();
  t.store.runs.insert(ended("H0", { params: { SIZE: "9" } }));
  const { body } = await bulk(t, "rerun", { matchAll: true });
  const tasks = body.triggered.map(({ task_name }: { task_name: string }) => task_name);
  assert.deepEqual(tasks.sort(), ["alpha", "beta"]);
  const alpha = body.triggered.find(({ task_name }: { task_name: string }) => task_name === "alpha");
  assert.deepEqual(t.engine.getRun(alpha.run_id).params, { SIZE: "7" });
});

Deno.test("POST /api/runs/bulk/delete deals with thousands of runs in slices", async () => {
  await using t = await makeEngine({
    units,
    before: (test) =>
      test.store.transaction(() => {
        for (let n = 0; n < 2501; n++) test.store.runs.insert(ended(`H${String(n).padStart(5, "0")}`));
      }),
  });
  const { body } = await bulk(t, "delete", { matchAll: true, exceptIds: ["H00700"] });
  assert.equal(body.affected, 2500);
  assert.deepEqual(left(t), ["H00700"]);
});
