import type { Template } from "../imported.ts";
import { formatDuration } from "../../../core/duration.ts";
import { readSignal } from "../../../core/signals.ts";
import { readUnitEnvironment } from "./environment.ts";
import { hasPlaceholder } from "../placeholders.ts";
import { readLimits } from "./limits.ts";
import { scriptOf } from "./script.ts";
import { lateText, lateWords } from "./late.ts";
import { fixedNote, type Specifiers, substitute } from "./specifiers.ts";
import { parseTimeSpan } from "./time_span.ts";
import type { Told } from "./told.ts";
import { type Assignment, lastOf, type UnitFile } from "./unit_file.ts";

/** What is needed to read a service. */
export interface ServiceContext {
  specifiers: Specifiers;
  told: Told;
  /** It becomes a task, since a timer starts it or it runs once. */
  isTask: boolean;
}

/** Settings that tasks and services share, of a service unit; or why it can't be taken, and because of which line. */
export function readService(
  unit: UnitFile,
  context: ServiceContext,
): { settings: Record<string, unknown> } | { at?: Assignment; why: string } {
  const { specifiers, told, isTask } = context;
  const of = (key: string): Assignment | undefined => lastOf(unit, "Service", key);
  const type = of("Type");
  const runsOnce = type?.value === "oneshot";
  const { env, lines } = readUnitEnvironment(unit, context);
  const script = scriptOf(unit, { ...context, env, head: lines, runsOnce });
  if ("why" in script) return script;
  if (type !== undefined) tellType(type, told);
  const description = lastOf(unit, "Unit", "Description");
  const text = description === undefined ? undefined : substitute(description.value, specifiers);
  if (description !== undefined && text !== undefined && "fixed" in text && text.fixed.length > 0) {
    told.note(description, fixedNote(text.fixed, specifiers));
  }
  const user = accountOf(unit, context);
  const exitCodes = exitCodesOf(of("SuccessExitStatus"), told);
  const umask = of("UMask");
  const limits = readLimits(unit, told);
  const timeout = timeoutOf(unit, { told, isTask, runsOnce });
  const settings: Record<string, unknown> = {
    ...(text === undefined || "fault" in text ? {} : { description: lateWords(text.text) }),
    run: script.run,
    ...(user === undefined ? {} : { user }),
    working_dir: folderOf(unit, context),
    ...(umask === undefined ? {} : { umask: umask.value.replace(/^0+(?=[0-7]{3})/, "") }),
    ...(specifiers.isUser ? {} : { env_base: "clean" }),
    ...(timeout === undefined ? {} : { timeout }),
    graceful_stop: stopTimeOf(unit, told),
    ...stopOf(unit, { told, runsOnce }),
    ...(exitCodes === undefined ? {} : { exit_codes: exitCodes }),
    ...(isTask ? tellTaskRestart(of("Restart"), told) : restartOf(unit, told)),
    ...(type?.value === "forking" ? { autostart: false } : {}),
    ...(env.size === 0
      ? {}
      : { env: Object.fromEntries([...env].map(([name, value]) => [name, lateText(value)])) }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  };
  return { settings: isTask ? withoutServiceKeys(settings) : settings };
}

function withoutServiceKeys(settings: Record<string, unknown>): Record<string, unknown> {
  const { autostart: _, ...rest } = settings;
  return rest;
}

function tellType(type: Assignment, told: Told): void {
  if (/^(?:simple|exec|idle|oneshot)$/.test(type.value)) return;
  if (type.value === "forking") {
    told.note(
      type,
      "svc watches the process that it starts, so a daemon that goes to the background would be stopped at once: " +
        "have it stay in the foreground, and remove autostart = false",
    );
  } else if (type.value === "dbus") {
    told.refuse(type, "svc waits for no name on a bus: it counts as started by healthy_after");
  } else if (/^notify(?:-reload)?$/.test(type.value)) {
    told.refuse(type, "svc hears no readiness from the program: a health_check finds out, or healthy_after");
  } else told.refuse(type, "it is no type that systemd knows: it is taken for simple");
}

function accountOf(unit: UnitFile, { specifiers, told }: ServiceContext): string | undefined {
  if (specifiers.isUser) return undefined;
  const named = (key: string): { at: Assignment; name: string } | undefined => {
    const at = lastOf(unit, "Service", key);
    const read = at === undefined ? undefined : substitute(at.value, specifiers);
    if (at === undefined || read === undefined) return undefined;
    tellPlaceholder(at, told);
    if ("text" in read) return { at, name: lateWords(read.text) };
    told.refuse(at, read.fault);
    return undefined;
  };
  const user = named("User");
  // Of whom nothing is known is not root.
  if (user === undefined && lastOf(unit, "Service", "User") !== undefined) return undefined;
  const group = named("Group");
  if (group === undefined) return user?.name;
  if (user === undefined) told.note(group.at, "without User it runs as root with this group");
  return `${user?.name ?? "root"}:${group.name}`;
}

function folderOf(unit: UnitFile, { specifiers, told }: ServiceContext): string | Template {
  const usual = specifiers.isUser ? "~" : "/";
  const folder = lastOf(unit, "Service", "WorkingDirectory");
  if (folder === undefined) return usual;
  const isOptional = folder.value.startsWith("-");
  const read = substitute(folder.value.slice(isOptional ? 1 : 0), specifiers);
  if ("fault" in read) {
    told.refuse(folder, read.fault);
    return usual;
  }
  if (isOptional) {
    told.note(folder, 'where the folder is missing ("-") systemd goes on without it: here the start fails');
  }
  if (read.fixed.length > 0) told.note(folder, fixedNote(read.fixed, specifiers));
  tellPlaceholder(folder, told);
  return lateText(read.text);
}

function exitCodesOf(status: Assignment | undefined, told: Told): number[] | undefined {
  if (status === undefined) return undefined;
  const words = status.value.split(/\s+/);
  const codes = words.filter((word) => /^\d{1,3}$/.test(word)).map(Number);
  const rest = words.filter((word) => !/^\d{1,3}$/.test(word));
  if (rest.length > 0) {
    told.note(status, `svc counts exit codes alone as success: ${rest.join(", ")} is left out`);
  }
  return codes.length === 0 ? undefined : [...new Set([0, ...codes])];
}

/** A time span as svc writes it; undefined where none is given or it can't be read. */
function spanOf(assignment: Assignment | undefined, told: Told): number | undefined {
  if (assignment === undefined) return undefined;
  const ms = parseTimeSpan(assignment.value);
  if (ms === undefined) told.refuse(assignment, "it is no time span, so systemd passes it over");
  return ms;
}

function timeoutOf(
  unit: UnitFile,
  { told, isTask, runsOnce }: { told: Told; isTask: boolean; runsOnce: boolean },
): string | undefined {
  const start = lastOf(unit, "Service", "TimeoutStartSec") ?? lastOf(unit, "Service", "TimeoutSec");
  const run = lastOf(unit, "Service", "RuntimeMaxSec");
  // A oneshot is starting for as long as it runs.
  const limit = spanOf(isTask && runsOnce ? start : run, told);
  if (start !== undefined && !(isTask && runsOnce)) {
    const ms = spanOf(start, told);
    if (start.key === "TimeoutStartSec" && ms !== undefined && ms !== 0 && ms !== Infinity) {
      told.refuse(
        start,
        "a service of svc has started once its process runs: nothing limits how long that takes",
      );
    }
  }
  return limit === undefined || limit === 0 || limit === Infinity ? undefined : formatDuration(limit);
}

function stopTimeOf(unit: UnitFile, told: Told): string {
  const stop = lastOf(unit, "Service", "TimeoutStopSec") ?? lastOf(unit, "Service", "TimeoutSec");
  const ms = spanOf(stop, told);
  if (stop === undefined || ms === undefined) return "90s";
  if (ms !== 0 && ms !== Infinity) return formatDuration(ms);
  told.note(stop, "svc waits for a day at most before it kills");
  return "1d";
}

function stopOf(
  unit: UnitFile,
  { told, runsOnce }: { told: Told; runsOnce: boolean },
): Record<string, unknown> {
  const remains = lastOf(unit, "Service", "RemainAfterExit");
  const signal = lastOf(unit, "Service", "KillSignal");
  const mode = lastOf(unit, "Service", "KillMode");
  const settings: Record<string, unknown> = {};
  if (signal !== undefined) {
    const read = readSignal(signal.value);
    if ("name" in read) settings["stop_signal"] = read.name;
    else told.refuse(signal, read.fault);
  }
  if (mode?.value === "process" || mode?.value === "none") {
    settings["kill_strays"] = false;
    told.note(
      mode,
      "what it leaves behind lives on (kill_strays = false), but a stop reaches the whole group",
    );
  } else if (mode === undefined && runsOnce && /^(?:yes|true|on|1)$/i.test(remains?.value ?? "")) {
    settings["kill_strays"] = false;
    if (remains !== undefined) {
      told.note(
        remains,
        "what it leaves behind lives on (kill_strays = false), as it does while the unit is active",
      );
    }
  } else if (mode?.value === "mixed") {
    told.refuse(mode, "svc sends the stop signal to the whole group, not to the main process alone");
  }
  return settings;
}

function restartOf(unit: UnitFile, told: Told): Record<string, unknown> {
  const restart = lastOf(unit, "Service", "Restart");
  const delay = spanOf(lastOf(unit, "Service", "RestartSec"), told) ?? 100;
  const value = restart?.value ?? "no";
  if (value === "no") return { restart: "never" };
  if (restart !== undefined && delay === Infinity) {
    told.note(restart, "RestartSec=infinity lets no restart come, so it is not restarted");
    return { restart: "never" };
  }
  const kind = value === "always" || value === "on-success" ? "always" : "on_failure";
  if (restart !== undefined && !/^(?:always|on-failure)$/.test(value)) {
    const why = /^on-(?:success|abnormal|abort|watchdog)$/.test(value)
      ? "svc has no exact counterpart"
      : "systemd knows no such value";
    told.note(
      restart,
      `${why}: it is restarted ${kind === "always" ? "after every end" : "after every failure"}`,
    );
  }
  return {
    restart: kind,
    restart_delay: formatDuration(delay),
    restart_backoff: "constant",
  };
}

function tellTaskRestart(restart: Assignment | undefined, told: Told): Record<string, never> {
  if (restart !== undefined && restart.value !== "no") {
    told.refuse(restart, "a task is not restarted: retry_attempts and retry_delay try a failure again");
  }
  return {};
}

/** An account or folder is text to systemd: a variable in it is none. */
function tellPlaceholder(at: Assignment, told: Told): void {
  if (!/\$/.test(at.value) && !hasPlaceholder(at.value)) return;
  told.note(at, "it holds a placeholder that was never filled in: systemd puts no variable in here");
}
