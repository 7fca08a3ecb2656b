import assert from "node:assert/strict";
import { planGroups } from "../../../src/io/process/group_plan.ts";
import { parseTrees, probeGroups } from "../../../src/io/process/group_probe.ts";
import { gone, isAlive } from "../../support/machine.ts";
import { type Launched, Machine } from "./fixture.ts";
import { GroupMachine, layouts } from "./group_machine.ts";

/** A child that no environment, group or session tells from others, and that no request ends. */
const hidden = `env -i setsid /bin/sh -c 'trap "" TERM; echo "hidden $$"; exec sleep 60' &`;

function pidOf(stdout: string, word = "hidden"): number {
  return Number(new RegExp(`${word} (\\d+)`).exec(stdout)![1]);
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!await holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

for (const [layout, fits] of Object.entries(layouts)) {
  Deno.test(`Groups.finish() kills and names what a run left in its group: ${layout}`, async () => {
    await using m = await GroupMachine.of(fits);
    if (m === undefined) return await withoutGroups();
    const child = m.launch(`${hidden} while :; do setsid sleep 5 & sleep 0.005; done`);
    await child.says("hidden");
    const other = m.launch("echo up; exec sleep 60");
    await other.says("up");
    child.signal("SIGKILL");
    await child.exited;
    child.abandon();
    const { killed, left, used } = await m.groups.finish(child.runId, "strays");
    assert.deepEqual([left, used, killed.some(({ pid }) => pid === pidOf(child.stdout))], [[], true, true]);
    await Promise.all(killed.map(({ pid }) => gone(pid)));
    assert.equal(isAlive(other.pid), true, "a run beside it is not touched");
    await m.groups.kill(other.runId);
    assert.equal((await other.end()).signal, "SIGKILL");
    assert.deepEqual((await m.groups.finish(other.runId, "all")).killed, []);
  });

  Deno.test(`Groups tells what a run uses, at the moment and at its end: ${layout}`, async () => {
    await using m = await GroupMachine.of(fits);
    if (m === undefined) return await withoutGroups();
    const child = m.launch("i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; echo done; sleep 60");
    await child.says("done");
    const now = (await m.groups.usage([child.runId, "unknown"])).get(child.runId);
    assert.ok(now !== undefined && now.cpuMs > 1 && now.cpuMs < 60_000, JSON.stringify(now));
    if (m.plan.memory !== undefined) assert.ok(now.memoryBytes! > 10_000 && now.memoryBytes! < 1e9);
    child.signal("SIGKILL");
    await child.end();
    const { usage } = await m.groups.finish(child.runId, "strays");
    assert.ok(usage!.cpuMs >= now.cpuMs);
    if (m.plan.memory !== undefined) assert.ok(usage!.peakBytes! >= now.memoryBytes! / 2);
    assert.equal(usage!.oomKills, 0);
    assert.equal((await m.groups.usage([child.runId])).size, 0);
  });

  Deno.test(`Groups.killLeftovers() finds what a dead daemon left, but not what it let go: ${layout}`, async () => {
    await using m = await GroupMachine.of(fits);
    if (m === undefined) return await withoutGroups();
    const spared = m.launch(hidden);
    await spared.exited;
    await spared.says("hidden");
    spared.abandon();
    const end = await m.groups.finish(spared.runId, "spare");
    assert.deepEqual([end.killed, end.left, end.used], [[], [], true]);
    const child = m.launch(`${hidden} sleep 60`);
    await child.says("hidden");
    await m.crash();
    const { killed, left } = await m.groups.killLeftovers([]);
    assert.deepEqual(left, []);
    assert.ok(
      killed.some(({ pid }) => pid === child.pid) && killed.some(({ pid }) => pid === pidOf(child.stdout)),
    );
    assert.equal((await child.exited).signal, "SIGKILL");
    child.abandon();
    assert.equal(isAlive(pidOf(spared.stdout)), true);
    Deno.kill(pidOf(spared.stdout), "SIGKILL");
    await until(() => !isAlive(pidOf(spared.stdout)));
  });

  Deno.test(`Groups.close() leaves no group behind: ${layout}`, async () => {
    await using m = await GroupMachine.of(fits);
    if (m === undefined) return await withoutGroups();
    await m.groups.killLeftovers([]);
    const children = Array.from({ length: 40 }, () => m.launch("exit 3"));
    for (const child of children) {
      assert.deepEqual(await child.end(), { code: 3 });
      assert.deepEqual(child.troubles(), []);
    }
    const ends = await Promise.all(children.map(({ runId }) => m.groups.finish(runId, "strays")));
    assert.ok(ends.every(({ used }) => used));
    assert.notDeepEqual(m.groupsThere(), []);
    await m.groups.close();
    assert.deepEqual(m.groupsThere(), []);
  });
}

Deno.test("Groups removes the group of strays that were let go once they have ended", async () => {
  await using m = await GroupMachine.of(layouts["all trees"]!);
  if (m === undefined) return await withoutGroups();
  const child = m.launch(hidden);
  await child.exited;
  await child.says("hidden");
  child.abandon();
  await m.groups.finish(child.runId, "spare");
  Deno.kill(pidOf(child.stdout), "SIGKILL");
  await until(() => !isAlive(pidOf(child.stdout)));
  await m.groups.close();
  assert.deepEqual(m.groupsThere(), []);
});

Deno.test("Groups holds limits: what is beyond them is refused or killed, and counted", async () => {
  await using m = await GroupMachine.of(layouts["all trees"]!);
  if (m === undefined) return await withoutGroups();
  const { memory, pids, cpu } = m.plan;
  if (memory !== undefined) {
    const hog = m.launch("x=$(head -c 200000000 /dev/zero | tr '\\0' x)", { memory: 32_000_000 });
    assert.equal((await hog.end()).signal, "SIGKILL");
    assert.deepEqual(hog.troubles(), []);
    const { usage } = await m.groups.finish(hog.runId, "strays");
    assert.ok(usage!.oomKills >= 1);
    assert.ok(usage!.peakBytes! > 16_000_000 && usage!.peakBytes! <= 33_000_000);
  }
  if (pids !== undefined) {
    const bomb = m.launch("for i in 1 2 3 4 5 6; do sleep 60 & done", { pids: 4 });
    assert.notEqual((await bomb.exited).code, 0);
    bomb.abandon();
    const { killed } = await m.groups.finish(bomb.runId, "strays");
    assert.ok(killed.length > 0 && killed.length <= 4, `${killed.length} children`);
  }
  if (cpu !== undefined) {
    const slow = m.launch("echo ready; sleep 60", { cpu: 0.25 });
    await slow.says("ready");
    const folder = slow.folders.find((one) => one.startsWith(cpu.dir));
    const file = cpu.v2 ? "cpu.max" : "cpu.cfs_quota_us";
    assert.match(Deno.readTextFileSync(`${folder}/${file}`), /^25000\b/);
    await m.groups.kill(slow.runId);
    await slow.end();
    await m.groups.finish(slow.runId, "all");
  }
});

Deno.test("Groups: a limit that the kernel refuses is told, and the run goes on without", async () => {
  await using m = await GroupMachine.of(layouts["all trees"]!);
  if (m?.plan.pids === undefined) return await withoutGroups();
  const child = m.launch("echo on", { pids: -7 });
  assert.deepEqual(await child.end(), { code: 0 });
  assert.equal(child.stdout, "on\n");
  const [trouble, ...more] = child.troubles();
  assert.match(trouble!, /^cannot hold limits\.pids: "-7" was refused by .*pids\.max$/);
  assert.deepEqual([more, child.troubles()], [[], []]);
});

Deno.test("Groups speaks the language of the second version: settings before joining, counters of a run", async () => {
  // Plain folders: they show what is written and read where this machine's controllers are of the first version.
  const dir = `${Deno.makeTempDirSync({ prefix: "svc-fake-" })}/svc-k`;
  const trees = parseTrees(`${dir} v2 cpu memory pids\n`);
  const m = new GroupMachine(planGroups(trees)!, trees);
  const group = `${dir}/r${m.nextRunId}`;
  Deno.mkdirSync(group, { recursive: true });
  for (const file of ["memory.swap.max", "memory.oom.group"]) Deno.writeTextFileSync(`${group}/${file}`, "");
  const child = m.launch("cat memory.max", { memory: 1000, cpu: 2, pids: 7 }, group);
  assert.deepEqual(await child.end(), { code: 0 });
  assert.equal(child.stdout, "1000\n", "it was written before the script");
  const files = [...Deno.readDirSync(group)].map(({ name }) => [
    name,
    Deno.readTextFileSync(`${group}/${name}`).trim(),
  ]);
  assert.deepEqual(Object.fromEntries(files), {
    "cgroup.procs": "0",
    "cpu.max": "200000 100000",
    "memory.max": "1000",
    "memory.oom.group": "1",
    "memory.swap.max": "0",
    "pids.max": "7",
  });
  const counters = {
    "cgroup.events": "populated 0\nfrozen 0\n",
    "cpu.stat": "usage_usec 1500000\nuser_usec 1\nsystem_usec 2\n",
    "memory.peak": "5000\n",
    "memory.current": "4000\n",
    "memory.events": "low 0\nhigh 0\nmax 3\noom 2\noom_kill 1\noom_group_kill 1\n",
  };
  for (const [name, text] of Object.entries(counters)) Deno.writeTextFileSync(`${group}/${name}`, text);
  const usage = { cpuMs: 1500, memoryBytes: 4000, peakBytes: 5000, oomKills: 1 };
  assert.deepEqual((await m.groups.usage([child.runId])).get(child.runId), usage);
  Deno.removeSync(`${group}/memory.peak`); // as before Linux 5.19
  const end = await m.groups.finish(child.runId, "strays");
  assert.deepEqual(end, {
    killed: [],
    left: [],
    used: true,
    usage: { cpuMs: 1500, memoryBytes: 4000, oomKills: 1 },
  });
  await m.groups.close();
  await m.asked.close();
  for (const folder of [dir.replace(/\/[^/]*$/, ""), m.folder]) Deno.removeSync(folder, { recursive: true });
});

Deno.test("Processes with groups end a fork bomb that ignores every request, and sum up the sessions of others", async () => {
  await using m = new Machine();
  const ability = await m.processes.prepare();
  assert.deepEqual(m.processes.groups, ability);
  const bomb = m.launch(
    "trap '' TERM; echo ready; b() { sleep 0.05; b & b; }; b",
    ability.limits.has("pids") ? { limits: { pids: 40 } } : { script: "echo ready; setsid sleep 60 & wait" },
  );
  await bomb.says("ready");
  bomb.signal("SIGTERM");
  const mark = { runId: bomb.runId, pid: bomb.pid };
  if (!ability.limits.has("pids")) await until(async () => (await m.processes.carriers()).size > 1);
  await m.processes.killAll(mark);
  await bomb.exited;
  bomb.abandon();
  const { left } = await m.processes.finish(mark, "all");
  assert.deepEqual(left, []);
  assert.ok(![...(await m.processes.carriers()).values()].includes(bomb.runId));
});

Deno.test("Processes without groups find strays by their run's id, and read usage from the session", async () => {
  await using m = new Machine(); // not prepared: as on a machine that has none
  const child = m.launch(
    "setsid sleep 60 & i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done; echo done; sleep 60",
  );
  await child.says("done");
  const mark = { runId: child.runId, pid: child.pid };
  const reading = (await m.processes.usage([mark])).get(child.runId);
  assert.ok(reading!.cpuMs >= 10 && reading!.memoryBytes! > 100_000, JSON.stringify(reading));
  const own = [...await m.processes.carriers()].filter(([, id]) => id === child.runId).map(([pid]) => pid);
  child.signal("SIGKILL");
  await child.exited;
  child.abandon();
  const spared = await m.processes.finish(mark, "spare");
  assert.deepEqual(spared, { killed: [], left: [] });
  await until(() => own.filter(isAlive).length < 2);
  const stray = own.find(isAlive)!;
  assert.ok(stray > 0, "it was let live");
  assert.deepEqual(await m.processes.finish(mark, "strays"), {
    killed: [{ pid: stray, name: "sleep" }],
    left: [],
  });
});

Deno.test("Processes find what an earlier daemon left in groups elsewhere, and keep off those of another installation", async () => {
  await using m = new Machine();
  if (!(await m.processes.prepare()).available) return await withoutGroups();
  await m.processes.killLeftovers([]);
  const record = `${m.noteFolder}/groups`;
  const [main] = Deno.readTextFileSync(record).split("\n");
  assert.ok(main!.endsWith(`/svc-${m.key}`));
  const elsewhere = main!.replace(/[^/]*$/, `elsewhere-${m.key}`);
  const trees = [`${elsewhere}/svc-${m.key}`, `${elsewhere}/svc-other`];
  const join = 'mkdir -p "$1" && echo $$ > "$1/cgroup.procs" && echo in && exec env -i sleep 60';
  const children: Launched[] = [];
  for (const tree of trees) {
    // One after the other: a folder that is just being made takes no folders yet.
    const child = m.launch(join, { args: [`${tree}/p1`] });
    children.push(child);
    await Promise.race([child.says("in"), child.exited]);
    assert.equal(child.stdout, "in\n", child.stderr);
  }
  Deno.writeTextFileSync(record, trees.map((tree) => `${tree}\n`).join(""));
  const { killed } = await m.processes.killLeftovers([]);
  assert.deepEqual(killed.map(({ pid }) => pid), [children[0]!.pid]);
  await children[0]!.end();
  assert.equal(isAlive(children[1]!.pid), true);
  assert.deepEqual([...Deno.readDirSync(elsewhere)].filter(({ isDirectory }) => isDirectory).length, 1);
  children[1]!.signal("SIGKILL");
  await children[1]!.end();
  for (const folder of [`${trees[1]}/p1`, trees[1]!, elsewhere]) Deno.removeSync(folder);
});

Deno.test("Processes carry variables over that a plain shell would drop, into a group too", async () => {
  await using m = new Machine();
  await m.processes.prepare();
  const child = m.launch("env", { env: { "a.b": "c d", "BASH_FUNC_f%%": "() {  :\n}" } });
  await child.end();
  // The unit's own shell may drop them again: what counts is that the launcher is not the one.
  const direct = new Machine();
  const plain = direct.launch("env", { env: { "a.b": "c d", "BASH_FUNC_f%%": "() {  :\n}" } });
  await plain.end();
  const names = (text: string): string[] =>
    text.split("\n").map((line) => line.split("=")[0]!).filter((name) =>
      !/^(_|SHLVL|PWD|OLDPWD|SVC_RUN_ID)$/.test(name)
    ).sort();
  assert.deepEqual(names(child.stdout), names(plain.stdout));
  await direct[Symbol.asyncDispose]();
});

/** Where the machine allows no groups the tests hold what there is instead: nothing was found, and nothing is left. */
async function withoutGroups(): Promise<void> {
  assert.deepEqual((await probeGroups("none")).trees, []);
  await using m = new Machine();
  assert.deepEqual(await m.processes.prepare(), { available: false, limits: new Set() });
  const child = m.launch("exit 3", { limits: { pids: 10 } });
  assert.deepEqual(await child.end(), { code: 3 });
  assert.deepEqual(await m.processes.finish({ runId: child.runId, pid: child.pid }, "strays"), {
    killed: [],
    left: [],
  });
}

Deno.test("Processes put the probe of an instance into the group of its run, and take nothing from it", async () => {
  await using m = new Machine();
  const { available } = await m.processes.prepare();
  const instance = m.launch("echo up; sleep 60");
  await instance.says("up");
  const probe = m.launch("echo up; sleep 60", { runId: instance.runId, env: { SVC_RUN_ID: instance.runId } });
  await probe.says("up");
  assert.throws(() => m.launch("true", { runId: instance.runId, cwd: "/no/such/folder" }), /no such folder/);
  const { killed } = await m.processes.finish({ runId: instance.runId, pid: instance.pid }, "strays");
  await Promise.all([instance.end(), probe.end()]);
  for (const pid of available ? [instance.pid, probe.pid] : [probe.pid]) {
    assert.ok(killed.some((one) => one.pid === pid && one.name !== ""));
  }
});

Deno.test("Groups gives an empty group to the next run, which is not told what the one before it has used", async () => {
  await using m = await GroupMachine.of(layouts["trees of the first version alone"]!);
  if (m === undefined) return await withoutGroups();
  const busy = m.launch("i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done");
  await busy.end();
  const first = await m.groups.finish(busy.runId, "strays");
  const before = m.groupsThere();
  const quick = m.launch("true");
  await quick.end();
  const second = await m.groups.finish(quick.runId, "strays");
  assert.equal(second.used, true);
  assert.ok(
    second.usage!.cpuMs < first.usage!.cpuMs / 2,
    `${second.usage!.cpuMs} of ${first.usage!.cpuMs} ms`,
  );
  const limited = m.launch("true", { pids: 50 });
  await limited.end();
  assert.ok((await m.groups.finish(limited.runId, "strays")).used);
  const after = m.launch("ulimit -a > /dev/null; for i in 1 2 3; do (sleep 0.01) & done; wait");
  assert.equal((await after.end()).code, 0);
  await m.groups.finish(after.runId, "strays");
  assert.deepEqual(m.groupsThere(), before, "no more were made");
});
