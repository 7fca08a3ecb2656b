import type { Config, DaemonSettings, Service, Task, Unit } from "../../src/types.ts";
import { configOf, hour, minute, second, service, task } from "../support/units.ts";
import type { Random } from "./random.ts";

/** Units that a configuration may have; `x` is now a task, now a service. */
export const taskNames = ["t1", "t2", "t3"];
export const serviceNames = ["s1", "s2", "s3"];
export const names = [...taskNames, ...serviceNames, "x"];

/** Moments at which a simulation begins: an ordinary one, and some shortly before a clock is changed. */
export const beginnings = [
  Date.UTC(2027, 0, 15, 12),
  Date.UTC(2027, 0, 15, 23, 58, 30),
  Date.UTC(2027, 2, 28, 0, 57), // Berlin, forward
  Date.UTC(2027, 9, 31, 0, 27), // Berlin, back
  Date.UTC(2027, 9, 31, 0, 57),
  Date.UTC(2027, 10, 7, 5, 57), // New York, back
  Date.UTC(2027, 2, 14, 6, 57), // New York, forward
  Date.UTC(2027, 3, 3, 14, 57), // Lord Howe, back by half an hour
];

const crons = [
  "*/10 * * * * *",
  "*/20 * * * * *",
  "7,37 * * * * *",
  "* * * * *",
  "*/2 * * * *",
  "*/15 * * * *",
  "@hourly",
  "0 30 0-3 * * *",
  "15 1,2 * * *",
  "30 2 * * *",
  "0 0 * * *",
  "@every 25s",
  "@every 3m",
];
const zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"];

/** A configuration from nothing. */
export function firstConfig(random: Random): Config {
  const units = names.filter(() => !random.oneIn(4)).map((name) => randomUnit(random, name));
  return configOf(fit(units), daemon(random));
}

/** Another configuration: some units are gone, came, changed, or are of the other kind. */
export function nextConfig(random: Random, before: Config): Config {
  const units = new Map(before.units.map((unit) => [unit.name, unit]));
  for (const name of names) {
    const known = units.get(name);
    if (!random.oneIn(3)) continue;
    if (known === undefined || random.oneIn(6)) units.set(name, randomUnit(random, name));
    else if (random.oneIn(4)) units.delete(name);
    else units.set(name, changed(random, known));
  }
  return configOf(fit([...units.values()]), random.oneIn(4) ? daemon(random) : before.daemon);
}

/** The same configuration, in which some units can outlive the daemon no more, or again. */
export function withMortals(random: Random, { units, daemon }: Config): Config {
  const mixed = units.map((unit) => random.oneIn(6) ? { ...unit, survive: !unit.survive } : unit);
  return configOf(mixed, daemon);
}

/** The same configuration with `to` places for a task, which queues, or as many instances of a service. */
export function squeezed(before: Config, { name, to }: { name: string; to: number }): Config {
  const units = before.units.map((unit): Unit => {
    if (unit.name !== name) return unit;
    if (unit.kind === "service") return { ...unit, instances: to };
    return { ...unit, maxConcurrent: to, onOverlap: "queue", queueMax: 100, apiTrigger: true };
  });
  return configOf(units, { ...before.daemon, maxParallelRuns: 1 });
}

function daemon(random: Random): Partial<DaemonSettings> {
  return {
    timezone: random.pick(zones),
    maxParallelRuns: random.pick([0, 0, 0, 1, 2, 3]),
    shutdownTimeout: random.pick([0, 2 * second, 10 * second]),
  };
}

function randomUnit(random: Random, name: string): Unit {
  const isTask = name === "x" ? random.oneIn(2) : taskNames.includes(name);
  return isTask ? randomTask(random, name) : randomService(random, name);
}

function changed(random: Random, unit: Unit): Unit {
  const fresh = unit.kind === "task" ? randomTask(random, unit.name) : randomService(random, unit.name);
  const keys = Object.keys(fresh).filter((key) => key !== "name" && key !== "kind" && key !== "place");
  const taken = keys.filter(() => random.oneIn(5));
  const next = { ...unit, ...Object.fromEntries(taken.map((key) => [key, fresh[key as keyof Unit]])) };
  if (next.kind === "task" && next.onOverlap !== "queue" && next.catchUp === "all") next.catchUp = "latest";
  return next;
}

function randomTask(random: Random, name: string): Task {
  const onOverlap = random.weighted([[3, "queue"], [1, "skip"], [2, "terminate"]] as const);
  return task({
    name,
    ...shared(random),
    ...(random.oneIn(4) ? {} : { cron: random.pick(crons) }),
    ...(random.oneIn(2) ? {} : { timezone: random.pick(zones) }),
    onOverlap,
    catchUp: onOverlap === "queue"
      ? random.pick(["latest", "all", "skip"] as const)
      : random.pick(["latest", "skip"] as const),
    maxCatchUpRuns: random.pick([1, 2, 6, 100]),
    maxConcurrent: random.pick([1, 1, 2, 3, 6]),
    queueMax: random.pick([0, 1, 3, 100, 100, 10_000]),
    retryAttempts: random.pick([0, 0, 1, 3]),
    retryDelay: random.pick([0, 500, 5 * second, 40 * second]),
    retryBackoff: random.pick(["constant", "linear", "exponential"] as const),
    jitter: random.pick([0, 0, 0, 2 * second, 20 * second, 3 * minute]),
    runOnStart: random.oneIn(5),
    timeout: random.pick([0, 0, 3 * second, 20 * second]),
  });
}

function randomService(random: Random, name: string): Service {
  const lower = serviceNames.filter((other) => name !== "x" && other < name);
  return service({
    name,
    ...shared(random),
    instances: random.pick([1, 1, 2, 3]),
    autostart: !random.oneIn(4),
    priority: random.below(3),
    dependsOn: lower.filter(() => random.oneIn(3)),
    restart: random.pick(["always", "always", "on_failure", "never"] as const),
    restartDelay: random.pick([500, 1000, 4000]),
    restartBackoff: random.pick(["constant", "linear", "exponential"] as const),
    healthyAfter: random.pick([0, 2 * second, 5 * second]),
    startRetries: random.pick([-1, -1, 0, 2, 5]),
    timeout: random.oneIn(6) ? 20 * second : 0,
  });
}

function shared(random: Random) {
  return {
    run: `v${random.below(4)}`,
    gracefulStop: random.pick([0, 500, 5 * second]),
    stopSignal: random.pick(["SIGTERM", "SIGINT"]),
    killStrays: !random.oneIn(3),
    exitCodes: random.pick([[0], [0], [0, 3]]),
    keepRuns: random.pick([0, 2, 10, 1000]),
    keepFor: random.pick([0, 10 * minute, 2160 * hour]),
    apiTrigger: !random.oneIn(12),
    ...(random.oneIn(4) ? { logMaxSize: 200, logOnFull: "kill_task" as const } : {}),
  };
}

/** Leaves dependencies out that are not there, or are no services. */
function fit(units: readonly Unit[]): Unit[] {
  const services = new Set(units.filter(({ kind }) => kind === "service").map(({ name }) => name));
  return units.map((unit) =>
    unit.kind === "task" ? unit : { ...unit, dependsOn: unit.dependsOn.filter((name) => services.has(name)) }
  );
}
