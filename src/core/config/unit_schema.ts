import { z } from "zod";
import type { HookAction } from "../../types.ts";
import { readAnyKeys } from "../any_keys.ts";
import { defaultFailures } from "../outcome.ts";
import { readFailure } from "./failures.ts";
import { account, cron, endpoint, path, signal, timeZone, umask, webAddress } from "./formats.ts";
import { frequencyPattern } from "./patterns.ts";
import { type Draft, section, type Shape } from "./section.ts";
import {
  amount,
  choice,
  describe,
  duration,
  flag,
  list,
  readDuration,
  size,
  text,
  type Value,
  value,
  whole,
  words,
} from "./values.ts";

const variables = (secret: boolean): Value<Record<string, string>> =>
  z.unknown().transform(readAnyKeys(text({ secret }))).meta({
    type: "object",
    propertyNames: { type: "string" },
    additionalProperties: { type: "string" },
  });

/** How often a task must succeed. */
const frequency = value<number | "auto">(
  {
    type: ["string", "integer"],
    description: 'a duration such as "25h", or "auto"',
    pattern: frequencyPattern,
    maximum: 0,
    minimum: 0,
  },
  (raw) => raw === "auto" ? { value: raw } : readDuration(raw),
);

const failure = value(
  {
    type: "string",
    examples: ["failed", "3", "10-20", "output:ERROR"],
  },
  (raw) => typeof raw === "string" ? readFailure(raw) : { fault: `expected a string, got ${describe(raw)}` },
);

const hookToken = z.strictObject({
  token: text({ secret: true, check: tokenFault })
    .describe("The secret: 32 or more characters, no white space."),
  allow: list<HookAction>(choice("run", "start", "stop", "restart"), { filled: true })
    .describe("What a caller with this token may ask for."),
});

const limits = z.strictObject({
  memory: size().describe('Most memory, e.g. "512mb"; 0 means no limit.').optional(),
  cpu: amount().describe("Most processor time, in cores, e.g. 1.5; 0 means no limit.").optional(),
  pids: whole({ min: 0 }).describe("Most processes and threads; 0 means no limit.").optional(),
});

const shared = {
  run: words().describe(
    "The script: `<shell> -e -c <run>` for POSIX shells, `<shell> -c <run>` for others. Every unit needs one, " +
      "its own or that of [defaults]. Nothing is substituted in it.",
  ),
  description: text().describe("What the unit does, for people."),
  group: text().describe("The heading under which lists show the unit."),
  api_trigger: flag().describe("Whether people and programs may run, start, stop and restart it by request."),
  manual_trigger: flag().describe("Another name of api_trigger."),
  timeout: duration().describe("A run that takes longer is stopped; 0 means no limit."),
  graceful_stop: duration().describe("Time between the stop signal and the kill of what is left."),
  stop_signal: signal().describe("The signal that asks a run to end."),
  kill_strays: flag().describe("Whether processes that a run leaves behind are killed when it ends."),
  survive: flag().describe(
    "Whether a run goes on where the daemon dies, to be taken over by the next one; false ends it with the daemon.",
  ),
  exit_codes: list(whole({ min: 0, max: 255 }), { filled: true }).describe("Exit codes that mean success."),
  failures: list(failure).describe(
    'What counts as a failure: end reasons, exit codes "3", ranges "10-20", "output:REGEX".',
  ),
  working_dir: path().describe(
    "The folder a run starts in; default: that of the file that defines the unit. `~` is the run's user's home.",
  ),
  shell: path().describe("The program that runs the script."),
  pipefail: flag().describe(
    "Whether a pipe fails with any of its parts (set -o pipefail), for shells that know it: bash, zsh, ksh.",
  ),
  umask: umask().describe('Permission bits that new files do not get, e.g. "027"; default: the daemon\'s.'),
  user: account().describe('The account of a run, "name" or "name:group"; for a daemon of root only.'),
  env_base: choice("inherit", "clean").describe(
    "Where the environment begins: with the daemon's own, or with PATH, HOME, USER, LOGNAME and SHELL only.",
  ),
  env: variables(false).describe("Environment variables; those of [defaults] are kept."),
  env_file: path().describe("A dotenv file of environment variables; env wins over it."),
  secrets: variables(true).describe("Environment variables that are masked in output and never shown."),
  secrets_file: path().describe("A dotenv file of secrets; secrets wins over it."),
  keep_runs: whole({ min: 0 }).describe("How many ended runs are kept; 0 means all."),
  keep_for: duration().describe("How long ended runs are kept; 0 means for ever."),
  log_max_size: size().describe("The most that the log of one run may take; 0 means no limit."),
  log_on_full: choice("drop_old", "drop_new", "kill_task").describe("What happens at log_max_size."),
  hook_tokens: list(hookToken as Value<z.output<typeof hookToken>>).describe(
    "Tokens for the hook routes of this unit.",
  ),
  notify: list(words()).describe("Notifiers that hear about this unit."),
  limits: (limits as Value<z.output<typeof limits>>).describe("Limits of a run, held by a control group."),
} satisfies Shape;

