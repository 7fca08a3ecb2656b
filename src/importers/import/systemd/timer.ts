import { formatDuration } from "../../../core/duration.ts";
import { readCalendar } from "./calendar.ts";
import { cronOfCalendar } from "./calendar_cron.ts";
import type { Told } from "./told.ts";
import { parseTimeSpan } from "./time_span.ts";
import { allOf, type Assignment, lastOf, type UnitFile } from "./unit_file.ts";

/** One schedule of a timer, and the line that it comes from. */
export interface TimerSchedule {
  at: Assignment;
  cron: string;
  zone?: string;
  notes: string[];
}

/** What a timer means for the tasks that it becomes. */
export interface TimerPlan {
  schedules: TimerSchedule[];
  runsOnStart: boolean;
  /** A tick that was missed is made up for. */
  isPersistent: boolean;
}

/** Reads when a timer fires; each line that is not taken is told. */
export function readTimer(unit: UnitFile, told: Told): TimerPlan {
  const schedules: TimerSchedule[] = [];
  for (const at of allOf(unit, "Timer", "OnCalendar")) {
    const time = readCalendar(at.value);
    const found = "fault" in time ? time : cronOfCalendar(time);
    if ("fault" in found) told.refuse(at, found.fault);
    else {
      const zone = "fault" in time ? undefined : time.zone;
      schedules.push({ at, cron: found.cron, ...(zone === undefined ? {} : { zone }), notes: [] });
    }
  }
  const every = readEvery(unit, told);
  if (every !== undefined) schedules.push(every);
  const starts = ["OnBootSec", "OnStartupSec", "OnActiveSec"].flatMap((key) => allOf(unit, "Timer", key));
  for (const one of starts) {
    told.note(one, "run_on_start has it run once, at the start of the daemon, and without the delay");
  }
  const persistent = lastOf(unit, "Timer", "Persistent");
  const isPersistent = /^(?:yes|true|on|1)$/i.test(persistent?.value ?? "");
  if (persistent !== undefined && allOf(unit, "Timer", "OnCalendar").length === 0) {
    told.note(persistent, "it counts for OnCalendar alone, in systemd too");
  }
  const delay = lastOf(unit, "Timer", "RandomizedDelaySec");
  if (delay !== undefined && parseTimeSpan(delay.value) !== 0) {
    told.note(
      delay,
      "svc has no random delay: with jitter, tasks of one time start one after another within a span, which is something else",
    );
  }
  const accuracy = lastOf(unit, "Timer", "AccuracySec");
  if (accuracy !== undefined) told.note(accuracy, "svc starts at the second, and puts no starts together");
  return { schedules, runsOnStart: starts.length > 0, isPersistent };
}

/** A timer that comes again and again, counted from its last run. */
function readEvery(unit: UnitFile, told: Told): TimerSchedule | undefined {
  const active = allOf(unit, "Timer", "OnUnitActiveSec");
  const inactive = allOf(unit, "Timer", "OnUnitInactiveSec");
  let found: TimerSchedule | undefined;
  for (const at of [...active, ...inactive]) {
    const ms = parseTimeSpan(at.value);
    if (ms === undefined || ms < 1000 || ms === Infinity) {
      told.refuse(at, "it is no time span of a second or more");
    } else if (found !== undefined) {
      told.refuse(at, `a task has one schedule, and ${found.at.key} of line ${found.at.line} is taken`);
    } else {
      const from = at.key === "OnUnitActiveSec" ? "the start" : "the end";
      found = {
        at,
        cron: `@every ${formatDuration(Math.round(ms))}`,
        notes: [`systemd counts it from ${from} of the last run; @every keeps a beat of its own`],
      };
    }
  }
  return found;
}
