import { describeCron } from "../core/cron/describe.ts";
import { parseCron } from "../core/cron/parse.ts";
import { needsAttention, runWord, serviceWord, taskWord, type Word } from "../core/words.ts";
import type { RunJson } from "../http/schemas/run.ts";
import type { TaskResponseJson } from "../http/schemas/unit.ts";

/** The word of a run as the API tells it. */
export function wordOfRun(run: Pick<RunJson, "status" | "exit_code" | "end_reason">): Word {
  return runWord({
    status: run.status,
    exitCode: run.exit_code,
    ...(run.end_reason === undefined ? {} : { reason: run.end_reason }),
  });
}

/** The word of a unit as the API tells it. */
export function wordOfUnit(unit: TaskResponseJson): Word {
  if (unit.kind === "service") {
    return serviceWord({
      state: unit.service_state ?? "stopped",
      healthy: unit.healthy_instances ?? 0,
      instances: unit.instances ?? 1,
    });
  }
  const last = unit.last_run;
  return taskWord({
    isPaused: unit.paused_at !== undefined,
    active: unit.active_runs ?? 0,
    queued: unit.queued_runs ?? 0,
    ...(last === undefined ? {} : {
      last: {
        status: last.status,
        exitCode: last.exit_code,
        ...(last.end_reason === undefined ? {} : { reason: last.end_reason }),
      },
    }),
  });
}

/** When a unit runs, in words; the zone is named where it isn't the reader's. */
export function scheduleWords(unit: TaskResponseJson, timezone: string): string {
  if (unit.kind === "service") return "service";
  if (unit.cron === undefined) return unit.run_on_start ? "at start" : "by request";
  const words = cronWords(unit.cron);
  const isLocal = unit.timezone === undefined || unit.timezone === timezone || unit.cron.startsWith("@every");
  return isLocal ? words : `${words} ${unit.timezone}`;
}

/** An expression in words; as it stands where a newer daemon knows more than this program. */
export function cronWords(cron: string): string {
  try {
    return describeCron(parseCron(cron));
  } catch {
    return cron;
  }
}

/** Unix ms of an RFC 3339 time that may be absent. */
export function msOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time);
}

/** What is wrong with a unit: of a task its last ended run counts, also while it is paused. */
export function troubleOf(unit: TaskResponseJson): Word | undefined {
  const own = wordOfUnit(unit);
  if (needsAttention(own)) return own;
  if (unit.kind === "service" || unit.last_run === undefined) return undefined;
  const last = wordOfRun(unit.last_run);
  return needsAttention(last) ? last : undefined;
}