const sharedDefaults = {
  description: "",
  group: "",
  api_trigger: true,
  timeout: "0s",
  graceful_stop: "5s",
  stop_signal: "SIGTERM",
  kill_strays: true,
  survive: true,
  exit_codes: [0],
  failures: [...defaultFailures],
  shell: "/bin/sh",
  pipefail: false,
  env_base: "inherit",
  keep_runs: 1000,
  keep_for: "90d",
  log_max_size: "100mb",
  log_on_full: "drop_old",
  hook_tokens: [],
  notify: [],
  limits: {},
} as const;

const scalar = value<string>({ type: ["string", "number", "boolean"] }, (raw) => {
  if (typeof raw === "string") return { value: raw };
  if (typeof raw === "number" || typeof raw === "boolean") return { value: String(raw) };
  return { fault: `expected a string, a number, true or false, got ${describe(raw)}` };
});

const param = section({
  env: words().describe("The value is this environment variable."),
  arg: words().describe("The value is one argument; this is its label."),
  option: words().describe(
    "The value follows this token as the next argument, or in one if the token ends in `=`.",
  ),
  flag: words().describe("This token is an argument when the value is true."),
  type: choice("string", "number").describe("What values are."),
  default: scalar.describe("The value of runs that give none."),
  required: flag().describe("Whether a request must give a value."),
  choices: list(scalar, { filled: true }).describe("The values to choose from."),
  allow_custom: flag().describe("Whether a value beside choices is allowed."),
  description: text().describe("What the parameter is for."),
}, {
  defaults: { type: "string", required: false, allow_custom: false, description: "" },
  json: { oneOf: ["env", "arg", "option", "flag"].map((key) => ({ required: [key] })) },
});

/** Keys of tasks alone. */
const taskOnly = {
  cron: cron().describe(
    "When it runs: 5 fields, 6 with seconds first, @daily and the like, or @every DURATION.",
  ),
  timezone: timeZone().describe("The zone of cron; default: that of [daemon]."),
  jitter: duration().describe("How far a start may slip so that tasks of one time run one after another."),
  run_on_start: flag().describe("Whether it also runs once when the daemon starts."),
  catch_up: choice("latest", "all", "skip").describe("Which missed ticks run afterwards."),
  max_catch_up_runs: whole({ min: 1 }).describe('The most runs of catch_up = "all".'),
  on_overlap: choice("queue", "skip", "terminate").describe("What happens to a run at max_concurrent."),
  max_concurrent: whole({ min: 1, max: 1024 }).describe("How many runs may be active at once."),
  queue_max: whole({ min: 0, max: 10_000 }).describe("How many runs may wait; 0 means none."),
  retry_attempts: whole({ min: 0, max: 100 }).describe("How often a failure is tried again."),
  retry_delay: duration().describe("The wait before a retry."),
  retry_backoff: choice("constant", "linear", "exponential").describe(
    "How the wait grows, to 5 minutes at most.",
  ),
  expect_every: frequency.describe(
    'A notice when no success was seen for that long, or with "auto" when one that the schedule promises stays away;' +
      " 0 means none.",
  ),
  warn_after: duration().describe(
    "A notice when a run takes that long; 0 means none; default: three times as long as usual.",
  ),
  ping_url: webAddress().describe("An address that is called at start, success and failure."),
  params: list(param.schema).describe("Parameters of a run."),
} satisfies Shape;

const taskDefaults = {
  jitter: "0s",
  run_on_start: false,
  catch_up: "latest",
  max_catch_up_runs: 100,
  on_overlap: "queue",
  max_concurrent: 1,
  queue_max: 100,
  retry_attempts: 0,
  retry_delay: "5s",
  retry_backoff: "constant",
  expect_every: "0s",
  params: [],
} as const;

