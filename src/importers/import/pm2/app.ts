import { CronError, parseCron } from "../../../core/cron/parse.ts";
import { formatDuration } from "../../../core/duration.ts";
import { resolvePath } from "../../../core/config/path.ts";
import type { ImportContext } from "../imported.ts";
import { commandOf } from "./command.ts";
import { AppFault, Fields } from "./fields.ts";
import { leftOut, usualKey } from "./left_out.ts";
import { placeNotes } from "./place_notes.ts";
import { isWindowsPath } from "./windows.ts";
import { emptiedIn, templateOf, unsetIn } from "./text.ts";
import { Dict, List, piecesOf, Text, textOf, Unread, type Value } from "./value.ts";

/** What an app becomes. */
export interface AppUnit {
  kind: "task" | "service";
  /** The name that pm2 gives it. */
  name: string;
  settings: Record<string, unknown>;
  notes: string[];
}

/** Reads an app; `folder` is that of the file, undefined for standard input. Throws `AppFault`. */
export function readApp(
  dict: Dict,
  { folder, context }: { folder: string | undefined; context: ImportContext },
): AppUnit {
  const [unread] = dict.unread;
  if (unread !== undefined) throw new AppFault(`line ${unread.line}: ${unread.why}`);
  const fields = new Fields(dict, usualKey);
  const notes = leftOut(fields);
  const cwd = folderOf(fields, folder);
  if (cwd === undefined) notes.push("its working folder is that of the configuration file: set working_dir");
  const { words, shell, name, notes: more, starter } = commandOf(fields);
  notes.push(...more);
  const env = environmentOf(fields);
  const port = fields.text("port");
  if (port !== undefined) env.set("PORT", port);
  // As pm2 does, so that output shows at once.
  if (starter.includes("python")) env.set("PYTHONUNBUFFERED", "1");
  const texts = [...env.values(), ...(cwd === undefined ? [] : [cwd])];
  const unset = new Set(texts.flatMap(unsetIn));
  if (unset.size > 0) {
    notes.push(
      `${[...unset].join(", ")} must be set in the environment of svc when it loads: unset is an error`,
    );
  }
  const emptied = new Set(texts.flatMap(emptiedIn));
  if (emptied.size > 0) {
    notes.push(`${[...emptied].join(", ")}: what stands behind "??" is taken for an empty value as well`);
  }
  const schedule = scheduleOf(fields, { name, notes });
  const isTask = schedule !== undefined;
  const usesNode = /(?:^|\/)(?:node|bun)$/.test(starter);
  notes.push(...placeNotes(fields, { folder, cwd, context }));
  const instances = isTask ? 1 : instancesOf(fields, { cores: context.cores, usesNode, notes });
  const user = accountOf(fields, notes);
  const exports = exportsOf(fields, { env, notes, instances });
  if (!fields.flag("treekill", true)) {
    notes.push("treekill: what it leaves behind lives on (kill_strays = false)");
  }
  const group = fields.plain("namespace");
  const settings: Record<string, unknown> = {
    ...(schedule === undefined ? {} : { cron: schedule, catch_up: "skip", on_overlap: "terminate" }),
    run: [...exports, ...words].join("\n"),
    ...(shell === undefined ? {} : { shell }),
    ...(group === undefined ? {} : { group }),
    ...(cwd === undefined ? {} : { working_dir: templateOf(cwd) }),
    ...(user === undefined ? {} : { user }),
    ...(instances > 1 ? { instances } : {}),
    stop_signal: "SIGINT",
    graceful_stop: formatDuration(fields.time("kill_timeout") ?? 1600),
    ...(fields.flag("treekill", true) ? {} : { kill_strays: false }),
    ...(isTask || fields.flag("autostart", true) ? {} : { autostart: false }),
    ...(isTask ? {} : restartOf(fields, notes)),
    ...(env.size === 0
      ? {}
      : { env: Object.fromEntries([...env].map(([key, text]) => [key, templateOf(text)])) }),
  };
  return { kind: isTask ? "task" : "service", name, settings, notes };
}

