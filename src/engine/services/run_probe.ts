import { type ProbeResult, scriptFailure } from "../../core/health_check.ts";
import { runEnvironment } from "../../core/environment.ts";
import { durationWords } from "../../core/time_words.ts";
import { Fault, messageOf } from "../../fault.ts";
import type { LaunchedProcess, ProcessExit, ProcessSink } from "../../io/process/processes.ts";
import type { Run, Service } from "../../types.ts";
import { maskedText } from "../runs/masking.ts";
import type { World } from "../world.ts";

/** A probe that is under way. */
export interface Probe {
  /** Never rejects. */
  result: Promise<ProbeResult>;
  /** Nobody wants to know any more. */
  cancel(): void;
}

/** How long children that hold the pipes of a script that has ended may delay its result, ms. */
const pipeGrace = 500;
/** How much of the end of the output is kept, in characters. */
const keptOutput = 4096;

/** Runs the script of a health check as the instance itself runs: shell, environment, folder, user, umask. */
export function runProbe(
  world: Pick<World, "processes" | "clock" | "log">,
  { service, run, check }: { service: Service; run: Run; check: { run: string; timeout: number } },
): Probe {
  const { promise: result, resolve } = Promise.withResolvers<ProbeResult>();
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  let output = "";
  let exit: ProcessExit | undefined;
  let isDrained = false;
  let isLate = false;
  let cancelTimer = (): void => {};
  const finish = (): void => {
    if (exit === undefined || !isDrained) return;
    cancelTimer();
    resolve(resultOf(exit));
  };
  const sink: ProcessSink = {
    output(stream, chunk) {
      output = (output + decoders[stream].decode(chunk, { stream: true })).slice(-keptOutput);
      return chunk.length;
    },
    exited(ended) {
      if (exit !== undefined) return; // it was told before
      exit = ended;
      cancelTimer();
      cancelTimer = world.clock.after(pipeGrace, end);
      finish();
    },
    pipesClosed() {
      isDrained = true;
      finish();
    },
  };
  const resultOf = (ended: ProcessExit): ProbeResult => {
    if (isLate) return { result: "failed", why: `no answer within ${durationWords(check.timeout)}` };
    if (ended.code === 0 && ended.signal === undefined) return { result: "passed" };
    return { result: "failed", why: maskedText(service, scriptFailure(ended, output)) };
  };
  let process: LaunchedProcess;
  const end = (): void => {
    try {
      process.signal("SIGKILL");
    } catch (error) {
      world.log.warn("cannot end a health check", { service: service.name, error: messageOf(error) });
    }
    process.abandon();
  };
  try {
    process = world.processes.launch({
      runId: run.id,
      name: `${service.name} health check`,
      shell: service.shell,
      script: check.run,
      args: [],
      cwd: service.workingDir,
      envBase: service.envBase,
      env: runEnvironment(service, run),
      limits: service.limits,
      ...(service.pipefail ? { pipefail: true } : {}),
      ...(service.umask === undefined ? {} : { umask: service.umask }),
      ...(service.user === undefined ? {} : { user: service.user }),
    }, sink);
  } catch (error) {
    // What the machine refuses, for want of processes say, is no fault of the service.
    const isMachine = !(error instanceof Fault) || error.code === "internal";
    resolve({ result: isMachine ? "unknown" : "failed", why: maskedText(service, messageOf(error)) });
    return { result, cancel: () => {} };
  }
  if (check.timeout > 0 && exit === undefined) {
    cancelTimer = world.clock.after(check.timeout, () => {
      isLate = true;
      end();
    });
  }
  return {
    result,
    cancel() {
      cancelTimer();
      end();
    },
  };
}