const healthCheck = section({
  run: words().describe("A script; exit code 0 is a pass."),
  http: webAddress().describe("An address; a status from 200 to 399 is a pass."),
  tcp: endpoint().describe("host:port; a connection is a pass."),
  interval: duration({ positive: true }).describe("Time between two checks."),
  timeout: duration().describe("A check that takes longer has failed; 0 means no limit."),
  retries: whole({ min: 0 }).describe("How many failures in a row are forgiven."),
  start_period: duration().describe("How long after the start failures don't count."),
}, {
  defaults: { interval: "10s", timeout: "5s", retries: 2, start_period: "0s" },
  json: { oneOf: ["run", "http", "tcp"].map((key) => ({ required: [key] })) },
});

/** Keys of services alone. */
const serviceOnly = {
  instances: whole({ min: 1, max: 64 }).describe("How many run at once."),
  autostart: flag().describe("Whether it starts with the daemon."),
  priority: whole({ min: Number.MIN_SAFE_INTEGER }).describe(
    "Order of starts, lowest first; the name breaks ties.",
  ),
  depends_on: list(words()).describe("Services that must be healthy before this one starts."),
  restart: choice("always", "on_failure", "never").describe("After which ends it is started again."),
  restart_delay: duration().describe("The wait before a restart."),
  restart_backoff: choice("exponential", "linear", "constant").describe(
    "How the wait grows, to 60 s at most.",
  ),
  healthy_after: duration().describe("An instance that has run this long counts as healthy."),
  start_retries: whole({ min: -1, max: 1000 }).describe("Failed starts before it gives up; -1 means never."),
  health_check: healthCheck.schema.describe("How the health of an instance is found out."),
} satisfies Shape;

const serviceDefaults = {
  instances: 1,
  autostart: true,
  priority: 0,
  depends_on: [],
  restart: "always",
  restart_delay: "1s",
  restart_backoff: "exponential",
  healthy_after: "5s",
  start_retries: -1,
} as const;

/** What is wrong with a hook token; it is a secret, so no message may quote it. */
function tokenFault(token: string): string | undefined {
  if (/\s/.test(token)) return "the token holds white space, which a request can't carry";
  const length = [...token].length;
  return length < 32 ? `the token has ${length} characters: make it 32 or more, and random` : undefined;
}

function sayOf(keys: object, sentence: (key: string) => string): [string, string][] {
  return Object.keys(keys).map((key) => [key, sentence(key)]);
}

/** `[defaults]`: the shared keys. */
export const defaultsSection = section(shared, {
  foreign: new Map([
    ...sayOf(taskOnly, (key) => `"${key}" belongs to tasks: [defaults] takes what tasks and services share`),
    ...sayOf(
      serviceOnly,
      (key) => `"${key}" belongs to services: [defaults] takes what tasks and services share`,
    ),
  ]),
});

/** `[tasks.NAME]`. */
export const taskSection = section({ ...shared, ...taskOnly }, {
  defaults: { ...sharedDefaults, ...taskDefaults },
  foreign: new Map(
    sayOf(serviceOnly, (key) => `"${key}" belongs to services: a task runs by schedule or request`),
  ),
});

/** `[services.NAME]`. */
export const serviceSection = section({ ...shared, ...serviceOnly }, {
  defaults: { ...sharedDefaults, ...serviceDefaults },
  foreign: new Map(sayOf(taskOnly, (key) => `"${key}" belongs to tasks: services run always`)),
});

/** `[[tasks.NAME.params]]`. */
export const paramSection = param;

/** `[services.NAME.health_check]`. */
export const healthCheckSection = healthCheck;

const { run: _run, ...overridable } = { ...shared, ...serviceOnly };

/** `[compose.ALIAS.SERVICE]`: what a service of a compose file may be given; its command is the compose file's. */
export const overrideSection = section(overridable, {
  foreign: new Map([["run", '"run" is set by the import: a compose service runs its own command']]),
});

export type SharedDraft = Draft<typeof shared>;
export type TaskDraft = Draft<typeof shared & typeof taskOnly>;
export type ServiceDraft = Draft<typeof shared & typeof serviceOnly>;
export type ParamDraft = NonNullable<TaskDraft["params"]>[number];
export type HealthCheckDraft = NonNullable<ServiceDraft["health_check"]>;
