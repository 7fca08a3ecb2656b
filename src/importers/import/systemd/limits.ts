import type { Told } from "./told.ts";
import { type Assignment, lastOf, type UnitFile } from "./unit_file.ts";

/** The limits of a service that svc can hold, too. */
export function readLimits(unit: UnitFile, told: Told): Record<string, unknown> {
  const of = (key: string): Assignment | undefined => {
    const found = lastOf(unit, "Service", key);
    return found?.value === "infinity" ? undefined : found;
  };
  const memory = of("MemoryMax") ?? of("MemoryLimit");
  const cpu = of("CPUQuota");
  const tasks = of("TasksMax");
  const limits: Record<string, unknown> = {};
  if (memory !== undefined) {
    const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)([KMGT]?)$/.exec(memory.value) ?? [];
    if (amount === undefined) told.refuse(memory, "svc takes bytes, or a number with K, M, G or T");
    else limits["memory"] = unit === "" ? amount : `${amount}${unit.toLowerCase()}ib`;
  }
  if (cpu !== undefined) {
    const percent = /^(\d+(?:\.\d+)?)%$/.exec(cpu.value)?.[1];
    if (percent === undefined) told.refuse(cpu, "percents of one processor are due");
    else limits["cpu"] = Number(percent) / 100;
  }
  if (tasks !== undefined) {
    if (/^\d{1,9}$/.test(tasks.value)) limits["pids"] = Number(tasks.value);
    else told.refuse(tasks, "svc takes a number of processes");
  }
  return limits;
}
