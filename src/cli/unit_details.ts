import { formatDuration } from "../core/duration.ts";
import { adoptedWords } from "../core/take_over_words.ts";
import { durationWords, fullTime, relativeTime, timeWords, utcTime } from "../core/time_words.ts";
import { memoryWords } from "../core/usage.ts";
import type { RunJson } from "../http/schemas/run.ts";
import type { TaskParamJson, TaskResponseJson } from "../http/schemas/unit.ts";
import type { Context } from "./command.ts";
import { withinLine } from "./printable.ts";
import { msOf, scheduleWords, wordOfRun, wordOfUnit } from "./unit_words.ts";

/** A unit of `units` as lines: what it is and does now, then how it is defined, without what is at its default. */
export function unitDetails(
  unit: TaskResponseJson,
  { units, context, utc }: { units: readonly TaskResponseJson[]; context: Context; utc: boolean },
): string[] {
  const { out: style } = context;
  const word = wordOfUnit(unit);
  const facts: [string, string][] = [
    ...(unit.group === "" ? [] : [fact("group", unit.group)]),
    ...(unit.kind === "task" ? taskFacts(unit, context, utc) : serviceFacts(unit, units)),
    ...(unit.usage === undefined ? [] : [fact("uses", usageWords(unit.usage))]),
    ...(unit.last_run === undefined ? [] : [fact("last run", lastRun(unit.last_run, context, utc))]),
    ...commonFacts(unit),
  ];
  return [
    `${style.mark(word)} ${style.paint(unit.name, "bold")}  ${style.paint(word.text, word.role)}`,
    ...(unit.description === "" ? [] : [`  ${withinLine(unit.description.trim())}`]),
    ...facts.map(([name, text]) => `  ${style.paint(name.padEnd(12), "muted")}  ${withinLine(text)}`),
  ];
}

function taskFacts(unit: TaskResponseJson, context: Context, utc: boolean): [string, string][] {
  const words = scheduleWords(unit, context.timezone);
  const next = msOf(unit.next_run_at);
  const paused = msOf(unit.paused_at);
  const timezone = unit.timezone ?? context.timezone;
  const now = context.now();
  const exact = (at: number): string => utc ? utcTime(at) : fullTime(at, timezone);
  const overlap = unit.max_concurrent === 1 ? "" : `, ${unit.max_concurrent} at once`;
  return [
    fact("schedule", unit.cron === undefined ? words : `${words} (${unit.cron})`),
    ...(next === undefined ? [] : [fact("next run", `${exact(next)}, ${relativeTime(next, now)}`)]),
    ...(paused === undefined ? [] : [fact("paused", timeWords(paused, { now, timezone, utc }))]),
    fact("on overlap", `${unit.on_overlap ?? "queue"}${overlap}`),
    ...(unit.retry_attempts ? [fact("retries", retryWords(unit))] : []),
    ...(unit.parameters ?? []).map((param, i) => fact(i === 0 ? "parameters" : "", paramWords(param))),
  ];
}

function serviceFacts(unit: TaskResponseJson, units: readonly TaskResponseJson[]): [string, string][] {
  const dependsOn = (unit.depends_on ?? []).map((name) => {
    const needed = units.find((one) => one.name === name);
    // Only what keeps it waiting is of interest.
    const keeps = unit.service_state === "waiting" && needed !== undefined && !needed.healthy_instances;
    return keeps ? `${name} (${wordOfUnit(needed).text})` : name;
  });
  return [
    fact("instances", `${unit.healthy_instances ?? 0} of ${unit.instances ?? 1} healthy`),
    fact("restart", unit.restart.replace("_", " ")),
    ...(dependsOn.length === 0 ? [] : [fact("depends on", dependsOn.join(", "))]),
    ...(unit.autostart === false ? [fact("autostart", "no")] : []),
  ];
}

function commonFacts(unit: TaskResponseJson): [string, string][] {
  return [
    ...(unit.timeout === 0 ? [] : [fact("timeout", formatDuration(unit.timeout / 1e6))]),
    ...(unit.api_trigger ? [] : [fact("by request", "no (api_trigger = false)")]),
    fact("folder", unit.working_dir),
    ...unit.run.trimEnd().split("\n").map((line, i) => fact(i === 0 ? "command" : "", line)),
  ];
}

function lastRun(run: RunJson, context: Context, utc: boolean): string {
  const word = wordOfRun(run);
  const start = msOf(run.start_at);
  const end = msOf(run.end_at);
  const now = context.now();
  const adopted = msOf(run.adopted_at);
  const style = { now, timezone: context.timezone, utc };
  const note = adopted === undefined ? "" : `, ${adoptedWords(timeWords(adopted, style))}`;
  if (start !== undefined && end === undefined) {
    return `${word.text} for ${durationWords(now - start)}${note} (run ${run.id})`;
  }
  const when = timeWords(end ?? Date.parse(run.created_at), style);
  const took = start === undefined || end === undefined ? "" : `, took ${durationWords(end - start)}`;
  const why = run.error === undefined ? "" : `: ${run.error}`;
  return `${word.text} ${when}${took}${usedWords(run)} (run ${run.id})${why}`;
}

function usedWords({ peak_memory_bytes: peak, cpu_time_ms: cpu }: RunJson): string {
  const parts = [
    ...(cpu === undefined ? [] : [`${durationWords(cpu)} of CPU`]),
    ...(peak === undefined ? [] : [`${memoryWords(peak)} at most`]),
  ];
  return parts.length === 0 ? "" : `, used ${parts.join(" and ")}`;
}

/** The percentage is of one core. */
function usageWords(usage: NonNullable<TaskResponseJson["usage"]>): string {
  return `${memoryWords(usage.memory_bytes)}, ${usage.cpu_percent} % of a core`;
}

function retryWords(unit: TaskResponseJson): string {
  const delay = formatDuration((unit.retry_delay ?? 0) / 1e6);
  return `${unit.retry_attempts}, ${unit.retry_backoff ?? "constant"} from ${delay}`;
}

function paramWords(param: TaskParamJson): string {
  const traits = [
    param.kind,
    ...(param.type === "number" ? ["number"] : []),
    ...(param.required ? ["required"] : []),
    ...(param.default === undefined ? [] : [`default "${param.default}"`]),
    ...(param.choices == null
      ? []
      : [`one of ${param.choices.join(", ")}${param.allow_custom ? ", ..." : ""}`]),
  ];
  const description = param.description === undefined ? "" : `: ${param.description}`;
  return `${param.key} (${traits.join("; ")})${description}`;
}

function fact(name: string, text: string): [string, string] {
  return [name, text];
}
