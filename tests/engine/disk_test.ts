import assert from "node:assert/strict";
import { settle } from "../support/fake_clock.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { minute, second, task } from "../support/units.ts";

const api = { trigger: "api" } as const;

/** Makes a run that prints a number of bytes and ends. */
async function printing(t: TestEngine, name: string, bytes: number): Promise<string> {
  const { id } = t.engine.run(name, api);
  t.processes.only(name).print("x".repeat(bytes - 1) + "\n");
  t.processes.only(name).exit(0);
  await t.clock.advance(second);
  return id;
}

/** Ids of runs that have written something, and how much of it is on the disk. */
async function logSizes(t: TestEngine): Promise<Map<string, number>> {
  const folders = await Array.fromAsync(t.logs.folders());
  const sizes = folders.map(({ unit, runId }) => [runId, t.logs.size(unit, runId)] as const);
  return new Map(sizes.filter(([, bytes]) => bytes > 0).sort());
}

async function loggedRuns(t: TestEngine): Promise<string[]> {
  return [...(await logSizes(t)).keys()];
}

Deno.test("Pruner removes the oldest runs of all units, log and row, while all logs are over storage.max_size", async () => {
  const units = [task({ name: "a" }), task({ name: "b" }), task({ name: "quiet" })];
  await using t = await makeEngine({ units, daemon: { storageMaxSize: 35_000 } });
  const quiet = t.engine.run("quiet", api).id;
  t.processes.only("quiet").exit(0);
  await settle();
  const ids: string[] = [];
  for (const name of ["a", "b", "a", "b", "a"]) ids.push(await printing(t, name, 10_000));
  await t.clock.advance(second);
  assert.deepEqual(await loggedRuns(t), ids.slice(2));
  assert.deepEqual(t.runs().map(({ id }) => id), [quiet, ...ids.slice(2)], "a run without output stays");
  assert.equal(
    t.store.logSizes.total(),
    [...(await logSizes(t)).values()].reduce((sum, bytes) => sum + bytes, 0),
  );
});

Deno.test("Pruner counts what active runs have written, and never removes them", async () => {
  await using t = await makeEngine({
    units: [task({ name: "a" }), task({ name: "long" })],
    daemon: { storageMaxSize: 35_000 },
  });
  const long = t.engine.run("long", api).id;
  t.processes.only("long").print("y".repeat(40_000) + "\n");
  const id = await printing(t, "a", 1_000);
  await t.clock.advance(second);
  assert.deepEqual(t.runs().map((run) => run.id), [long]);
  assert.equal(t.eventsOf(id).includes("run.completed"), true);
});

Deno.test("Pruner applies a smaller storage.max_size at a reload, and 0 is no cap", async () => {
  const units = [task({ name: "a" })];
  await using t = await makeEngine({ units, daemon: { storageMaxSize: 0 } });
  for (let i = 0; i < 4; i++) await printing(t, "a", 10_000);
  assert.equal(await (await loggedRuns(t)).length, 4);
  await t.reload(units, { storageMaxSize: 12_000 });
  await t.clock.advance(second);
  assert.equal(await (await loggedRuns(t)).length, 1);
});

Deno.test("Recovery counts the log of a run whose daemon died", async () => {
  await using t = await makeEngine({ units: [task({ name: "a" })] });
  t.engine.run("a", api);
  t.processes.only("a").print("z".repeat(5_000) + "\n");
  await t.clock.advance(second);
  await t.crash();
  await t.start();
  assert.ok(t.store.logSizes.total() > 5_000);
});

