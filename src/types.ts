/**
 * The nouns of svc. All of them are plain data, safe to JSON. Times are Unix milliseconds, durations
 * milliseconds (fractions allowed), sizes bytes, unless a name says otherwise.
 */

/** A task runs by schedule, by request or at start; a service runs always. */
export type UnitKind = "task" | "service";

/** What started a run. `cloud` and `station` of the API are one and the same: `station` (tests/contract/http-api.md). */
export type Trigger = "cron" | "api" | "ui" | "cli" | "station" | "service" | "startup" | "hook";

export type RunStatus = "pending" | "running" | "ended";

/** Why a run ended (docs/behaviour.md#outcomes). */
export type EndReason =
  | "success"
  | "failed"
  | "stopped"
  | "timeout"
  | "crashed"
  | "skipped"
  | "log_overflow"
  | "queue_full"
  | "dst_skipped"
  | "daemon_stopped"
  | "missed"
  | "start_failed"
  | "unhealthy";

/** A value that is still being put together. */
export type Changeable<T> = { -readonly [K in keyof T]: T[K] };

/** One execution of a task, or one life of a service instance: a value, replaced and never changed. */
export interface Run {
  /** A ULID: sorts by creation. */
  readonly id: string;
  readonly unit: string;
  readonly status: RunStatus;
  /** 0 while pending or running, -1 if never executed, -2 if the daemon died under it, else the process's own. */
  readonly exitCode: number;
  readonly trigger: Trigger;
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Set exactly when `status` is `ended`. */
  readonly endReason?: EndReason;
  /** Decided when the run ends, by the unit's `failures` of that time. */
  readonly isFailure: boolean;
  /** 0 for a first attempt. */
  readonly retryAttempt: number;
  readonly retryOf?: string;
  /** 0-based instance of a service; 0 for a task. */
  readonly instance: number;
  /** The parameter values that were given or defaulted; an omitted parameter has no entry. */
  readonly params?: Readonly<Record<string, string>>;
  /** Why it ended so, where the exit code does not say it all: a sentence. */
  readonly error?: string;
  readonly peakMemoryBytes?: number;
  readonly cpuTimeMs?: number;
  /** Its process outlived the daemon that had started it: when the latest one took it over. */
  readonly adoptedAt?: number;
}

/** What makes a process the same process (hard to fool by a recycled pid). */
export interface ProcessIdentity {
  pid: number;
  /** Clock ticks after boot, field 22 of /proc/PID/stat; absent until it was read. */
  startTicks?: string;
  bootId: string;
}

export type Backoff = "constant" | "linear" | "exponential";
export type LogOnFull = "drop_new" | "drop_old" | "kill_task";
export type CatchUp = "latest" | "all" | "skip";
export type OnOverlap = "queue" | "skip" | "terminate";
export type RestartPolicy = "always" | "on_failure" | "never";
export type HookAction = "run" | "start" | "stop" | "restart";

/** A parameter of a task. `key` is the environment name, the label of an `arg`, or the token with its dashes. */
export interface Param {
  kind: "env" | "arg" | "option" | "flag";
  key: string;
  type: "string" | "number";
  default?: string;
  description?: string;
  required: boolean;
  choices?: string[];
  allowCustom: boolean;
}

export interface HookToken {
  token: string;
  allow: HookAction[];
}

export interface Limits {
  memory?: number;
  /** Cores, e.g. 1.5. */
  cpu?: number;
  pids?: number;
}

/** Where a definition stands: file (absolute), line and column (1-based). */
export interface Place {
  file: string;
  line: number;
  column: number;
}

/** One item of a unit's `failures`. */
export type FailureRule =
  | { kind: "reason"; reason: EndReason }
  | { kind: "exit"; from: number; to: number }
  | { kind: "output"; pattern: string };

/** What tasks and services share, all defaults applied, all relative paths made absolute. */
export interface UnitBase {
  name: string;
  /** The script text. */
  run: string;
  description: string;
  group: string;
  apiTrigger: boolean;
  /** 0: none. */
  timeout: number;
  gracefulStop: number;
  /** e.g. "SIGTERM". */
  stopSignal: string;
  killStrays: boolean;
  /** Its runs outlive a daemon that dies, where the machine has the means. */
  survive: boolean;
  exitCodes: number[];
  failures: FailureRule[];
  /** Absolute, or beginning with `~` (the home of the run's user). */
  workingDir: string;
  shell: string;
  /** A pipe fails with any of its parts. */
  pipefail?: true;
  /** Octal text, e.g. "027". */
  umask?: string;
  /** "name" or "name:group". */
  user?: string;
  envBase: "inherit" | "clean";
  /** Everything of env_file and env, merged in order. Visible to operators. */
  env: Record<string, string>;
  /** Paths as shown to operators; absolute. */
  envFile?: string;
  secretsFile?: string;
  /** Everything of secrets_file and secrets, merged in order. Never leaves the daemon. */
  secrets: Record<string, string>;
  keepRuns: number;
  keepFor: number;
  logMaxSize: number;
  logOnFull: LogOnFull;
  hookTokens: HookToken[];
  notify: string[];
  limits: Limits;
  place: Place;
}

