import assert from "node:assert/strict";
import type { KeptGroup } from "../../../src/core/keeper.ts";
import { isAlive, until } from "../../support/machine.ts";
import { Machine } from "./fixture.ts";
import { GroupMachine, layouts } from "./group_machine.ts";

const busy = "i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done";

for (const [layout, fits] of Object.entries(layouts)) {
  Deno.test(`Groups.adopt() keeps the group of a run from being cleared, and looks after it: ${layout}`, async () => {
    await using m = await GroupMachine.of(fits);
    if (m === undefined) return;
    await m.groups.killLeftovers([]);
    const adopted = m.launch("echo up; exec sleep 60");
    const ended = m.launch("i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done");
    const left = m.launch("echo up; exec sleep 60");
    await Promise.all([adopted.says("up"), left.says("up"), ended.end()]);
    const places = [adopted, ended].map(({ runId }) => m.groups.placeOf(runId)!);
    assert.equal(places[0]!.tree, m.plan.main.dir);
    await m.crash();
    for (const [index, { runId }] of [adopted, ended].entries()) m.groups.adopt(runId, places[index]!);
    const { killed } = await m.groups.killLeftovers([m.plan.main.dir]);
    assert.deepEqual(killed.map(({ pid }) => pid), [left.pid]);
    await left.end();
    assert.equal(isAlive(adopted.pid), true);
    assert.deepEqual(m.groups.placeOf(adopted.runId), places[0]);
    const before = await m.groups.finish(ended.runId, "strays");
    assert.ok(before.usage!.cpuMs > 0, "what it has used is known, though it has ended before");
    const { killed: rest, used } = await m.groups.finish(adopted.runId, "all");
    assert.deepEqual([rest.map(({ pid }) => pid), used], [[adopted.pid], true]);
    await adopted.end();
    await m.groups.close();
    assert.deepEqual(m.groupsThere(), []);
  });
}

Deno.test("Groups.adopt() takes over what a group had counted before its run", async () => {
  await using m = await GroupMachine.of(layouts["trees of the first version alone"]!);
  if (m === undefined) return;
  // A group that holds much memory after its run is not used again.
  let [child, place, before] = [m.launch(busy), undefined as KeptGroup | undefined, 0];
  for (let times = 0; times < 20 && place?.counted === undefined; times++) {
    await child.end();
    before = Math.max(before, (await m.groups.finish(child.runId, "strays")).usage!.cpuMs);
    child = m.launch("true");
    place = m.groups.placeOf(child.runId);
  }
  await child.end();
  assert.ok(place!.counted!.cpuMs > 0);
  await m.crash();
  m.groups.adopt(child.runId, place!);
  const { usage } = await m.groups.finish(child.runId, "strays");
  assert.ok(usage!.cpuMs < before / 2, `${usage!.cpuMs} of ${before} ms`);
});

Deno.test("Groups.adopt() spares a group of another tree, and looks after nothing in it", async () => {
  await using m = await GroupMachine.of(layouts["all trees"]!);
  if (m === undefined) return;
  const child = m.launch("echo up; exec sleep 60");
  await child.says("up");
  const place = m.groups.placeOf(child.runId)!;
  await m.crash();
  m.groups.adopt(child.runId, { ...place, tree: `${place.tree}-of-another-place` });
  assert.equal(m.groups.has(child.runId), false);
  assert.deepEqual((await m.groups.killLeftovers([])).killed, []);
  child.signal("SIGKILL");
  await child.end();
});

Deno.test("A kept run is alone in its group, which its keeper's file names, and its limits hold", async () => {
  await using m = await Machine.keeping();
  const { available, limits } = m.processes.groups;
  if (!available) return;
  const child = m.launch("cat /proc/$$/cgroup; echo up; sleep 60", {
    limits: { memory: 64_000_000, pids: 10 },
  });
  const keeper = child.pid;
  await child.says("up");
  const own = /svc-[^/\s]+\/(\S+)/.exec(child.stdout)![1]!;
  const file = Deno.readTextFileSync(`${m.folders.keepers}/${child.runId}`);
  assert.ok(file.includes(`"group":{"name":"${own}"`), file.slice(128, 600));
  assert.ok(!Deno.readTextFileSync(`/proc/${keeper}/cgroup`).includes(own), "its keeper sits elsewhere");
  const mark = { runId: child.runId, pid: keeper };
  assert.ok((await m.processes.usage([mark])).get(child.runId)!.memoryBytes! > 0);
  const { killed } = await m.processes.finish(mark, "all");
  assert.ok(killed.some(({ pid }) => pid === child.pid));
  assert.equal((await child.end()).signal, "SIGKILL");
  assert.deepEqual(child.troubles(), []);
  if (!limits.has("pids")) return;
  const bomb = m.launch("for i in 1 2 3 4 5 6; do sleep 60 & done", { limits: { pids: 4 } });
  assert.notEqual((await bomb.exited).code, 0);
  bomb.abandon();
  await m.processes.finish({ runId: bomb.runId, pid: bomb.pid }, "all");
  await until("the keeper lives on", () => Promise.resolve(isAlive(keeper)));
});
