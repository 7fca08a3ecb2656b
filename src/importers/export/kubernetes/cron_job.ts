import type { Task } from "../../../types.ts";
import { parseCron } from "../../../core/cron/parse.ts";
import { formatDuration } from "../../../core/duration.ts";
import { clockChanges } from "../clock_changes.ts";
import { plainCron } from "../plain_cron.ts";
import { wholeSeconds } from "../unit_facts.ts";
import { labelsOf, type Making, type Manifest, metadataOf } from "./manifest.ts";
import { notePod, podOf } from "./pod.ts";

/** A task as a CronJob; one without schedule as one that is suspended, or as a Job if it is to run at start. */
export function taskManifest(task: Task, making: Making): Manifest {
  const { name, account } = making;
  notePod(task, making);
  if (task.retryAttempts > 0) {
    account.note(
      task,
      `its retries wait 10 s, 20 s, 40 s and so on, not ${formatDuration(task.retryDelay)} (retry_delay)`,
    );
  }
  if (task.cron === undefined && task.runOnStart) {
    account.note(task, "it runs when its Job is made, not at each start of something (run_on_start)");
    return {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: metadataOf(task, name),
      spec: jobOf(task, making),
    };
  }
  if (task.runOnStart) account.note(task, "nothing starts but by its schedule (run_on_start)");
  const when = scheduleOf(task, making);
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: metadataOf(task, name),
    spec: {
      ...when,
      concurrencyPolicy: concurrencyOf(task, making),
      // Less than ten seconds may be less than the controller takes to look.
      startingDeadlineSeconds: task.catchUp === "skip" ? 60 : undefined,
      successfulJobsHistoryLimit: historyOf(task.keepRuns),
      failedJobsHistoryLimit: historyOf(task.keepRuns),
      jobTemplate: { spec: jobOf(task, making) },
    },
  };
}

/** A schedule that never matters: the CronJob that has it is suspended. */
const never = { schedule: "0 0 1 1 *", timeZone: "UTC", suspend: true };

function scheduleOf(task: Task, { name, order, account }: Making): Manifest {
  if (task.cron === undefined) {
    account.note(task, `it has no schedule: run it by "kubectl create job ${name}-1 --from=cronjob/${name}"`);
    return never;
  }
  const schedule = parseCron(task.cron);
  const plain = plainCron(schedule, { seconds: false, specials: false, several: false });
  const cron = "why" in plain ? undefined : plain.crons[0];
  if ("why" in plain || cron === undefined) {
    const why = "why" in plain ? plain.why : "it takes more than one";
    account.refuse(task, `its schedule "${task.cron}" can't be said, ${why}: its CronJob is suspended`);
    return never;
  }
  const zone = plain.utc ? "UTC" : task.timezone ?? order.timezone ?? order.hostTimezone;
  if (plain.utc) {
    account.note(task, `"${task.cron}" counts from midnight UTC, not from when it was first seen`);
  }
  const { gap, repeat } = clockChanges(schedule, zone);
  if (gap) account.note(task, `on the day when clocks in ${zone} go forward its run may be left out`);
  if (repeat && schedule.kind === "fields" && !schedule.elapsed) {
    account.note(task, `on the day when clocks in ${zone} go back it may run twice`);
  }
  if (task.jitter > 0) account.note(task, "it starts at its time, with all others of that time (jitter)");
  if (task.catchUp === "all") account.note(task, 'of several missed ticks one is run (catch_up = "all")');
  return { schedule: cron, timeZone: zone, suspend: false };
}

function concurrencyOf(task: Task, { account }: Making): string {
  // It is the scheduler's: who runs a task by hand is not held back by it.
  if (task.cron === undefined) return "Allow";
  if (task.onOverlap === "terminate") {
    if (task.maxConcurrent > 1) {
      account.note(task, `one run at a time (max_concurrent = ${task.maxConcurrent})`);
    }
    return "Replace";
  }
  if (task.maxConcurrent > 1) {
    account.note(
      task,
      `nothing bounds how many of its runs go on at once (max_concurrent = ${task.maxConcurrent})`,
    );
    return "Allow";
  }
  if (task.onOverlap === "queue") {
    account.together(task, 'a tick while it runs is made up for once, not queued (on_overlap = "queue")');
  }
  return "Forbid";
}

function jobOf(task: Task, making: Making): Manifest {
  return {
    backoffLimit: task.retryAttempts,
    ttlSecondsAfterFinished: task.keepFor === 0 ? undefined : wholeSeconds(task.keepFor),
    template: {
      metadata: { labels: labelsOf(making.name) },
      spec: {
        ...podOf(task, { making, restartPolicy: "Never" }),
        // Of the pod: a Job's own would hold for all its retries together.
        activeDeadlineSeconds: task.timeout === 0 ? undefined : wholeSeconds(task.timeout),
      },
    },
  };
}

/** Each past Job is an object of the cluster with a pod: a thousand of them for a task are too many. */
const mostJobs = 100;

/** To a CronJob 0 is none, to a task no bound. */
function historyOf(keepRuns: number): number {
  return keepRuns === 0 ? mostJobs : Math.min(keepRuns, mostJobs);
}
