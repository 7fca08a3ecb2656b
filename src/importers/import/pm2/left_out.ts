import { nearest } from "../../../core/nearest.ts";
import type { Fields } from "./fields.ts";
import { Dict, List } from "./value.ts";

/** The usual name of a key of an app: without capitals, and the first of those that mean the same. */
export function usualKey(key: string): string {
  const plain = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const known = read.has(plain) || reasons.some(({ keys }) => keys.has(plain)) ? plain : key;
  return twins.get(known) ?? known;
}

/** Notes for the keys of an app that have no counterpart, or are none. */
export function leftOut(fields: Fields): string[] {
  const notes: string[] = [];
  const logs: string[] = [];
  for (const [name, { value, line, key }] of fields.all()) {
    if (read.has(name)) continue;
    const shown = `${key} (line ${line})`;
    if (name === "env_file") {
      notes.push(
        `${shown} is no key of pm2, and is left out: svc has env_file, a dotenv file of variables, if that is meant`,
      );
      continue;
    }
    if (/^env_/.test(name)) {
      notes.push(`${shown}: a unit has one environment, that of env; for others write units of their own`);
      continue;
    }
    const reason = reasons.find(({ keys }) => keys.has(name));
    if (reason !== undefined) {
      if (reason.why === log) logs.push(shown);
      else if (!isOff(value)) notes.push(`${shown}: ${reason.why}`);
      continue;
    }
    const near = nearest(name, read);
    notes.push(
      `${shown} is no key that is known here, and is left out${
        near === undefined ? "" : `: did you mean "${near}"?`
      }`,
    );
  }
  if (logs.length > 0) {
    notes.push(
      `svc keeps the output of each run in a log of its own, so these are left out: ${logs.join(", ")}`,
    );
  }
  for (const [key, line] of fields.dict.doubled) {
    notes.push(`${key} stands twice: the last one counts, on line ${line}`);
  }
  return notes;
}

function isOff(value: unknown): boolean {
  return value === false || value === null || value === "" || value === 0 ||
    value instanceof List && value.items.length === 0 ||
    value instanceof Dict && value.entries.size === 0;
}

const log = "log";

const twins: ReadonlyMap<string, string> = new Map([
  ["exec_interpreter", "interpreter"],
  ["node_args", "interpreter_args"],
  ["interpreter_arg", "interpreter_args"],
  ["cmd", "script"],
  ["command", "script"],
  ["exec", "script"],
  ["cron", "cron_restart"],
  ["user", "uid"],
]);

const read: ReadonlySet<string> = new Set([
  "name",
  "script",
  "args",
  "interpreter",
  "interpreter_args",
  "cwd",
  "env",
  "instances",
  "exec_mode",
  "increment_var",
  "instance_var",
  "autorestart",
  "max_restarts",
  "min_uptime",
  "restart_delay",
  "exp_backoff_restart_delay",
  "kill_timeout",
  "stop_exit_codes",
  "cron_restart",
  "uid",
  "gid",
  "namespace",
  "port",
  "autostart",
  "treekill",
]);

const reasons = ([
  [
    "error_file err_file err_log error err out_file out_log output out log_file log log_type log_date_format combine_logs merge_logs " +
    "time disable_logs pid_file pid",
    log,
  ],
  [
    "max_memory_restart",
    "svc has limits = { memory = ... }, which kills, and restart as said; it restarts nothing by itself",
  ],
  [
    "wait_ready listen_timeout shutdown_with_message",
    "svc exchanges no messages with a program: a health_check finds out whether it is ready",
  ],
  ["watch ignore_watch watch_delay watch_options", "svc restarts nothing when files change"],
  ["filter_env", 'env_base = "clean" leaves the daemon\'s variables out'],
  [
    "source_map_support disable_source_map_support vizion pmx automation force trace disable_trace " +
    "deep_monitoring v8 event_loop_inspector write windows_hide append_env_to_name update_env post_update " +
    "instance_id container username io execute_command install_url name_prefix kill_retry_time",
    "svc has nothing of the kind",
  ],
] as const).map(([keys, why]) => ({ keys: new Set<string>(keys.split(" ")), why }));
