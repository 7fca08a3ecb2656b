import type { Task } from "../../../types.ts";
import { parseCron } from "../../../core/cron/parse.ts";
import { formatDuration } from "../../../core/duration.ts";
import { clockChanges, isHourly } from "../clock_changes.ts";
import { plainCron } from "../plain_cron.ts";
import { nanoseconds, type NomadMaking, type NomadPart } from "./job.ts";
import { processOf } from "./task.ts";

/** A task as a batch job: periodic, or dispatched by request, or run once. */
export function taskJob(task: Task, making: NomadMaking): NomadPart {
  const { name, account } = making;
  const { retryAttempts, retryDelay, retryBackoff } = task;
  if (retryAttempts > 0 && retryBackoff !== "constant") {
    account.note(
      task,
      `its retries all wait ${formatDuration(retryDelay)} (retry_backoff = "${retryBackoff}")`,
    );
  }
  const retry = {
    Attempts: retryAttempts,
    Delay: nanoseconds(retryDelay),
    Interval: nanoseconds(Math.max(86_400_000, retryAttempts * retryDelay * 2)),
    Mode: "fail",
  };
  return {
    Type: "batch",
    ...startOf(task, making),
    TaskGroups: [{
      Name: name,
      Count: 1,
      RestartPolicy: retry,
      ReschedulePolicy: { Attempts: 0, Unlimited: false },
      Tasks: [processOf(task, { making, retry })],
    }],
  };
}

/** A job of this kind waits until it is dispatched. */
const byRequest = { ParameterizedJob: { Payload: "forbidden" } };

function startOf(task: Task, { name, order, account }: NomadMaking): NomadPart {
  if (task.cron === undefined) {
    if (task.runOnStart) {
      account.note(task, "it runs when its job is registered, not at each start of something (run_on_start)");
      return {};
    }
    account.note(task, `it has no schedule: run it by "nomad job dispatch ${name}"`);
    return byRequest;
  }
  if (task.runOnStart) account.note(task, "nothing starts but by its schedule (run_on_start)");
  const schedule = parseCron(task.cron);
  const plain = plainCron(schedule, { seconds: true, specials: true, several: true });
  if ("why" in plain) {
    account.refuse(
      task,
      `its schedule "${task.cron}" can't be said, ${plain.why}: its job waits for "nomad job dispatch ${name}"`,
    );
    return byRequest;
  }
  const own = task.timezone ?? order.timezone ?? order.hostTimezone;
  // Clock changes are nothing to what comes every hour, but Nomad stumbles over them.
  const zone = plain.utc || isHourly(schedule, own) ? "UTC" : own;
  if (plain.utc) {
    account.note(task, `"${task.cron}" counts from midnight UTC, not from when it was first seen`);
  }
  const { gap, repeat } = clockChanges(schedule, zone);
  if (gap || repeat) account.note(task, `when clocks in ${zone} change a run may be left out or come twice`);
  noteTimes(task, { name, order, account });
  const [only, ...more] = plain.crons;
  return {
    Periodic: {
      Enabled: true,
      SpecType: "cron",
      ...(more.length === 0 ? { Spec: only } : { Specs: plain.crons }),
      ProhibitOverlap: task.maxConcurrent === 1,
      TimeZone: zone,
    },
  };
}

function noteTimes(task: Task, { account }: NomadMaking): void {
  const note = (message: string) => account.note(task, message);
  if (task.jitter > 0) note("it starts at its time, with all others of that time (jitter)");
  if (task.catchUp !== "skip") {
    note(`what is missed while no server leads is run once at most (catch_up = "${task.catchUp}")`);
  }
  if (task.maxConcurrent > 1) {
    note(`nothing bounds how many of its runs go on at once (max_concurrent = ${task.maxConcurrent})`);
  } else if (task.onOverlap !== "skip") {
    account.together(
      task,
      `a tick while it runs is lost: it is neither queued nor takes its place (on_overlap = "${task.onOverlap}")`,
    );
  }
}
