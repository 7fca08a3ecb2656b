import { alone, sign } from "./ledger.ts";

/** A task with a process that wants to stay. */
export interface NastyTask {
  unit: string;
  settings?: string;
  script: string;
  /** Left out of the short form. */
  slow?: boolean;
  /** Its strays can't be found without control groups. */
  hidden?: boolean;
  /** It is stopped this many ms after its start; absent: it ends by itself, or by its timeout. */
  after?: number;
  reason: string;
  /** It must have ended after this many ms. */
  limit: number;
}

const sleeper = 'sleep 300 "$LIFE"';
const quietly = "> /dev/null 2>&1 &";
const stubborn = 'trap "" TERM HUP INT';
/** So many bytes to each pipe at the same time. */
const pour =
  "head -c $FLOOD /dev/zero | tr '\\\\0' 'x' | fold -w 200 >&2 & head -c $FLOOD /dev/zero | tr '\\\\0' 'y' | fold -w 200; wait";

/** What a stop must be able to end, and what an end must not leave behind. */
export const nastyTasks: readonly NastyTask[] = [
  {
    unit: "ignores_term",
    script: `${stubborn}; while :; do ${sleeper}; done`,
    after: 300,
    reason: "stopped",
    limit: 6000,
  },
  {
    unit: "whole_family",
    script:
      `${stubborn}; for n in 1 2 3 4 5 6; do sh -c '${stubborn}; ${sleeper}; :' stray & done; wait; wait`,
    after: 300,
    reason: "stopped",
    limit: 6000,
  },
  {
    unit: "left_session",
    script: `setsid sh -c '${stubborn}; ${sleeper}; :' stray ${quietly}\nsleep 0.2`,
    reason: "success",
    limit: 6000,
  },
  {
    unit: "hidden",
    script: `env -i setsid sh -c '${stubborn}; sleep 300 "$1"; :' stray "$LIFE" ${quietly}\nsleep 0.2`,
    hidden: true,
    reason: "success",
    limit: 6000,
  },
  {
    unit: "hidden_and_stopped",
    script:
      `env -i setsid sh -c '${stubborn}; while :; do sleep 300 "$1"; done' stray "$LIFE" ${quietly}\n${stubborn}; ${sleeper}`,
    hidden: true,
    after: 300,
    reason: "stopped",
    limit: 6000,
  },
  {
    unit: "double_fork",
    script: `(setsid sh -c '(${sleeper}; :) &' stray ${quietly})\nsleep 0.2`,
    reason: "success",
    limit: 6000,
  },
  {
    unit: "nohup",
    script: `nohup sh -c '${sleeper}; :' stray ${quietly}\nexit 4`,
    reason: "failed",
    limit: 6000,
  },
  {
    unit: "closes_pipes",
    script: `exec > /dev/null 2>&1\n${stubborn}; ${sleeper}`,
    after: 300,
    reason: "stopped",
    limit: 6000,
  },
  { unit: "holds_pipes", slow: true, script: `${sleeper} &\nexit 0`, reason: "success", limit: 6000 },
  {
    unit: "holds_pipes_hidden",
    script: `env -i setsid sleep 300 "$LIFE" &\nexit 0`,
    hidden: true,
    reason: "success",
    limit: 6000,
  },
  {
    unit: "stray_floods",
    slow: true,
    script: `setsid sh -c '${stubborn}; while :; do echo "$LIFE" stray; done' stray &\nsleep 0.3`,
    reason: "success",
    limit: 8000,
  },
  {
    unit: "stops_itself",
    settings: 'timeout = "600ms"',
    script: "kill -STOP $$",
    reason: "timeout",
    limit: 6000,
  },
  {
    unit: "too_long",
    settings: 'timeout = "500ms"',
    script: `${stubborn}; ${sleeper}`,
    reason: "timeout",
    limit: 6000,
  },
  {
    unit: "flood_drop_old",
    slow: true,
    settings: 'log_max_size = "1mb"',
    script: pour,
    reason: "success",
    limit: 60_000,
  },
  {
    unit: "flood_drop_new",
    settings: 'log_max_size = "1mb"\nlog_on_full = "drop_new"',
    script: pour,
    reason: "success",
    limit: 60_000,
  },
  {
    unit: "flood_kill",
    settings: 'log_max_size = "1mb"\nlog_on_full = "kill_task"',
    script: pour,
    reason: "log_overflow",
    limit: 60_000,
  },
];

/** Each forks one that does the same; who may not fork dies of it, and is replaced at once. */
const bomb = 'b() { while :; do b & wait "$!" || :; done; }; b';

/** Fork bombs, for where limits.pids holds. */
export const bombs: readonly NastyTask[] = [
  {
    unit: "bomb_stopped",
    settings: "limits = { pids = 48 }",
    script: bomb,
    after: 700,
    reason: "stopped",
    limit: 15_000,
  },
  {
    unit: "bomb_timed",
    settings: 'limits = { pids = 48 }\ntimeout = "4s"',
    script: `${stubborn}; ${bomb}`,
    reason: "timeout",
    limit: 15_000,
  },
];

/** All of it as a configuration; `flood` says how many bytes the floods have. */
export const nastyConfig = ({ flood }: { flood: number }): string => `
[daemon]
shutdown_timeout = "5s"
[defaults]
graceful_stop = "300ms"
keep_runs = 0
env = { FLOOD = "${flood}" }
[tasks.manual]
max_concurrent = 4
queue_max = 10000
run = '''
${sign}
sleep 0.1
'''
[tasks.bounded]
limits = { pids = 6 }
run = '''
${sign}
for n in 1 2 3 4 5 6 7 8; do sleep 1 & done
wait
'''
[services.bouncing]
graceful_stop = "100ms"
healthy_after = "50ms"
restart_delay = "50ms"
run = '''
${sign}
${alone}
trap "" TERM
sleep 301 "$LIFE" & wait; wait
'''
${
  [...nastyTasks, ...bombs].map(({ unit, settings, script }) => `
[tasks.${unit}]
${settings ?? ""}
run = '''
${sign}
${script}
'''
`).join("")
}`;