function folderOf(fields: Fields, folder: string | undefined): string | Text | undefined {
  const cwd = fields.text("cwd");
  if (cwd instanceof Text) return cwd;
  if (cwd !== undefined && isWindowsPath(cwd)) {
    throw fields.fault("cwd", `${JSON.stringify(cwd)} is a folder of Windows`);
  }
  if (folder === undefined) return cwd?.startsWith("/") ? cwd : undefined;
  return cwd === undefined ? folder : resolvePath(cwd, { base: folder });
}

function environmentOf(fields: Fields): Map<string, string | Text> {
  const value = fields.value("env");
  const env = new Map<string, string | Text>();
  if (value === undefined) return env;
  if (!(value instanceof Dict)) throw fields.fault("env", "an object of variables is due");
  const [unread] = value.unread;
  if (unread !== undefined) throw fields.fault("env", unread.why);
  for (const [name, { value: own, line }] of value.entries) {
    if (own === undefined) continue;
    if (own instanceof Unread) throw new AppFault(`env.${name} (line ${line}): ${own.why}`);
    const pieces = own === null ? ["null"] : piecesOf(own) ?? [jsonOf(own, { name, line })];
    env.set(name, textOf(pieces));
  }
  return env;
}

/** An object or a list becomes its JSON, as in pm2. */
function jsonOf(value: Value, { name, line }: { name: string; line: number }): string {
  let left = 1000;
  const plain = (value: Value): unknown => {
    if (--left < 0 || value instanceof Text || value instanceof Unread) {
      throw new AppFault(`env.${name} (line ${line}): it can't be written as one text`);
    }
    if (value instanceof List) return value.items.map((item) => plain(item.value));
    if (value instanceof Dict) {
      if (value.unread.length > 0) throw new AppFault(`env.${name} (line ${line}): it needs running`);
      return Object.fromEntries([...value.entries].map(([key, entry]) => [key, plain(entry.value)]));
    }
    return value;
  };
  return JSON.stringify(plain(value));
}

/** The schedule of an app that runs by the clock alone; undefined for one that is kept running. */
function scheduleOf(
  fields: Fields,
  { name, notes }: { name: string; notes: string[] },
): string | undefined {
  const cron = fields.plain("cron_restart");
  if (cron === undefined || cron === "0" || cron === "false" || cron === "") return undefined;
  const line = fields.line("cron_restart");
  try {
    parseCron(cron);
  } catch (error) {
    if (error instanceof CronError) throw fields.fault("cron_restart", error.message);
    throw error;
  }
  if (fields.flag("autorestart", true)) {
    notes.push(
      `cron_restart (line ${line}): svc restarts no service by the clock: a task with cron = ${
        JSON.stringify(cron)
      } and run = ${JSON.stringify(`svc restart ${name}`)} does`,
    );
    return undefined;
  }
  const parts = cron.trim().split(/\s+/);
  if (parts.length === 6 && parts[0] === "*") {
    notes.push(
      `it starts in every second that ${
        JSON.stringify(cron)
      } allows: six fields begin with seconds, in pm2 as well; ` +
        `was ${JSON.stringify(parts.slice(1).join(" "))} meant?`,
    );
  }
  notes.push("pm2 also starts it once at once: run_on_start = true does that at each start of the daemon");
  return cron;
}

function instancesOf(
  fields: Fields,
  { cores, usesNode, notes }: { cores: number; usesNode: boolean; notes: string[] },
): number {
  const text = fields.plain("instances");
  if (text === undefined) return 1;
  const number = text === "max" ? 0 : Number(text);
  if (!Number.isInteger(number)) throw fields.fault("instances", `${JSON.stringify(text)} is no number`);
  const count = Math.max(1, number > 0 ? number : cores + number);
  if (number <= 0) {
    notes.push(`instances (line ${fields.line("instances")}): ${count}, by the processors of this machine`);
  }
  const mode = fields.plain("exec_mode");
  if (count > 1 && (mode === undefined ? usesNode : /^cluster/.test(mode))) {
    notes.push(
      "svc has no cluster mode: its instances share no port, so each needs one of its own (SVC_INSTANCE counts them from 0)",
    );
  }
  return count;
}

