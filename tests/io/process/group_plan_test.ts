import assert from "node:assert/strict";
import {
  enforcedLimits,
  joinArguments,
  parseUsage,
  planEnvironment,
  planGroups,
} from "../../../src/io/process/group_plan.ts";
import { parseTrees } from "../../../src/io/process/group_probe.ts";

const pure = { permissions: "none" } as const;

const pureV2 = parseTrees("/g/svc-k v2 cpu memory pids\n");
const bareV2 = parseTrees("/g/svc-k v2\n");
const hybrid = parseTrees(
  "/c/svc-k v cpu\n/a/svc-k v cpuacct\n/m/svc-k v memory\n/p/svc-k v pids\n/u/svc-k v2\n",
);
const oldOnly = parseTrees("/c/svc-k v cpu cpuacct\n/m/svc-k v memory\n/p/svc-k v pids\n");
const all = { memory: 64_000_000, cpu: 1.5, pids: 20 };

Deno.test("parseTrees() passes over what is no tree, and a hierarchy that is mounted twice", pure, () => {
  assert.deepEqual(parseTrees("nonsense\n/m v3 x\n/m/svc-k v memory\n/again/svc-k v memory\n"), [
    { dir: "/m/svc-k", v2: false, controllers: new Set(["memory"]) },
  ]);
  assert.deepEqual(parseTrees(""), []);
});

Deno.test("planGroups() makes do with what there is, and without trees makes none", pure, () => {
  assert.equal(planGroups([]), undefined);
  assert.deepEqual(enforcedLimits(undefined), new Set());
  const held = (trees: typeof pureV2): string[] => [...enforcedLimits(planGroups(trees))].sort();
  assert.deepEqual(held(pureV2), ["cpu", "memory", "pids"]);
  assert.deepEqual(held(bareV2), []);
  assert.deepEqual(held(hybrid), ["cpu", "memory", "pids"]);
  assert.deepEqual(held(oldOnly), ["cpu", "memory", "pids"]);
  const always = (trees: typeof pureV2): string[] => planGroups(trees)!.always.map(({ dir }) => dir);
  assert.deepEqual(always(pureV2), ["/g/svc-k"]);
  assert.deepEqual(always(hybrid), ["/u/svc-k", "/m/svc-k"]);
  assert.deepEqual(always(oldOnly), ["/m/svc-k", "/c/svc-k", "/p/svc-k"]);
});

Deno.test("planEnvironment() lets forks be stopped only where a group can't be killed at once", pure, () => {
  assert.equal(planEnvironment(planGroups(pureV2)!, pureV2)["PIDS"], "");
  const old = planEnvironment(planGroups(oldOnly)!, oldOnly);
  assert.equal(old["PIDS"], "/p/svc-k");
  assert.equal(old["MAIN"], "/m/svc-k");
  assert.deepEqual([old["CPU"], old["CPU_V2"], old["MEM_V2"]], ["/c/svc-k", "", ""]);
});

Deno.test("joinArguments() writes limits of the second version between making and joining", pure, () => {
  assert.deepEqual(joinArguments(planGroups(pureV2)!, "p1", all), [
    ...["group", "/g/svc-k/p1"],
    ...["limit", "memory", "/g/svc-k/p1/memory.max", "64000000"],
    ...["try", "/g/svc-k/p1/memory.swap.max", "0", "try", "/g/svc-k/p1/memory.oom.group", "1"],
    ...["limit", "cpu", "/g/svc-k/p1/cpu.max", "150000 100000"],
    ...["limit", "pids", "/g/svc-k/p1/pids.max", "20"],
    ...["join", "/g/svc-k/p1/cgroup.procs"],
  ]);
});

Deno.test("joinArguments() goes into the trees of cpu and pids only where a limit asks for it", pure, () => {
  const plan = planGroups(hybrid)!;
  assert.deepEqual(joinArguments(plan, "p1", {}), [
    ...[
      "group",
      "/u/svc-k/p1",
      "group",
      "/m/svc-k/p1",
      "join",
      "/u/svc-k/p1/cgroup.procs",
      "join",
      "/m/svc-k/p1/tasks",
    ],
  ]);
  assert.deepEqual(joinArguments(plan, "p1", { cpu: 0.001 }), [
    ...["group", "/u/svc-k/p1", "group", "/m/svc-k/p1", "group", "/c/svc-k/p1"],
    ...["try", "/c/svc-k/p1/cpu.cfs_period_us", "100000"],
    ...["limit", "cpu", "/c/svc-k/p1/cpu.cfs_quota_us", "1000"],
    ...["join", "/u/svc-k/p1/cgroup.procs", "join", "/m/svc-k/p1/tasks", "join", "/c/svc-k/p1/tasks"],
  ]);
});

Deno.test("joinArguments() passes over limits that can't be held", pure, () => {
  assert.deepEqual(joinArguments(planGroups(bareV2)!, "p1", all), [
    "group",
    "/g/svc-k/p1",
    "join",
    "/g/svc-k/p1/cgroup.procs",
  ]);
});

Deno.test(
  "parseUsage() reads microseconds or nanoseconds, and tells a group that nothing ran in",
  pure,
  () => {
    const reading = { cpuMs: 2, oomKills: 1, memoryBytes: 10, peakBytes: 20 };
    assert.deepEqual(parseUsage("usage p1 2000 20 10 1", planGroups(hybrid)!), { name: "p1", reading });
    assert.deepEqual(parseUsage("usage p1 2000000 20 10 1", planGroups(oldOnly)!), { name: "p1", reading });
    assert.deepEqual(parseUsage("usage p1 2000 - - -", planGroups(bareV2)!), {
      name: "p1",
      reading: { cpuMs: 2, oomKills: 0 },
    });
    assert.equal(parseUsage("usage p1 0 0 0 0", planGroups(hybrid)!), undefined);
    assert.equal(parseUsage("usage p1 - - - -", planGroups(hybrid)!), undefined);
    assert.equal(parseUsage("killed p1 7", planGroups(hybrid)!), undefined);
  },
);
