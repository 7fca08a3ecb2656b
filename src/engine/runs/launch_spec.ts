import { runEnvironment } from "../../core/environment.ts";
import { argumentsOf } from "../../core/params.ts";
import type { KeepOrder, LaunchSpec } from "../../io/process/processes.ts";
import type { Run, Unit } from "../../types.ts";

/** What is launched for a run of a unit; `traceparent` is the trace that it belongs to, `keep` by what it outlives the daemon. */
export function launchSpecOf(
  run: Run,
  { unit, traceparent, keep }: {
    unit: Unit;
    traceparent: string | undefined;
    keep?: KeepOrder | undefined;
  },
): LaunchSpec {
  return {
    runId: run.id,
    name: unit.name,
    shell: unit.shell,
    script: unit.run,
    args: unit.kind === "task" ? argumentsOf(unit.params, run.params ?? {}) : [],
    cwd: unit.workingDir,
    envBase: unit.envBase,
    env: {
      ...(traceparent === undefined ? {} : { TRACEPARENT: traceparent }),
      ...runEnvironment(unit, run),
    },
    limits: unit.limits,
    ...(unit.pipefail ? { pipefail: true } : {}),
    ...(unit.umask === undefined ? {} : { umask: unit.umask }),
    ...(unit.user === undefined ? {} : { user: unit.user }),
    ...(keep === undefined ? {} : { keep }),
  };
}
