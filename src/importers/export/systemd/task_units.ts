import type { Task } from "../../../types.ts";
import { describeCron } from "../../../core/cron/describe.ts";
import { parseCron, type Schedule } from "../../../core/cron/parse.ts";
import { formatDuration } from "../../../core/duration.ts";
import { clockChanges, isHourly } from "../clock_changes.ts";
import type { Account, ExportFile, ExportOrder } from "../exported.ts";
import { smallestGap } from "../smallest_gap.ts";
import { oneLine } from "../unit_facts.ts";
import { systemdTimes } from "./on_calendar.ts";
import { processLines, secretsFile, unitFile } from "./sections.ts";
import { restOfLine } from "./words.ts";

/** A task as a service that ends, and the timer that starts it; without schedule it has none. */
export function taskUnits(
  task: Task,
  { order, account }: { order: ExportOrder; account: Account },
): ExportFile[] {
  const schedule = task.cron === undefined ? undefined : parseCron(task.cron);
  const again = retryLines(task, { account, schedule });
  const files = [unitFile(task, {
    name: `${task.name}.service`,
    sections: [
      ["Unit", [["Description", restOfLine(oneLine(task.description) || task.name)], ...again.unit]],
      ["Service", [
        ["Type", "oneshot"],
        ...processLines(task, { account, instance: false }),
        ["TimeoutStartSec", task.timeout === 0 ? "infinity" : formatDuration(task.timeout)],
        ...again.service,
      ]],
      // What has a timer is started by it, at boot too.
      ["Install", schedule === undefined && task.runOnStart ? [["WantedBy", "multi-user.target"]] : []],
    ],
  })];
  if (schedule !== undefined) {
    noteOverlap(task, account);
    files.push(timerOf(task, { schedule, order, account }));
  } else if (!task.runOnStart) {
    account.note(task, `it has no schedule: start it by "systemctl start ${task.name}"`);
  }
  return [...files, ...secretsFile(task, { account, withSecrets: order.withSecrets })];
}

function timerOf(
  task: Task,
  { schedule, order, account }: { schedule: Schedule; order: ExportOrder; account: Account },
): ExportFile {
  const own = task.timezone ?? order.timezone;
  const zone = own ?? order.hostTimezone;
  const hourly = isHourly(schedule, zone);
  const times = systemdTimes(schedule, hourly ? "UTC" : own);
  const lines: [string, string][] = times.kind === "calendar"
    ? [
      ...times.lines.map((line): [string, string] => ["OnCalendar", line]),
      ["Persistent", task.catchUp === "skip" ? "false" : "true"],
    ]
    : [["OnActiveSec", formatDuration(times.everyMs)], ["OnUnitActiveSec", formatDuration(times.everyMs)]];
  if (task.runOnStart) lines.push(["OnActiveSec", "0s"]);
  // The default lets a minute pass.
  lines.push(["AccuracySec", "100ms"]);
  if (task.jitter > 0) {
    lines.push(["RandomizedDelaySec", formatDuration(task.jitter)]);
    account.note(task, "its jitter is a delay by chance: tasks of one time no longer wait for one another");
  }
  if (schedule.kind === "every") {
    account.note(
      task,
      times.kind === "calendar"
        ? `"${schedule.source}" counts from midnight UTC, not from when it was first seen`
        : `"${schedule.source}" counts from the last start, and anew after a boot; what a boot missed is not caught up`,
    );
  } else if (!hourly) noteClockChanges(task, { schedule, zone, account });
  if (task.catchUp === "all") account.note(task, 'of several missed ticks one is run (catch_up = "all")');
  return unitFile(task, {
    name: `${task.name}.timer`,
    sections: [
      ["Unit", [["Description", restOfLine(`${task.name}: ${describeCron(schedule)}`)]]],
      ["Timer", lines],
      ["Install", [["WantedBy", "timers.target"]]],
    ],
  });
}

function noteClockChanges(
  task: Task,
  { schedule, zone, account }: { schedule: Schedule; zone: string; account: Account },
): void {
  const { gap, repeat } = clockChanges(schedule, zone);
  if (gap) account.note(task, `on the day when clocks in ${zone} go forward systemd leaves its run out`);
  if (repeat && schedule.kind === "fields" && schedule.elapsed) {
    account.note(task, `when clocks in ${zone} go back systemd lets an hour pass without its runs`);
  }
}

function noteOverlap(task: Task, account: Account): void {
  if (task.maxConcurrent > 1) {
    account.note(task, `one run at a time (max_concurrent = ${task.maxConcurrent})`);
  }
  if (task.onOverlap === "skip") return;
  account.together(
    task,
    `a start while it runs is lost: it is neither queued nor takes its place (on_overlap = "${task.onOverlap}")`,
  );
}

/**
 * Retries as restarts within a limit of starts. The time of that limit must end before the next tick, which would be
 * refused otherwise.
 */
function retryLines(
  task: Task,
  { account, schedule }: { account: Account; schedule: Schedule | undefined },
): { unit: [string, string][]; service: [string, string][] } {
  const { retryAttempts, retryDelay, retryBackoff, jitter } = task;
  if (retryAttempts === 0) return { unit: [], service: [] };
  const between = schedule === undefined ? 86_400_000 : smallestGap(schedule);
  const window = between - jitter - 1000;
  if (window <= retryAttempts * retryDelay) {
    account.note(task, `its retries are left out: ${retryAttempts} of them don't fit between two ticks`);
    return { unit: [], service: [] };
  }
  if (retryBackoff !== "constant") {
    account.note(
      task,
      `its retries all wait ${formatDuration(retryDelay)} (retry_backoff = "${retryBackoff}")`,
    );
  }
  account.note(
    task,
    `its retries are a limit of ${retryAttempts + 1} starts in ${
      formatDuration(window)
    }, starts by hand among them`,
  );
  return {
    unit: [["StartLimitIntervalSec", formatDuration(window)], ["StartLimitBurst", String(retryAttempts + 1)]],
    service: [["Restart", "on-failure"], ["RestartSec", formatDuration(retryDelay)]],
  };
}
