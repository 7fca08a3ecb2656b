import type { LimitName } from "../../core/limits.ts";
import type { UsageReading } from "../../core/usage.ts";
import type { Limits } from "../../types.ts";
import type { GroupTree } from "./group_probe.ts";

/** Which tree does what: the choice among all that the machine offers. */
export interface GroupPlan {
  /** By this one groups are watched and killed. */
  main: GroupTree;
  memory: GroupTree | undefined;
  /** Counts CPU time. */
  time: GroupTree | undefined;
  cpu: GroupTree | undefined;
  pids: GroupTree | undefined;
  /** Every run joins these; the others only where a limit asks for them. */
  always: GroupTree[];
}

/** A period of the CPU quota, in microseconds, and the least quota that the kernel takes. */
const period = 100_000;
const leastQuota = 1000;

/** Chooses trees; undefined where there are none that groups could be told apart by. */
export function planGroups(trees: readonly GroupTree[]): GroupPlan | undefined {
  const unified = trees.find(({ v2 }) => v2);
  const having = (name: string): GroupTree | undefined =>
    unified?.controllers.has(name) ? unified : trees.find((tree) => !tree.v2 && tree.controllers.has(name));
  const memory = having("memory");
  const pids = having("pids");
  const time = unified ?? having("cpuacct");
  const main = unified ?? memory ?? pids ?? time;
  if (main === undefined) return undefined;
  // Without cgroup.kill it takes a stop to forking to be sure of the end of a tree that grows.
  const wanted = [main, memory, time, ...(unified === undefined ? [pids] : [])];
  const always = [...new Set(wanted.filter((tree) => tree !== undefined))];
  return { main, memory, time, cpu: having("cpu"), pids, always };
}

/** The limits that can be held. */
export function enforcedLimits(plan: GroupPlan | undefined): Set<LimitName> {
  const names: readonly LimitName[] = ["memory", "cpu", "pids"];
  return new Set(names.filter((name) => plan?.[name] !== undefined));
}

/** Whether a path names the groups of an installation, below a place where the kernel shows groups. */
export function isTreeOf(
  path: string,
  { key, mounts }: { key: string; mounts: readonly string[] },
): boolean {
  if (/\s/.test(path) || !path.endsWith(`/svc-${key}`) || path.split("/").includes("..")) return false;
  return mounts.some((mount) => path.startsWith(`${mount}/`));
}

/** Whether a path can name the groups of some installation. */
export function isOwnTree(path: string): boolean {
  return /^\/sys\/fs\/cgroup(\/\S+)?\/svc-[0-9a-f]{16}$/.test(path) && !path.split("/").includes("..");
}

/** Where the warden finds everything; see group_script.ts. */
export function planEnvironment(plan: GroupPlan, trees: readonly GroupTree[]): Record<string, string> {
  return {
    MAIN: plan.main.dir,
    MEM: plan.memory?.dir ?? "",
    MEM_V2: plan.memory?.v2 ? "1" : "",
    CPU: plan.time?.dir ?? "",
    CPU_V2: plan.time?.v2 ? "1" : "",
    PIDS: plan.main.v2 ? "" : plan.pids?.dir ?? "",
    TREES: plan.always.map(({ dir }) => dir).join(" "),
    ALL: trees.map(({ dir }) => dir).join(" "),
  };
}

/**
 * What the launcher does to put itself into a group: "group DIR" makes it where it is missing, "limit NAME FILE
 * VALUE" and "try FILE VALUE" write settings, "join FILE" goes in.
 */
export function joinArguments(plan: GroupPlan, name: string, limits: Limits): string[] {
  const folder = (tree: GroupTree): string => `${tree.dir}/${name}`;
  // A thread that moves itself by "tasks" takes no lock that every fork on the machine would wait for.
  const door = (tree: GroupTree): string => `${folder(tree)}/${tree.v2 ? "cgroup.procs" : "tasks"}`;
  const bound = (["memory", "cpu", "pids"] as const).filter((key) => limits[key] !== undefined);
  const extra = bound.flatMap((key) => plan[key] ?? []);
  const trees = [...new Set([...plan.always, ...extra])];
  return [
    ...trees.flatMap((tree) => ["group", folder(tree)]),
    ...limitArguments(plan, limits, folder),
    ...trees.flatMap((tree) => ["join", door(tree)]),
  ];
}

function limitArguments(
  { memory, cpu, pids }: GroupPlan,
  limits: Limits,
  folder: (tree: GroupTree) => string,
): string[] {
  const args: string[] = [];
  if (limits.memory !== undefined && memory !== undefined) {
    const dir = folder(memory);
    const bytes = String(limits.memory);
    if (memory.v2) {
      args.push("limit", "memory", `${dir}/memory.max`, bytes);
      args.push("try", `${dir}/memory.swap.max`, "0", "try", `${dir}/memory.oom.group`, "1");
    } else {
      args.push("limit", "memory", `${dir}/memory.limit_in_bytes`, bytes);
      args.push("try", `${dir}/memory.memsw.limit_in_bytes`, bytes);
    }
  }
  if (limits.cpu !== undefined && cpu !== undefined) {
    const dir = folder(cpu);
    const quota = String(Math.max(leastQuota, Math.round(limits.cpu * period)));
    if (cpu.v2) args.push("limit", "cpu", `${dir}/cpu.max`, `${quota} ${period}`);
    else {
      args.push("try", `${dir}/cpu.cfs_period_us`, String(period));
      args.push("limit", "cpu", `${dir}/cpu.cfs_quota_us`, quota);
    }
  }
  if (limits.pids !== undefined && pids !== undefined) {
    args.push("limit", "pids", `${folder(pids)}/pids.max`, String(limits.pids));
  }
  return args;
}

/** Reads a line "usage GROUP CPU PEAK NOW OOM"; undefined for another line, and for a group that nothing ran in. */
export function parseUsage(
  line: string,
  plan: GroupPlan,
): { name: string; reading: UsageReading } | undefined {
  const [verb, name, ...words] = line.split(" ");
  if (verb !== "usage" || name === undefined) return undefined;
  const [cpu, peak, now, ooms] = words.map((word) => /^\d+$/.test(word) ? Number(word) : undefined);
  if (!cpu) return undefined;
  // The first version counts nanoseconds, the second microseconds.
  const reading: UsageReading = { cpuMs: cpu / (plan.time?.v2 ? 1e3 : 1e6), oomKills: ooms ?? 0 };
  if (now !== undefined) reading.memoryBytes = now;
  if (peak !== undefined) reading.peakBytes = peak;
  return { name, reading };
}