export interface Task extends UnitBase {
  kind: "task";
  /** Absent: runs by request or at start only. */
  cron?: string;
  /** The task's own zone; absent: the daemon's. */
  timezone?: string;
  jitter: number;
  runOnStart: boolean;
  catchUp: CatchUp;
  maxCatchUpRuns: number;
  onOverlap: OnOverlap;
  maxConcurrent: number;
  queueMax: number;
  retryAttempts: number;
  retryDelay: number;
  retryBackoff: Backoff;
  /** A success is due that often; 0: none; auto: as the schedule says. */
  expectEvery: number | "auto";
  /** 0: no run is too long; absent: one is that takes three times as long as usual. */
  warnAfter?: number;
  pingUrl?: string;
  params: Param[];
}

export interface HealthCheck {
  probe: { kind: "run"; run: string } | { kind: "http"; url: string } | {
    kind: "tcp";
    host: string;
    port: number;
  };
  interval: number;
  timeout: number;
  retries: number;
  startPeriod: number;
}

export interface ComposeRef {
  file: string;
  projectName: string;
  service: string;
}

export interface Service extends UnitBase {
  kind: "service";
  instances: number;
  autostart: boolean;
  priority: number;
  dependsOn: string[];
  restart: RestartPolicy;
  restartDelay: number;
  restartBackoff: Backoff;
  healthyAfter: number;
  /** -1: never give up. */
  startRetries: number;
  healthCheck?: HealthCheck;
  compose?: ComposeRef;
}

export type Unit = Task | Service;

/** `[daemon]` and `[storage]`. */
export interface DaemonSettings {
  /** Absent: the host's. */
  timezone?: string;
  shutdownTimeout: number;
  externalUrl: string;
  tls: "off" | "auto";
  tlsCert?: string;
  tlsKey?: string;
  /** CIDR texts. */
  trustedProxies: string[];
  maxParallelRuns: number;
  metrics: boolean;
  metricsListen?: string;
  storageMaxSize: number;
  storageMinFreeSpace: number;
}

/** `[notify]`, `[notifiers.ID]`, `[[route]]` (docs/notifications.md#notifications). */
export interface NotifySettings {
  globalNotifiers: string[];
  coalesceWindow: number;
  keep: number;
  keepFor: number;
  retryBudget: number;
  notifiers: Notifier[];
  routes: Route[];
}

export type NotifierType =
  | "webhook"
  | "slack"
  | "discord"
  | "telegram"
  | "ntfy"
  | "gotify"
  | "pushover"
  | "smtp"
  | "sendmail";

export interface Notifier {
  id: string;
  type: NotifierType;
  template?: string;
  /** The type's own settings, checked: url, token, ... */
  settings: Record<string, string | number | boolean | string[] | Record<string, string>>;
}

export interface Route {
  kinds: string[];
  severity?: "info" | "warn" | "error";
  /** A glob over unit names. */
  task?: string;
  failure?: boolean;
  notify: string[];
}

/** A `[compose.ALIAS]` table: services of a container-compose file to take in (docs/configuration.md#composealias). */
export interface ComposeImport {
  alias: string;
  /** Absolute. */
  file: string;
  /** Absent: all that the profiles switch on. */
  services?: string[];
  profiles: string[];
  /** Absolute. */
  envFile?: string;
  projectName?: string;
  group: string;
  /** Holds `{service}`, and perhaps `{alias}`. */
  nameFormat: string;
  pull: "missing" | "always" | "never";
  withDeps: boolean;
  /** By compose service: keys of a service table as they are written, checked and substituted. */
  overrides: Record<string, Record<string, unknown>>;
  place: Place;
}

/** A complete, checked configuration. */
export interface Config {
  /** The root file, absolute. */
  path: string;
  daemon: DaemonSettings;
  notify: NotifySettings;
  /** Retention for runs of units that are gone: what `[defaults]` says. */
  removedKeepRuns: number;
  removedKeepFor: number;
  /** Sorted by name. */
  units: Unit[];
  /** Sorted by alias. */
  compose: ComposeImport[];
  /** Everything the configuration was read from (absolute), and the text or hash that stale detection compares. */
  sources: ConfigSource[];
  /** Globs of `include`, absolute: a new file that matches makes the configuration stale. */
  includeGlobs: string[];
  /** Names of the daemon's variables that are put into secret places: no run inherits them, and their values are masked. */
  secretVariables: string[];
}

export interface ConfigSource {
  path: string;
  /** SHA-256 of the content, hex. */
  hash: string;
  /** There is nothing in it but white space. */
  isBlank?: true;
}

/** One finding of the loader: an error, or a warning. `line` and `column` are 1-based; 0 where there is none. */
export interface Problem {
  file: string;
  line: number;
  column: number;
  /** Dotted path of the key, e.g. `tasks.backup.cron`; empty for a whole file. */
  key: string;
  message: string;
}

export type LogStream = "stdout" | "stderr" | "system";

/** One line of a run's log; `n` counts from 0 over the whole run, system lines included. */
export interface LogLine {
  n: number;
  at: number;
  stream: LogStream;
  text: string;
  /** A segment of a line over 64 KiB that goes on from the segment before. */
  continued: boolean;
  /** How many earlier frames are kept of what was redrawn here; absent where there are none. */
  frameCount?: number;
}

export interface LogPage {
  lines: LogLine[];
  firstAvailable: number;
  totalLines: number;
  /** Lines below `firstAvailable` were dropped. */
  truncated: boolean;
  /** The run ended and the log is final. */
  finalized: boolean;
}
