import type { ComposeImport, Config, FailureRule, HealthCheck, Unit } from "../types.ts";
import type { Mask } from "./run_json.ts";
import type { ConfigJson, HealthCheckJson, UnitConfigJson } from "./schemas/config.ts";
import { unitJson } from "./unit_json.ts";

/**
 * The configuration in force, all defaults applied. Left out are secrets, hook tokens, settings of notifiers, ping
 * addresses (who knows one may use it), user and password in other addresses, the query of health checks, and the values of compose overrides.
 * `timezone` is the one of schedules that name none.
 */
export function configJson(config: Config, { timezone, mask }: { timezone: string; mask: Mask }): ConfigJson {
  const { daemon, notify } = config;
  return {
    path: config.path,
    sources: config.sources.map(({ path }) => path),
    include: config.includeGlobs,
    daemon: {
      timezone,
      shutdown_timeout: nanoseconds(daemon.shutdownTimeout),
      external_url: withoutUser(daemon.externalUrl),
      tls: daemon.tls,
      ...given("tls_cert", daemon.tlsCert),
      ...given("tls_key", daemon.tlsKey),
      trusted_proxies: daemon.trustedProxies,
      max_parallel_runs: daemon.maxParallelRuns,
      metrics: daemon.metrics,
      ...given("metrics_listen", daemon.metricsListen),
    },
    storage: { max_size: daemon.storageMaxSize, min_free_space: daemon.storageMinFreeSpace },
    removed_units: { keep_runs: config.removedKeepRuns, keep_for: nanoseconds(config.removedKeepFor) },
    notify: {
      global_notifiers: notify.globalNotifiers,
      coalesce_window: nanoseconds(notify.coalesceWindow),
      keep: notify.keep,
      keep_for: nanoseconds(notify.keepFor),
      retry_budget: nanoseconds(notify.retryBudget),
    },
    notifiers: notify.notifiers.map(({ id, type, template }) => ({
      id,
      type,
      ...given("template", template),
    })),
    routes: notify.routes.map(({ kinds, severity, task, failure, notify }) => ({
      kinds,
      ...given("severity", severity),
      ...given("task", task),
      ...given("failure", failure),
      notify,
    })),
    units: config.units.map((unit) => unitConfigJson(unit, { timezone, mask })),
    compose: config.compose.map(composeJson),
  };
}

function unitConfigJson(unit: Unit, { timezone, mask }: { timezone: string; mask: Mask }): UnitConfigJson {
  const isScheduled = unit.kind === "task" && unit.cron !== undefined;
  const { active_runs: _active, queued_runs: _queued, ...definition } = unitJson({
    unit,
    active: 0,
    queued: 0,
    ...(isScheduled ? { timezone: unit.timezone ?? timezone } : {}),
  }, mask);
  return {
    ...definition,
    failures: unit.failures.map(failureText),
    stop_signal: unit.stopSignal,
    kill_strays: unit.killStrays,
    survive: unit.survive,
    pipefail: unit.pipefail ?? false,
    ...given("umask", unit.umask),
    ...given("user", unit.user),
    env_base: unit.envBase,
    notify: unit.notify,
    limits: {
      ...given("memory", unit.limits.memory),
      ...given("cpu", unit.limits.cpu),
      ...given("pids", unit.limits.pids),
    },
    ...(unit.kind === "task"
      ? {
        expect_every: unit.expectEvery === "auto" ? unit.expectEvery : nanoseconds(unit.expectEvery),
        ...given("warn_after", unit.warnAfter === undefined ? undefined : nanoseconds(unit.warnAfter)),
      }
      : given(
        "health_check",
        unit.healthCheck && healthCheckJson(unit.healthCheck, (text) => mask(unit.name, text)),
      )),
    place: unit.place,
  };
}

/** A failure rule as it is written. */
function failureText(rule: FailureRule): string {
  switch (rule.kind) {
    case "reason":
      return rule.reason;
    case "exit":
      return rule.from === rule.to ? String(rule.from) : `${rule.from}-${rule.to}`;
    case "output":
      return `output:${rule.pattern}`;
  }
}

function healthCheckJson(check: HealthCheck, told: (text: string) => string): HealthCheckJson {
  const { probe } = check;
  return {
    ...(probe.kind === "run" ? { run: told(probe.run) } : {}),
    ...(probe.kind === "http" ? { http: withoutSecrets(probe.url) } : {}),
    ...(probe.kind === "tcp" ? { tcp: `${probe.host}:${probe.port}` } : {}),
    interval: nanoseconds(check.interval),
    timeout: nanoseconds(check.timeout),
    retries: check.retries,
    start_period: nanoseconds(check.startPeriod),
  };
}

function composeJson(one: ComposeImport): ConfigJson["compose"][number] {
  return {
    alias: one.alias,
    file: one.file,
    ...given("services", one.services),
    profiles: one.profiles,
    ...given("env_file", one.envFile),
    ...given("project_name", one.projectName),
    group: one.group,
    name_format: one.nameFormat,
    pull: one.pull,
    with_deps: one.withDeps,
    overridden: Object.keys(one.overrides),
    place: one.place,
  };
}

function withoutUser(address: string): string {
  const url = URL.parse(address);
  if (url === null || (url.username === "" && url.password === "")) return address;
  url.username = "";
  url.password = "";
  return url.href;
}

/** An address without user, password and query, where keys stand. */
function withoutSecrets(address: string): string {
  const url = URL.parse(withoutUser(address));
  if (url === null) return "";
  if (url.search === "" && url.hash === "") return withoutUser(address);
  url.search = "";
  url.hash = "";
  return url.href;
}

/** The key with its value, or nothing where there is none. */
function given<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
  return value === undefined ? {} : { [key]: value } as { [K in Key]?: Value };
}

function nanoseconds(ms: number): number {
  return Math.round(ms * 1e6);
}
