import { docker } from "../../io/docker.ts";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { unheldLimits } from "../../core/limits.ts";
import { nearest } from "../../core/nearest.ts";
import { Bus } from "../../engine/bus.ts";
import { maskedText, maskEverywhere } from "../../engine/runs/masking.ts";
import { Refusals } from "../../engine/refusals.ts";
import { Ledger } from "../../engine/runs/ledger.ts";
import { Runner } from "../../engine/runs/runner.ts";
import { paramsFor } from "../../engine/unit_requests.ts";
import { Fault } from "../../fault.ts";
import { systemClock } from "../../io/clock.ts";
import { loadConfigFile } from "../../io/config_files.ts";
import { daemonLog, writeToStderr } from "../../io/daemon_log.ts";
import { ulidSource } from "../../io/ids.ts";
import { systemProcesses } from "../../io/process/system.ts";
import { Store } from "../../io/store/store.ts";
import type { Run, Task } from "../../types.ts";
import { findPlaces, type PlaceFlags } from "../places.ts";
import { renderProblem } from "../validate.ts";
import { type Echo, EchoLogs } from "./echo_logs.ts";

/** What is to be run without a daemon, and who hears of it. */
export interface StandaloneOrder {
  task: string;
  params: Record<string, string>;
  echo: Echo;
  /** Calls `listener` for each request to end; the result ends that. */
  onInterrupt(listener: () => void): () => void;
}

/** A run that has ended, and what masks the secrets of its task in what is told of it. */
export interface StandaloneRun {
  run: Run;
  mask: (text: string) => string;
}

/**
 * Runs a task to its end with the parts that a daemon runs it with, but without its schedule, its limits of runs at
 * once, retries, notifications and history. The first request to end goes through the stop ladder, the second
 * kills. Throws `Fault` where there is no such task, or no configuration to find it in.
 */
export async function runStandalone(flags: PlaceFlags, order: StandaloneOrder): Promise<StandaloneRun> {
  const { configPath, dataDir } = findPlaces(flags);
  const { task, secretVariables } = await taskOf(configPath, order.task);
  const params = paramsFor(task, order.params);
  const now = systemClock.now();
  const run: Run = {
    id: ulidSource(systemClock.now)(),
    unit: task.name,
    status: "pending",
    exitCode: 0,
    trigger: "cli",
    createdAt: now,
    isFailure: false,
    retryAttempt: 0,
    instance: 0,
    ...(Object.keys(params).length > 0 ? { params } : {}),
  };
  const folder = Deno.makeTempDirSync({ prefix: "svc-run-" });
  try {
    const ended = await execute(run, task, { ...order, folder, key: keyOf(dataDir), secretVariables });
    return { run: ended, mask: (text) => maskedText(task, text) };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

async function execute(
  run: Run,
  task: Task,
  { folder, key, secretVariables, echo, onInterrupt }: StandaloneOrder & {
    folder: string;
    key: string;
    secretVariables: readonly string[];
  },
): Promise<Run> {
  // The launcher of a run leaves its notes there.
  Deno.mkdirSync(`${folder}/notes`, { mode: 0o700 });
  const processes = systemProcesses({ noteFolder: `${folder}/notes`, key });
  maskEverywhere(processes.hide(secretVariables));
  const store = new Store(":memory:");
  const logs = new EchoLogs(`${folder}/logs`, { timer: systemClock, echo });
  const log = daemonLog({ level: "warn", format: "text", times: false, now: Date.now, write: writeToStderr });
  const ledger = new Ledger(systemClock);
  const runner = new Runner(
    {
      clock: systemClock,
      processes,
      store,
      logs,
      log,
      refusals: new Refusals({ clock: systemClock, log }),
      docker,
    },
    new Bus(),
    { ledger, bootId: "" },
  );
  let requests = 0;
  const stop = (): void => {
    requests++;
    if (requests === 1) runner.stop(run.id, "stopped");
    else runner.kill(run.id, "stopped");
  };
  const releases = [onInterrupt(stop), onSignals(stop)];
  try {
    const held = await processes.prepare();
    for (const sentence of unheldLimits([task], held)) echo.say(sentence);
    store.runs.insert(run);
    ledger.add(run, "launching");
    runner.usage.start();
    const { promise, resolve } = Promise.withResolvers<Run>();
    runner.start(run.id, task, { ended: resolve });
    // Asked to end before there was anything to end.
    for (let n = 0; n < requests; n++) {
      n === 0 ? runner.stop(run.id, "stopped") : runner.kill(run.id, "stopped");
    }
    return await promise;
  } finally {
    for (const release of releases) release();
    runner.usage.stop();
    await processes.close();
    await logs.synced();
    store.close();
  }
}

/** The run sits in a session of its own: what would end this program alone must end the run, too. */
function onSignals(stop: () => void): () => void {
  const signals = ["SIGHUP", "SIGQUIT"] as const;
  for (const signal of signals) Deno.addSignalListener(signal, stop);
  return () => {
    for (const signal of signals) Deno.removeSignalListener(signal, stop);
  };
}

async function taskOf(
  path: string,
  name: string,
): Promise<{ task: Task; secretVariables: readonly string[] }> {
  const { config, errors } = await loadConfigFile(path);
  if (config === undefined || errors.length > 0) {
    throw new Fault(
      "invalid",
      `cannot run "${name}": "${path}" has ${errors.length} ${errors.length === 1 ? "error" : "errors"}`,
      errors.map((problem) => ({ location: "", message: renderProblem(problem) })),
    );
  }
  const unit = config.units.find((one) => one.name === name);
  if (unit?.kind === "task") return { task: unit, secretVariables: config.secretVariables };
  if (unit !== undefined) {
    throw new Fault("invalid", `cannot run "${name}": it is a service, and only a daemon keeps those up`);
  }
  const close = nearest(name, config.units.map((one) => one.name));
  const hint = close === undefined ? `look into "${path}"` : `did you mean "${close}"?`;
  throw new Fault("not_found", `no unit "${name}": ${hint}`);
}

/** Names the control groups: others than the daemon's, which kills what it finds in its own. */
function keyOf(dataDir: string): string {
  return sha256(utf8ToBytes(`standalone ${dataDir}`)).toHex().slice(0, 16);
}
