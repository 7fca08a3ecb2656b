import assert from "node:assert/strict";
import { makeEngine } from "../support/make_engine.ts";
import { minute, noon, param, second, service, task } from "../support/units.ts";

Deno.test("debug() has each run that is not over with its phase, how long it has been there, and its machine", async () => {
  await using t = await makeEngine({
    units: [task({ name: "a", onOverlap: "queue", timeout: minute })],
  });
  t.processes.behave("a", { ignores: ["SIGTERM"] });
  const [first, next] = [1, 2].map(() => t.engine.run("a", { trigger: "cli" }));
  await t.clock.advance(5 * second);
  t.engine.stopRun(first!.id);
  await t.clock.advance(second);
  const { runs, at } = t.engine.debug();
  assert.equal(at, noon + 6 * second);
  const { machine, ...placed } = runs[0]!;
  assert.deepEqual(placed, {
    id: first!.id,
    unit: "a",
    trigger: "cli",
    createdAt: noon,
    phase: "executing",
    phaseFor: 6 * second,
    marks: ["stopped"],
  });
  assert.deepEqual(
    [machine!.state.phase, machine!.state.want, machine!.timers, machine!.pid],
    ["stopping", "stopped", [{ name: "grace", left: 4 * second }], t.processes.only("a").pid],
  );
  assert.deepEqual(
    [runs.length, runs[1]!.id, runs[1]!.phase, runs[1]!.machine],
    [2, next!.id, "queued", undefined],
  );
});

Deno.test("debug() says of each run in the line what holds it back", async () => {
  const jittery = { cron: "1 12 * * *", jitter: 30 * second };
  await using t = await makeEngine({
    units: [
      task({ name: "a", ...jittery }),
      task({ name: "b", ...jittery }),
      task({ name: "c", ...jittery, jitter: 40 * second }),
      task({ name: "slow" }),
    ],
  });
  await t.clock.advance(minute);
  const holder = t.runs("a")[0]!.id;
  const gate = t.engine.debug().line;
  assert.deepEqual(gate, {
    maxParallel: 0,
    started: 1,
    isGateShut: false,
    gateHolder: holder,
    waiting: [
      { id: t.runs("b")[0]!.id, unit: "b", hold: "gate_taken", deadline: noon + 90 * second },
      { id: t.runs("c")[0]!.id, unit: "c", hold: "gate_taken", deadline: noon + 100 * second },
    ],
  });
  assert.deepEqual(t.engine.debug().runs.map(({ marks }) => marks), [["holds_gate"], [], []]);
  await t.reload(t.config.units, { maxParallelRuns: 1 });
  t.engine.run("slow", { trigger: "cli" });
  const { line } = t.engine.debug();
  assert.deepEqual(line.waiting.map(({ unit, hold }) => `${unit} ${hold}`), [
    "b limit",
    "c limit",
    "slow limit",
  ]);
  t.engine.drain();
  assert.deepEqual(t.engine.debug().line.waiting.map(({ hold }) => hold), ["closed", "closed", "closed"]);
});

Deno.test("debug() has the machine of each instance with its timers, and one that a reload takes away", async () => {
  await using t = await makeEngine({
    units: [service({ name: "web", instances: 2, healthyAfter: 10 * second, restartDelay: 5 * second })],
    before: (test) => test.processes.behave("web", { ignores: ["SIGTERM"] }),
  });
  await t.clock.advance(second);
  const [first] = t.processes.alive("web");
  first!.exit(1);
  await t.clock.advance(second);
  const [one, two] = t.engine.debug().instances;
  assert.deepEqual(
    [one!.service, one!.index, one!.state.phase, one!.state.failedStarts, one!.timers, one!.runId],
    ["web", 0, "backing_off", 1, [{ name: "backoff", left: 4 * second }], undefined],
  );
  assert.deepEqual(
    [two!.state.phase, two!.timers, two!.isLeaving],
    ["starting", [{ name: "healthy", left: 8 * second }], false],
  );
  await t.reload([service({ name: "web", instances: 1 })]);
  const left = t.engine.debug().instances;
  assert.deepEqual(left.map(({ index, isLeaving }) => [index, isLeaving]), [[0, false], [1, true]]);
  assert.equal(left[1]!.runId, two!.runId);
});

Deno.test("debug() has the retries that are to come, without parameters, and what the database refuses", async () => {
  await using t = await makeEngine({
    units: [
      task({
        name: "a",
        retryAttempts: 1,
        retryDelay: minute,
        params: [param({ kind: "env", key: "TOKEN" })],
      }),
    ],
  });
  const run = t.engine.run("a", { trigger: "cli", params: { TOKEN: "hunter2" } });
  await t.clock.advance(second);
  t.processes.only("a").exit(1);
  await t.clock.advance(second);
  const { retries, refusing } = t.engine.debug();
  assert.deepEqual(retries, [{
    unit: "a",
    ofRun: run.id,
    attempt: 1,
    dueAt: noon + second + minute,
    trigger: "cli",
  }]);
  assert.equal(refusing, undefined);
  for (let n = 0; n < 2; n++) {
    t.refusals.note("cannot store the end of a run", { error: new Error("disk full") });
  }
  assert.deepEqual(t.engine.debug().refusing, {
    since: noon + 2 * second,
    why: "disk full",
    tries: 2,
    what: ["cannot store the end of a run"],
  });
  assert.ok(!JSON.stringify(t.engine.debug()).includes("hunter2"));
});
