/** Units and runs as the API tells them, for tests of views. */
import type { Run } from "../../ui/data/runs.ts";
import type { Unit } from "../../ui/data/units.ts";

/** Unix ms of 2026-11-28T12:00:00Z, when all samples are looked at. */
export const noon = Date.UTC(2026, 10, 28, 12);

/** A time so many seconds after noon, RFC 3339. */
export function at(seconds: number): string {
  return new Date(noon + seconds * 1000).toISOString();
}

/** A run that ended well and took 2 s, unless told otherwise. Ids in the order of their names sort by time. */
export function aRun(id: string, rest: Partial<Run> = {}): Run {
  return {
    id,
    task_name: "backup",
    status: "ended",
    exit_code: 0,
    triggered_by: "cron",
    created_at: at(-60),
    retry_attempt: 0,
    instance_index: 0,
    start_at: at(-60),
    end_at: at(-58),
    end_reason: "success",
    ...rest,
  };
}

/** A task without anything special, unless told otherwise. */
export function aTask(name: string, rest: Partial<Unit> = {}): Unit {
  return {
    name,
    description: "",
    kind: "task",
    group: "",
    api_trigger: true,
    restart: "never",
    exit_codes: [0],
    timeout: 0,
    graceful_stop: 5e9,
    keep_runs: 1000,
    keep_for: 90 * 86400e9,
    log_max_size: 100e6,
    log_on_full: "drop_old",
    run: "true",
    shell: "/bin/sh",
    working_dir: "/srv",
    env: {},
    active_runs: 0,
    queued_runs: 0,
    ...rest,
  };
}

/** A service with one healthy instance, unless told otherwise. */
export function aService(name: string, rest: Partial<Unit> = {}): Unit {
  return aTask(name, {
    kind: "service",
    restart: "always",
    instances: 1,
    healthy_instances: 1,
    service_state: "running",
    ...rest,
  });
}
