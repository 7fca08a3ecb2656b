import { formatDuration } from "../../../src/core/duration.ts";
import { sizeWords } from "../../../src/core/size.ts";
import type { UnitConfig } from "./unit_config.ts";

/** One key of a unit with its value in words. `isDefault`: what svc takes where nothing is said. */
export interface DefinitionRow {
  key: string;
  text: string;
  isDefault: boolean;
}

export interface DefinitionGroup {
  title: string;
  rows: DefinitionRow[];
}

const [second, hour] = [1e9, 3600e9];

/** A unit's effective values in groups, those that need no second look first. */
export function definitionOf(unit: UnitConfig): DefinitionGroup[] {
  const groups: DefinitionGroup[] = [
    { title: "Start", rows: startRows(unit) },
    ...(unit.kind === "task"
      ? [{ title: "Schedule", rows: scheduleRows(unit) }, { title: "Retries", rows: retryRows(unit) }]
      : [{ title: "Service", rows: serviceRows(unit) }]),
    ...(unit.health_check === undefined
      ? []
      : [{ title: "Health check", rows: healthRows(unit.health_check) }]),
    { title: "End", rows: endRows(unit) },
    { title: "Limits", rows: limitRows(unit) },
    { title: "Logs and runs kept", rows: keepRows(unit) },
  ];
  return groups.filter(({ rows }) => rows.length > 0);
}

function startRows(unit: UnitConfig): DefinitionRow[] {
  return [
    row("shell", unit.shell, "/bin/sh"),
    { key: "working_dir", text: unit.working_dir, isDefault: false },
    ...given("user", unit.user),
    ...given("umask", unit.umask),
    row("env_base", unit.env_base, "inherit"),
    ...given("env_file", unit.env_file),
    ...given("secrets_file", unit.secrets_file),
    row("api_trigger", yesNo(unit.api_trigger), "yes"),
  ];
}

function scheduleRows(unit: UnitConfig): DefinitionRow[] {
  return [
    ...given("cron", unit.cron),
    ...(unit.cron === undefined ? [] : given("timezone", unit.timezone)),
    row("run_on_start", yesNo(unit.run_on_start), "no"),
    time("jitter", unit.jitter, 0),
    row("catch_up", unit.catch_up, "latest"),
    ...(unit.catch_up === "all" ? [row("max_catch_up_runs", unit.max_catch_up_runs, 100)] : []),
    row("on_overlap", unit.on_overlap, "queue"),
    row("max_concurrent", unit.max_concurrent, 1),
    row("queue_max", unit.queue_max, 100),
    unit.expect_every === "auto"
      ? row("expect_every", "auto", "")
      : time("expect_every", unit.expect_every, 0),
    unit.warn_after === undefined
      ? row("warn_after", "three times as long as usual", "three times as long as usual")
      : { ...time("warn_after", unit.warn_after, 0), isDefault: false },
  ];
}

function retryRows(unit: UnitConfig): DefinitionRow[] {
  const attempts = row("retry_attempts", unit.retry_attempts, 0);
  if (unit.retry_attempts === 0) return [attempts];
  return [
    attempts,
    time("retry_delay", unit.retry_delay, 5 * second),
    row("retry_backoff", unit.retry_backoff, "constant"),
  ];
}

function serviceRows(unit: UnitConfig): DefinitionRow[] {
  return [
    row("instances", unit.instances, 1),
    row("autostart", yesNo(unit.autostart), "yes"),
    row("priority", unit.priority, 0),
    row("depends_on", (unit.depends_on ?? []).join(", "), ""),
    row("restart", unit.restart, "always"),
    time("restart_delay", unit.restart_delay, second),
    row("restart_backoff", unit.restart_backoff, "exponential"),
    time("healthy_after", unit.healthy_after, 5 * second),
    row("start_retries", unit.start_retries === -1 ? "without end" : unit.start_retries, "without end"),
  ];
}

function healthRows(check: NonNullable<UnitConfig["health_check"]>): DefinitionRow[] {
  return [
    ...given("run", check.run),
    ...given("http", check.http),
    ...given("tcp", check.tcp),
    time("interval", check.interval, 10 * second),
    time("timeout", check.timeout, 5 * second),
    row("retries", check.retries, 2),
    time("start_period", check.start_period, 0),
  ];
}

const failures =
  "failed, timeout, crashed, log_overflow, start_failed, unhealthy, missed, queue_full, daemon_stopped";

function endRows(unit: UnitConfig): DefinitionRow[] {
  return [
    row("exit_codes", (unit.exit_codes ?? []).join(", "), "0"),
    row("failures", unit.failures.join(", "), failures),
    time("timeout", unit.timeout, 0),
    time("graceful_stop", unit.graceful_stop, 5 * second),
    row("stop_signal", unit.stop_signal, "SIGTERM"),
    row("kill_strays", yesNo(unit.kill_strays), "yes"),
    row("survive", yesNo(unit.survive), "yes"),
    row("pipefail", yesNo(unit.pipefail), "no"),
    ...(unit.notify.length === 0 ? [] : given("notify", unit.notify.join(", "))),
  ];
}

function limitRows({ limits }: UnitConfig): DefinitionRow[] {
  const { memory, cpu, pids } = limits;
  return [
    row("memory", memory === undefined ? "none" : sizeWords(memory), "none"),
    row("cpu", cpu === undefined ? "none" : `${cpu} ${cpu === 1 ? "core" : "cores"}`, "none"),
    row("pids", pids ?? "none", "none"),
  ];
}

function keepRows(unit: UnitConfig): DefinitionRow[] {
  return [
    row("keep_runs", unit.keep_runs, 1000),
    time("keep_for", unit.keep_for, 90 * 24 * hour),
    row("log_max_size", sizeWords(unit.log_max_size), "100 MB"),
    row("log_on_full", unit.log_on_full, "drop_old"),
  ];
}

function row(key: string, value: string | number | undefined, preset: string | number): DefinitionRow {
  const text = value === undefined || value === "" ? "none" : String(value);
  return { key, text, isDefault: value === undefined || String(value) === String(preset) };
}

/** `value` and `preset` are nanoseconds; 0 stands for none. */
function time(key: string, value: number | undefined, preset: number): DefinitionRow {
  return {
    key,
    text: value ? formatDuration(value / 1e6) : "none",
    isDefault: (value ?? 0) === preset,
  };
}

function given(key: string, value: string | undefined): DefinitionRow[] {
  return value === undefined || value === "" ? [] : [{ key, text: value, isDefault: false }];
}

function yesNo(value: boolean | undefined): string {
  return value ? "yes" : "no";
}
