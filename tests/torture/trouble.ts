import { alone, sign } from "./ledger.ts";

/** A task that is due every `step` seconds, for as long as the scene lasts. */
export interface Ticking {
  unit: string;
  step: number;
}

interface TaskText extends Ticking {
  settings: string;
  script: string;
}

const sleeper = 'sleep 300 "$LIFE"';

/** Tasks on a schedule, each with a trouble of its own. */
const tasks: readonly TaskText[] = [
  { unit: "plain", step: 1, settings: 'catch_up = "all"', script: "true" },
  { unit: "newest", step: 1, settings: 'catch_up = "latest"', script: "true" },
  { unit: "lazy", step: 1, settings: 'catch_up = "skip"\non_overlap = "skip"', script: "sleep 1.3" },
  {
    unit: "crowded",
    step: 1,
    settings: 'catch_up = "all"\nmax_catch_up_runs = 2\nmax_concurrent = 2\nqueue_max = 4',
    script: "sleep 1.7",
  },
  {
    unit: "replaced",
    step: 1,
    settings: 'on_overlap = "terminate"\ntimeout = "3s"',
    script: `${alone}\ntrap "" TERM\n${sleeper}`,
  },
  {
    unit: "failing",
    step: 2,
    settings: 'retry_attempts = 2\nretry_delay = "300ms"\nmax_concurrent = 4',
    script: "exit 3",
  },
  { unit: "crashing", step: 2, settings: "max_concurrent = 2", script: "kill -SEGV $$" },
  { unit: "flood", step: 3, settings: 'log_max_size = "1mb"', script: "seq 1 200000" },
  { unit: "late", step: 2, settings: 'timeout = "400ms"', script: `trap "" TERM\n${sleeper}` },
  { unit: "gate_a", step: 2, settings: 'jitter = "900ms"', script: "sleep 0.2" },
  { unit: "gate_b", step: 2, settings: 'jitter = "700ms"', script: "sleep 0.2" },
  {
    unit: "strays",
    step: 2,
    settings: "",
    script: `setsid sh -c 'trap "" TERM; ${sleeper}' > /dev/null 2>&1 &
(nohup ${sleeper} > /dev/null 2>&1 &)
${sleeper} > /dev/null 2>&1 &`,
  },
  { unit: "held", step: 4, settings: "", script: `${sleeper} & exit 0` },
  { unit: "closing", step: 2, settings: "", script: "exec >&- 2>&-; sleep 0.5" },
];

/** A child that has left the session and kept nothing of its environment: only a control group finds it. */
const hidden: TaskText = {
  unit: "hidden",
  step: 2,
  settings: "",
  script: `env -i setsid sh -c 'trap "" TERM; sleep 300 "$1"' x "$LIFE" > /dev/null 2>&1 &\nsleep 0.3`,
};

/** The tasks of `troubleConfig` that are on a schedule. */
export const ticking: readonly Ticking[] = [...tasks, hidden];

const services = `
[services.web]
instances = 3
healthy_after = "200ms"
health_check = { run = "true", interval = "400ms", timeout = "2s" }
run = '''
${sign}
${alone}
sleep 300 "$LIFE" & wait
'''

[services.child]
depends_on = ["web"]
healthy_after = "100ms"
run = '''
${sign}
${alone}
trap "" TERM
setsid sleep 300 "$LIFE" &
while :; do sleep 1; done
'''

[services.falling]
instances = 2
restart_delay = "100ms"
healthy_after = "300ms"
run = '''
${sign}
${alone}
sleep 0.4; exit 1
'''

[services.broken]
restart_delay = "50ms"
start_retries = 4
run = '''
${sign}
exit 7
'''

[services.sick]
restart_delay = "100ms"
health_check = { run = "exit 1", interval = "300ms", retries = 1, timeout = "2s" }
run = '''
${sign}
${alone}
trap "" TERM
while :; do sleep 0.5; done
'''
`;

/** A configuration full of trouble. `turn` changes what a reload then finds changed; `hides` allows `hidden`. */
export function troubleConfig({ turn = 0, hides }: { turn?: number; hides: boolean }): string {
  const scheduled = (hides ? [...tasks, hidden] : tasks).map(({ unit, step, settings, script }) => `
[tasks.${unit}]
cron = "${step === 1 ? "*" : `*/${step}`} * * * * *"
description = "turn ${turn}"
${settings}
run = '''
${sign}
${script}
'''
`);
  return `
[daemon]
timezone = "UTC"
shutdown_timeout = "8s"
[defaults]
graceful_stop = "200ms"
keep_runs = 0

[tasks.manual]
max_concurrent = 4
queue_max = 10000
run = '''
${sign}
seq 1 100
sleep 0.1
'''
${scheduled.join("")}
${services}
[services.changed]
healthy_after = "50ms"
env = { TURN = "${turn}" }
run = '''
${sign}
${alone}
sleep 300 "$LIFE"
'''
${
    turn % 2 === 0 ? "" : `
[services.odd]
run = '''
${sign}
${alone}
sleep 300 "$LIFE"
'''
[tasks.odd_task]
cron = "* * * * * *"
run = '''
${sign}
sleep 2
'''
`
  }`;
}