Deno.test("DiskWatch holds output back while too little space is free, says so, and runs go on", async () => {
  await using t = await makeEngine({
    units: [task({ name: "a" })],
    daemon: { storageMinFreeSpace: 256_000_000 },
  });
  const rung: string[] = [];
  t.engine.news.subscribe((event) => {
    if (event.type === "notification.created") rung.push(event.notice.kind);
  });
  t.config.notify.globalNotifiers = ["inapp"];
  t.engine.disk.start();
  const run = t.engine.run("a", api);
  const process = t.processes.only("a");
  process.print("one\n");
  t.freeSpace = 255_000_000;
  await t.clock.advance(second);
  process.print("two\nthree\n");
  await t.clock.advance(minute);
  process.print("four\n");
  t.freeSpace = 256_000_000;
  await t.clock.advance(second);
  process.print("five\n");
  process.exit(0);
  await settle();
  const ended = t.engine.getRun(run.id);
  assert.equal(ended.endReason, "success");
  assert.deepEqual(t.logLines(ended), [
    "one",
    "[less than 256mb are free (storage.min_free_space): output is not stored until there is more]",
    "[3 lines of output were not stored for lack of space]",
    "five",
  ]);
  assert.deepEqual(rung, ["log.disk_pressure"]);
  t.engine.disk.stop();
});

Deno.test("DiskWatch says at the end of a run what is missing, and leaves logs alone where nothing is printed", async () => {
  await using t = await makeEngine({
    units: [task({ name: "a" }), task({ name: "quiet" })],
    daemon: { storageMinFreeSpace: 1_000 },
    before: (it) => it.freeSpace = 10,
  });
  t.engine.disk.start();
  const run = t.engine.run("a", api);
  const quiet = t.engine.run("quiet", api);
  t.processes.only("a").print("one\ntwo");
  for (const process of t.processes.alive()) process.exit(0);
  await settle();
  assert.deepEqual(t.logLines(t.engine.getRun(run.id)), [
    "[less than 1kb are free (storage.min_free_space): output is not stored until there is more]",
    "[2 lines of output were not stored for lack of space]",
  ]);
  assert.deepEqual(t.logLines(t.engine.getRun(quiet.id)), []);
  t.engine.disk.stop();
});

Deno.test("DiskWatch holds nothing back where min_free_space is 0 or the space can't be told", async () => {
  for (const [storageMinFreeSpace, free] of [[0, 0], [1_000, undefined]] as const) {
    await using t = await makeEngine({ units: [task({ name: "a" })], daemon: { storageMinFreeSpace } });
    t.freeSpace = free;
    t.engine.disk.start();
    const run = t.engine.run("a", api);
    t.processes.only("a").print("one\n");
    t.processes.only("a").exit(0);
    await settle();
    assert.deepEqual(t.logLines(t.engine.getRun(run.id)), ["one"]);
    t.engine.disk.stop();
  }
});

Deno.test("LogReaper removes logs that no run speaks for, and no other", async () => {
  await using t = await makeEngine({ units: [task({ name: "a" }), task({ name: "long" })] });
  t.engine.watch();
  const id = await printing(t, "a", 100);
  const active = t.engine.run("long", api).id;
  t.processes.only("long").print("so far\n");
  const deleted = await printing(t, "a", 100);
  for (const lost of ["gone/LOST1", "a/LOST2"]) {
    Deno.mkdirSync(`${t.folder}/logs/${lost}`, { recursive: true });
    Deno.writeTextFileSync(`${t.folder}/logs/${lost}/000000000000.log`, "old\n");
  }
  await t.clock.advance(50 * second);
  t.engine.deleteRun(deleted);
  await t.clock.advance(10 * second);
  assert.ok(t.said.includes("warn removed logs that belong to no run"));
  const left = (await Array.fromAsync(t.logs.folders())).map(({ runId }) => runId);
  assert.deepEqual(left.filter((it) => it !== deleted).sort(), [id, active].sort());
});

Deno.test("DiskWatch looks again though a look was never answered", async () => {
  await using t = await makeEngine({ units: [task({ name: "t" })], daemon: { storageMinFreeSpace: 1000 } });
  t.freeSpace = "never";
  t.engine.watch();
  t.engine.run("t", api);
  await t.clock.advance(minute);
  t.freeSpace = 10;
  await t.clock.advance(minute);
  assert.ok(t.said.some((line) => line.startsWith("error less than 1kb are free")), t.said.join("\n"));
});
