import type { Run, Unit } from "../types.ts";
import { paramEnvironment } from "./params.ts";

/** The variables that a run gets on top of its base (docs/configuration.md#environment-of-a-run): later wins. */
export function runEnvironment(unit: Unit, run: Run): Record<string, string> {
  const params = unit.kind === "task" ? paramEnvironment(unit.params, run.params ?? {}) : {};
  return {
    ...unit.env,
    ...unit.secrets,
    ...params,
    SVC_RUN_ID: run.id,
    SVC_TASK: unit.name,
    SVC_TRIGGER: run.trigger,
    SVC_ATTEMPT: String(run.retryAttempt),
    SVC_INSTANCE: String(run.instance),
  };
}
