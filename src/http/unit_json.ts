import type { UnitView } from "../engine/engine.ts";
import type { Param, Service, Task, Unit } from "../types.ts";
import { isoTime, type Mask, masked, runJson } from "./run_json.ts";
import type { TaskBriefJson, TaskParamJson, TaskResponseJson } from "./schemas/unit.ts";

/** A text of one unit, as it may be told. */
type Told = (text: string) => string;

/** A unit's definition and what is known of it; secrets and tokens are left out, and masked where else they stand. */
export function unitJson(view: UnitView, mask: Mask): TaskResponseJson {
  const { unit } = view;
  const told = (text: string): string => mask(unit.name, text);
  return {
    name: unit.name,
    description: told(unit.description),
    kind: unit.kind,
    group: unit.group,
    api_trigger: unit.apiTrigger,
    restart: restartOf(unit),
    exit_codes: unit.exitCodes,
    timeout: nanoseconds(unit.timeout),
    graceful_stop: nanoseconds(unit.gracefulStop),
    keep_runs: unit.keepRuns,
    keep_for: nanoseconds(unit.keepFor),
    log_max_size: unit.logMaxSize,
    log_on_full: unit.logOnFull,
    run: told(unit.run),
    shell: unit.shell,
    working_dir: unit.workingDir,
    env: masked(unit.env, told),
    ...(unit.envFile === undefined ? {} : { env_file: unit.envFile }),
    ...(unit.secretsFile === undefined ? {} : { secrets_file: unit.secretsFile }),
    ...(view.lastRun === undefined ? {} : { last_run: runJson(view.lastRun, mask) }),
    ...(view.usage === undefined
      ? {}
      : { usage: { cpu_percent: view.usage.cpuPercent, memory_bytes: Math.round(view.usage.memoryBytes) } }),
    ...(unit.kind === "task" ? taskJson(unit, view, told) : serviceJson(unit, view)),
  };
}

/** The short form that DaemonInfo lists. */
export function unitBrief(unit: Unit, mask: Mask): TaskBriefJson {
  const shared = {
    name: unit.name,
    api_trigger: unit.apiTrigger,
    kind: unit.kind,
    group: unit.group,
    restart: restartOf(unit),
  };
  if (unit.kind === "service") return { ...shared, depends_on: unit.dependsOn, instances: unit.instances };
  return {
    ...shared,
    catch_up: unit.catchUp,
    on_overlap: unit.onOverlap,
    max_concurrent: unit.maxConcurrent,
    parameters: unit.params.map((param) => paramJson(param, (text) => mask(unit.name, text))),
    ...(unit.cron === undefined ? {} : { cron: unit.cron }),
  };
}

function taskJson(task: Task, view: UnitView, told: Told): Partial<TaskResponseJson> {
  return {
    ...(task.cron === undefined ? {} : { cron: task.cron }),
    ...(view.timezone === undefined ? {} : { timezone: view.timezone }),
    ...(view.nextRunAt === undefined ? {} : { next_run_at: isoTime(view.nextRunAt) }),
    ...(view.pausedAt === undefined ? {} : { paused_at: isoTime(view.pausedAt) }),
    run_on_start: task.runOnStart,
    jitter: nanoseconds(task.jitter),
    catch_up: task.catchUp,
    max_catch_up_runs: task.maxCatchUpRuns,
    on_overlap: task.onOverlap,
    max_concurrent: task.maxConcurrent,
    queue_max: task.queueMax,
    retry_attempts: task.retryAttempts,
    retry_delay: nanoseconds(task.retryDelay),
    retry_backoff: task.retryBackoff,
    parameters: task.params.map((param) => paramJson(param, told)),
    active_runs: view.active,
    queued_runs: view.queued,
  };
}

function serviceJson(service: Service, view: UnitView): Partial<TaskResponseJson> {
  return {
    instances: service.instances,
    autostart: service.autostart,
    priority: service.priority,
    depends_on: service.dependsOn,
    restart_delay: nanoseconds(service.restartDelay),
    restart_backoff: service.restartBackoff,
    healthy_after: nanoseconds(service.healthyAfter),
    start_retries: service.startRetries,
    ...(view.service === undefined
      ? {}
      : { service_state: view.service.state, healthy_instances: view.service.healthyInstances }),
    ...(service.compose === undefined ? {} : {
      compose: {
        file: service.compose.file,
        project_name: service.compose.projectName,
        service: service.compose.service,
      },
    }),
  };
}

function paramJson(param: Param, told: Told): TaskParamJson {
  return {
    kind: param.kind,
    key: param.key,
    type: param.type,
    required: param.required,
    allow_custom: param.allowCustom,
    ...(param.default === undefined ? {} : { default: told(param.default) }),
    ...(param.description === undefined ? {} : { description: told(param.description) }),
    ...(param.choices === undefined ? {} : { choices: param.choices.map(told) }),
  };
}

/** Contract 2: the restart field of a task says whether it retries. */
function restartOf(unit: Unit): "never" | "always" | "on_failure" {
  if (unit.kind === "service") return unit.restart;
  return unit.retryAttempts > 0 ? "on_failure" : "never";
}

function nanoseconds(ms: number): number {
  return Math.round(ms * 1e6);
}
