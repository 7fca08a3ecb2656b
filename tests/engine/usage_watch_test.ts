import assert from "node:assert/strict";
import { firstLook, lookEvery } from "../../src/engine/runs/usage_watch.ts";
import { settle } from "../support/fake_clock.ts";
import { makeEngine } from "../support/make_engine.ts";
import { service, task } from "../support/units.ts";

const api = { trigger: "api" } as const;
const MB = 1_000_000;

Deno.test("UsageWatch looks at all runs at once, soon after a start and then every few seconds, and at none when none executes", async () => {
  await using t = await makeEngine({ units: [task({ name: "a" }), task({ name: "b" })] });
  t.engine.watch();
  await t.clock.advance(10 * lookEvery);
  assert.equal(t.processes.looks, 0);
  for (const name of ["a", "b"]) t.engine.run(name, api);
  await t.clock.advance(firstLook - 1);
  assert.equal(t.processes.looks, 0);
  await t.clock.advance(1);
  assert.equal(t.processes.looks, 1);
  await t.clock.advance(2 * lookEvery);
  assert.equal(t.processes.looks, 3);
  for (const name of ["a", "b"]) t.processes.only(name).exit(0);
  await settle();
  await t.clock.advance(2 * lookEvery);
  assert.equal(t.processes.looks, 3);
});

Deno.test("UsageWatch looks at a run soon after its start though others are not due yet", async () => {
  await using t = await makeEngine({ units: [task({ name: "a" }), task({ name: "b" })] });
  t.engine.watch();
  t.engine.run("a", api);
  await t.clock.advance(firstLook + 100);
  t.engine.run("b", api);
  t.processes.only("b").used = { cpuMs: 100, memoryBytes: 1, oomKills: 0 };
  await t.clock.advance(firstLook);
  assert.equal(t.engine.view("b").usage?.cpuPercent, 10);
});

Deno.test("UsageWatch shows what a unit uses, summed up over its instances, until they have ended", async () => {
  await using t = await makeEngine({ units: [service({ name: "s", instances: 2 }), task({ name: "t" })] });
  t.engine.watch();
  assert.equal(t.engine.view("s").usage, undefined);
  for (const process of t.processes.alive("s")) {
    process.used = { cpuMs: 500, memoryBytes: 3 * MB, oomKills: 0 };
  }
  await t.clock.advance(firstLook);
  assert.deepEqual(t.engine.view("s").usage, { cpuPercent: 100, memoryBytes: 6 * MB });
  t.processes.alive("s")[0]!.used = { cpuMs: 3000, memoryBytes: MB, oomKills: 0 };
  await t.clock.advance(lookEvery);
  assert.deepEqual(t.engine.view("s").usage, { cpuPercent: 50, memoryBytes: 4 * MB });
  assert.equal(t.engine.view("t").usage, undefined);
  t.engine.stopUnit("s");
  await settle();
  assert.equal(t.engine.view("s").usage, undefined);
});

Deno.test("Runner stores what a run has used with its end, from the last look or an earlier one", async () => {
  await using t = await makeEngine({
    units: [task({ name: "a" }), task({ name: "b" }), task({ name: "c" })],
  });
  t.engine.watch();
  const [a, b, c] = ["a", "b", "c"].map((name) => t.engine.run(name, api));
  const [pa, pb, pc] = ["a", "b", "c"].map((name) => t.processes.only(name));
  pa!.used = { cpuMs: 20.4, memoryBytes: MB, peakBytes: 5 * MB, oomKills: 0 };
  pb!.used = { cpuMs: 30, memoryBytes: 7 * MB, oomKills: 0 };
  await t.clock.advance(firstLook);
  pa!.used = { cpuMs: 40.4, memoryBytes: 0, peakBytes: 6 * MB, oomKills: 0 };
  pb!.used = undefined; // gone before it could be read again
  for (const process of [pa, pb, pc]) process!.exit(0);
  await settle();
  const used = [a, b, c].map((run) => {
    const { peakMemoryBytes, cpuTimeMs } = t.engine.getRun(run!.id);
    return [peakMemoryBytes, cpuTimeMs];
  });
  assert.deepEqual(used, [[6 * MB, 40], [7 * MB, 30], [undefined, undefined]]);
  const told = t.events.flatMap((event) => event.type === "run.completed" ? [event.run] : []);
  assert.deepEqual(told.find(({ id }) => id === a!.id)?.peakMemoryBytes, 6 * MB);
});

Deno.test("Runner says in a run's log that it was out of memory, while it runs and at its end", async () => {
  await using t = await makeEngine({
    units: [service({ name: "s", limits: { memory: 64 * MB } }), task({ name: "t" })],
  });
  t.engine.watch();
  const [life] = t.runs("s");
  t.processes.only("s").used = { cpuMs: 1, oomKills: 1 };
  await t.clock.advance(firstLook + lookEvery);
  assert.deepEqual(t.logLines(life!), ["[out of memory: killed at the limit of 64 MB]"]);
  const run = t.engine.run("t", api);
  t.processes.only("t").used = { cpuMs: 1, oomKills: 2 };
  t.processes.only("t").exit(137, "SIGKILL");
  await settle();
  assert.deepEqual(t.logLines(run), ["[out of memory: killed by the system]"]);
  const ended = t.engine.getRun(run.id);
  assert.deepEqual([ended.endReason, ended.exitCode], ["crashed", 137]);
});

Deno.test("Runner says once what could not be done for a run that goes on", async () => {
  await using t = await makeEngine({ units: [task({ name: "long" }), task({ name: "short" })] });
  t.engine.watch();
  const [long, short] = ["long", "short"].map((name) => t.engine.run(name, api));
  for (const name of ["long", "short"]) t.processes.only(name).trouble = ["cannot hold limits.pids"];
  t.processes.only("short").exit(0);
  await t.clock.advance(firstLook + 2 * lookEvery);
  assert.deepEqual(t.logLines(long!), ["[cannot hold limits.pids]"]);
  assert.deepEqual(t.logLines(short!), ["[cannot hold limits.pids]"]);
});

Deno.test("Runner hands the limits of a unit to its process", async () => {
  const limits = { memory: MB, cpu: 0.5, pids: 9 };
  await using t = await makeEngine({ units: [task({ name: "t", limits })] });
  t.engine.run("t", api);
  assert.deepEqual(t.processes.only("t").spec.limits, limits);
});

Deno.test("Engine warns at start and at a reload of limits that the machine can't hold", async () => {
  const bound = task({ name: "t", limits: { memory: MB, pids: 9 } });
  await using t = await makeEngine({
    units: [bound],
    before: ({ processes }) => processes.groups = { available: true, limits: new Set(["pids"] as const) },
  });
  const warnings = (): string[] => t.said.filter((line) => line.includes("limits."));
  const [first] = warnings();
  assert.match(first!, /^warn limits\.memory of "t" is not held: there is no control group controller/);
  await t.reload([bound]);
  assert.deepEqual(warnings(), [first, first]);
  await t.reload([task({ name: "t" })]);
  assert.equal(warnings().length, 2);
});

Deno.test("UsageWatch looks again though a look was never answered", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })] });
  t.engine.watch();
  t.processes.answers = "never";
  const run = t.engine.run("t", api);
  await t.clock.advance(firstLook);
  t.processes.answers = "yes";
  t.processes.only("t").used = { cpuMs: 100, memoryBytes: 7 * MB, oomKills: 0 };
  await t.clock.advance(2 * lookEvery);
  assert.equal(t.engine.view("t").usage?.memoryBytes, 7 * MB);
  t.engine.stopRun(run.id);
  await t.clock.advance(lookEvery);
});
