/** What a planted leak does: `deaf` opens streams that nobody reads, `units` adds a service with each reload, `rows` keeps all runs. */
export const leaks = ["deaf", "units", "rows"] as const;
export type Leak = (typeof leaks)[number];

/** How many ended runs are kept of the task whose every tick is looked at; enough for the time between two looks. */
export const keptTicks = 120;
/** How many of the task whose runs go soon. */
export const keptFew = 5;
/** The last line of a flood. */
export const floodLines = 200_000;

/** The file for the reload with this number, from 0; one that is `calm` starts nothing by itself any more. */
export function configText(
  round: number,
  { receiver, ledger, leak, calm = false }: { receiver: string; ledger: string; leak?: Leak; calm?: boolean },
): string {
  const every = (seconds: number): string => calm ? "" : `cron = "*/${seconds} * * * * *"`;
  // `echo` is a command of the shell and writes its line at once, so that lines don't mix.
  const sign = `run = 'echo "$SVC_RUN_ID" >> ${ledger}'`;
  return `
[daemon]
timezone = "UTC"

[notify]
global_notifiers = ["inapp", "local"]
coalesce_window = "5s"
keep = 50

[notifiers.local]
type = "webhook"
url = "${receiver}"

[defaults]
keep_runs = 30
log_max_size = "512kb"

[tasks.tick]
${sign}
${every(1)}
keep_runs = ${leak === "rows" ? 0 : keptTicks}

[tasks.few]
${sign}
${every(1)}
keep_runs = ${keptFew}

[tasks.flood]
run = "seq 1 ${floodLines}"
${every(5)}
keep_runs = ${leak === "rows" ? 0 : 5}

[tasks.bar]
run = '''
i=0
while [ $i -lt 500 ]; do printf '\\r%d of 500' $i; i=$((i + 1)); done
echo
'''
${every(3)}

[tasks.fails]
run = "echo went wrong; exit 3"
${every(7)}
retry_attempts = 1
retry_delay = "1s"

[services.crasher]
run = "sleep 0.5; exit 1"
autostart = true
restart_delay = "1s"
restart_backoff = "constant"

[services.talker]
run = 'n=0; while :; do echo "line $n"; n=$((n + 1)); sleep 0.1; done'
log_max_size = "16kb"

[tasks.changing]
run = "true"
description = "round ${round}"

${Array.from({ length: leak === "units" ? round + 1 : 1 }, (_, n) => extra(round - n, leak)).join("\n")}
`;
}

/** What a reload of one file after that before it is to find. */
export function changesOf(
  round: number,
  { leak }: { leak?: Leak },
): { added: string[]; removed: string[]; changed: string[] } {
  return {
    added: [extraName(round)],
    removed: leak === "units" ? [] : [extraName(round - 1)],
    changed: ["changing"],
  };
}

function extra(round: number, leak: Leak | undefined): string {
  return leak === "units"
    ? `[services.${extraName(round)}]\nrun = "exec sleep 100000"\n`
    : `[tasks.${extraName(round)}]\nrun = "true"\n`;
}

function extraName(round: number): string {
  return `extra-${round}`;
}
