import { runEnvironment } from "../../core/environment.ts";
import { argumentsOf } from "../../core/params.ts";
import type { LaunchSpec } from "../../io/process/processes.ts";
import type { Run, Unit } from "../../types.ts";

/** What is launched for a run of a unit; `traceparent` is the trace that it belongs to. */
export function launchSpecOf(
  run: Run,
  { unit, traceparent }: { unit: Unit; traceparent: string | undefined },
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
  };
}
