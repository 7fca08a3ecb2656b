import { sign } from "./ledger.ts";

/** Times of UTC, and ends that come soon. */
export const hasty = `
[daemon]
timezone = "UTC"
shutdown_timeout = "3s"
[defaults]
graceful_stop = "200ms"`;

/** A task of every second, each tick of which is to be answered by a run of its own. */
export function eachSecond(unit: string, script: string, settings = "max_concurrent = 4"): string {
  return `
[tasks.${unit}]
cron = "* * * * * *"
catch_up = "all"
queue_max = 1000
${settings}
run = '''
${sign}
${script}
'''`;
}