/** What differs between the instances of an app. */
function exportsOf(
  fields: Fields,
  { env, notes, instances }: { env: Map<string, string | Text>; notes: string[]; instances: number },
): string[] {
  const number = fields.plain("instance_var") ?? "NODE_APP_INSTANCE";
  const lines: string[] = [];
  const check = (key: string, name: string): void => {
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      throw fields.fault(key, `${JSON.stringify(name)} is no name of a variable`);
    }
  };
  check("instance_var", number);
  if (instances === 1) {
    // Programs ask for it to do once what only one of them is to do; pm2 sets it whatever starts them.
    env.set(number, "0");
    return [];
  }
  lines.push(`export ${number}="$SVC_INSTANCE"`);
  const counted = fields.plain("increment_var");
  if (counted === undefined) return lines;
  check("increment_var", counted);
  const first = env.get(counted);
  if (typeof first === "string" && /^(?:0|[1-9]\d{0,8})$/.test(first)) {
    lines.push(`export ${counted}="$((${first} + SVC_INSTANCE))"`);
    env.delete(counted);
    notes.push(
      `increment_var (line ${fields.line("increment_var")}): its script counts ${counted} up from ${first}`,
    );
  } else {notes.push(
      `increment_var (line ${fields.line("increment_var")}) is left out: ${counted} is no number in env`,
    );}
  return lines;
}

function accountOf(fields: Fields, notes: string[]): string | undefined {
  const [user, group] = [fields.plain("uid"), fields.plain("gid")];
  if (user === undefined && group !== undefined) {
    notes.push(`gid (line ${fields.line("gid")}) is left out: it needs uid`);
  }
  return user === undefined ? undefined : group === undefined ? user : `${user}:${group}`;
}

function restartOf(fields: Fields, notes: string[]): Record<string, unknown> {
  if (!fields.flag("autorestart", true)) return { restart: "never" };
  const codes = fields.texts("stop_exit_codes").map(Number);
  if (codes.some((code) => !Number.isInteger(code))) throw fields.fault("stop_exit_codes", "numbers are due");
  const backoff = fields.time("exp_backoff_restart_delay");
  const delay = backoff ?? fields.time("restart_delay");
  if (backoff !== undefined && fields.time("restart_delay") !== undefined) {
    notes.push("restart_delay is left out beside exp_backoff_restart_delay");
  }
  if (codes.length > 0 && !codes.includes(0)) {
    notes.push(
      "0 is none of stop_exit_codes, so it is restarted after that as well: here 0 counts as a failure",
    );
  }
  if (backoff !== undefined) notes.push("its waits grow up to a minute here, in pm2 up to 15 s");
  const uptime = fields.time("min_uptime") ?? 1000;
  return {
    ...(codes.length === 0
      ? { restart: "always" }
      : { restart: "on_failure", exit_codes: [...new Set(codes)] }),
    restart_delay: formatDuration(delay ?? 0),
    ...(backoff === undefined ? { restart_backoff: "constant" } : {}),
    healthy_after: formatDuration(uptime),
    start_retries: retriesOf(fields.number("max_restarts"), {
      uptime,
      delay: delay ?? 0,
      growth: backoff === undefined ? 1 : 1.5,
    }),
  };
}

/**
 * The restarts after which pm2 gives up; -1 where it never does: it counts those alone that come within
 * `uptime` times that number, ms, of the first start. 0 stands for its own number.
 */
function retriesOf(
  named: number | undefined,
  { uptime, delay, growth }: { uptime: number; delay: number; growth: number },
): number {
  const restarts = named === undefined || named <= 0 ? 16 : named;
  if (restarts > 1000) return -1;
  let passed = 0;
  for (let n = 0, wait = delay; n < restarts; n++, wait = Math.min(15_000, wait * growth)) passed += wait;
  return passed < uptime * restarts ? restarts : -1;
}
