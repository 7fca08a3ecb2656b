import { defaultFailures } from "../../src/core/outcome.ts";
import { readFailure } from "../../src/core/config/failures.ts";
import type {
  Config,
  DaemonSettings,
  FailureRule,
  HealthCheck,
  Param,
  Run,
  Service,
  Task,
  Unit,
  UnitBase,
} from "../../src/types.ts";

/** 2027-01-15 12:00:00 UTC, a Friday: where the time of most tests begins. */
export const noon = Date.UTC(2027, 0, 15, 12);

export const second = 1000;
export const minute = 60_000;
export const hour = 3_600_000;
export const day = 86_400_000;

/** A task with the defaults of the configuration file. */
export function task(own: Partial<Task> & { name: string }): Task {
  return {
    ...base(own.name),
    kind: "task",
    jitter: 0,
    runOnStart: false,
    catchUp: "latest",
    maxCatchUpRuns: 100,
    onOverlap: "queue",
    maxConcurrent: 1,
    queueMax: 100,
    retryAttempts: 0,
    retryDelay: 5000,
    retryBackoff: "constant",
    expectEvery: 0,
    params: [],
    ...own,
  };
}

/** A service with the defaults of the configuration file. */
export function service(own: Partial<Service> & { name: string }): Service {
  return {
    ...base(own.name),
    kind: "service",
    instances: 1,
    autostart: true,
    priority: 0,
    dependsOn: [],
    restart: "always",
    restartDelay: 1000,
    restartBackoff: "exponential",
    healthyAfter: 5000,
    startRetries: -1,
    ...own,
  };
}

export function param(own: Partial<Param> & { kind: Param["kind"]; key: string }): Param {
  return { type: "string", required: false, allowCustom: false, ...own };
}

/** A health check with the defaults of the configuration file. */
export function check(probe: HealthCheck["probe"], own: Partial<HealthCheck> = {}): HealthCheck {
  return { probe, interval: 10_000, timeout: 5000, retries: 2, startPeriod: 0, ...own };
}

/** The failure rules that words of the configuration file mean. */
export function failures(...words: string[]): FailureRule[] {
  return words.map((word) => {
    const read = readFailure(word);
    if ("value" in read) return read.value;
    throw new RangeError(`"${word}": ${JSON.stringify(read)}`);
  });
}

/** A checked configuration of these units. */
export function configOf(units: readonly Unit[], daemon: Partial<DaemonSettings> = {}): Config {
  return {
    path: "/etc/test/svc.toml",
    daemon: {
      timezone: "UTC",
      shutdownTimeout: 10_000,
      externalUrl: "",
      tls: "off",
      trustedProxies: [],
      maxParallelRuns: 0,
      metrics: false,
      storageMaxSize: 10e9,
      storageMinFreeSpace: 0,
      ...daemon,
    },
    notify: {
      globalNotifiers: [],
      coalesceWindow: hour,
      keep: 1024,
      keepFor: 90 * day,
      retryBudget: 5 * minute,
      notifiers: [],
      routes: [],
    },
    removedKeepRuns: 1000,
    removedKeepFor: 90 * day,
    units: [...units].sort((a, b) => a.name < b.name ? -1 : 1),
    compose: [],
    sources: [],
    includeGlobs: [],
    secretVariables: [],
  };
}

/** A run that is pending, unless its fields say otherwise. */
export function run(own: Partial<Run> & { id: string }): Run {
  return {
    unit: "t",
    status: "pending",
    exitCode: 0,
    trigger: "api",
    createdAt: noon,
    isFailure: false,
    retryAttempt: 0,
    instance: 0,
    ...own,
  };
}

function base(name: string): UnitBase {
  return {
    name,
    run: "true",
    description: "",
    group: "",
    apiTrigger: true,
    timeout: 0,
    gracefulStop: 5000,
    stopSignal: "SIGTERM",
    killStrays: true,
    survive: true,
    exitCodes: [0],
    failures: failures(...defaultFailures),
    workingDir: "/",
    shell: "/bin/sh",
    envBase: "inherit",
    env: {},
    secrets: {},
    keepRuns: 1000,
    keepFor: 90 * day,
    logMaxSize: 100e6,
    logOnFull: "drop_old",
    hookTokens: [],
    notify: [],
    limits: {},
    place: { file: "/etc/test/svc.toml", line: 1, column: 1 },
  };
}
