import type { DaemonProcess } from "../support/daemon_process.ts";
import { keptIn } from "../support/kept.ts";
import { isAlive } from "../support/machine.ts";
import { checkQuiet, checkStop } from "./checks.ts";
import { damageOf, type Row, rowsOf } from "./history.ts";
import { ledgerFaults, readLedger, sign } from "./ledger.ts";
import { noteErrors } from "./kill_scene.ts";
import { pass, type Stage, within } from "./stage.ts";
import { hasty } from "./units.ts";

const lines = 30;
/** A run is read by the runtime itself for its first moments, and under load it starts late, ms. */
const youngFor = 3000;

/** The exit code of a run, which only its script knows: the character code of the end of its id, 0 to 6. */
function codeOf(id: string): number {
  return id.charCodeAt(id.length - 1) % 7;
}

const codeInShell = `rest=\${SVC_RUN_ID%?}; code=$(( $(printf %d "'\${SVC_RUN_ID#"$rest"}") % 7 ))`;

/** A task of every so many seconds that writes numbers, and ends with the code of its id. */
function numbered(unit: string, { step, pause }: { step: number; pause: string }): string {
  return `
[tasks.${unit}]
cron = "*/${step} * * * * *"
catch_up = "all"
max_concurrent = 30
queue_max = 1000
run = '''
${sign}
${codeInShell}
for n in $(seq 1 ${lines}); do echo "$n"; ${pause}; done
exit $code
'''`;
}

function config(): string {
  const services = `
[services.quiet]
instances = 20
run = '''
${sign}
sleep 300 & wait
'''
[services.ticking]
log_max_size = "1gb"
instances = 6
run = '''
n=0; while :; do n=$((n + 1)); echo $n; sleep 0.05; done
'''
[services.both]
log_max_size = "1gb"
instances = 2
run = '''
n=0; while :; do n=$((n + 1)); echo $n; echo $n >&2; sleep 0.03; done
'''
[services.bursts]
log_max_size = "1gb"
instances = 2
run = '''
n=0; while :; do seq $((n + 1)) $((n + 20000)); n=$((n + 20000)); sleep 0.7; done
'''`;
  return `${hasty}
${numbered("short", { step: 1, pause: ":" })}
${numbered("middle", { step: 2, pause: "sleep 0.05" })}
${numbered("long", { step: 5, pause: "sleep 0.6" })}
[tasks.flood]
cron = "*/3 * * * * *"
catch_up = "all"
max_concurrent = 10
run = '''
${sign}
seq 1 200000
'''
${services}
`;
}

/** The tasks, and how many numbers each run of them writes. */
const tasks = new Map([["short", lines], ["middle", lines], ["long", lines], ["flood", 200_000]]);
const ticking = [{ unit: "short", step: 1 }, { unit: "middle", step: 2 }, { unit: "long", step: 5 }, {
  unit: "flood",
  step: 3,
}];

/** kill -9, or a handover, while all kinds of runs go on: none of them notices, and nothing of what they write or end with is lost. */
export async function takeOverScene(stage: Stage): Promise<string> {
  const { random, short } = stage;
  const times = short ? 5 : Number(Deno.env.get("TORTURE_KILLS") ?? 100);
  let daemon = await stage.start(config());
  await within(20_000, () => Promise.resolve(servicesOf(daemon).size === 30));
  const services = servicesOf(daemon);
  stage.expect(services.size === 30, `${services.size} of 30 instances run at first`);
  let slowest = 0;
  let handovers = 0;
  const deaths: number[] = [];
  for (let n = 1; n <= times; n++) {
    await pass(random.below(short ? 1500 : 2500));
    const isHandedOver = random.oneIn(3);
    if (isHandedOver) {
      const { status } = await daemon.request("/api/daemon/handover?force=true", { method: "POST" });
      const code = await daemon.ended();
      stage.expect(
        status === 202 && code === 75,
        `a handover was answered with ${status} and ended with ${code}`,
      );
      handovers++;
    } else {
      deaths.push(Date.now());
      await daemon.end("SIGKILL");
    }
    noteErrors(stage, daemon);
    if (random.oneIn(4)) {
      const spawned = await stage.spawn(config());
      await pass(5 + random.below(700));
      deaths.push(Date.now());
      await spawned.end("SIGKILL");
    }
    // Long enough for the night watch, now and then.
    await pass(random.oneIn(10) ? 7000 : random.below(1500));
    const began = performance.now();
    daemon = await stage.start(config());
    slowest = Math.max(slowest, performance.now() - began);
    for (const [slot, pid] of servicesOf(daemon)) {
      stage.expect(services.get(slot) === pid, `${slot} has pid ${pid}, and had ${services.get(slot)}`);
      if (services.get(slot) !== pid) services.set(slot, pid);
    }
  }
  await checkQuiet(stage, daemon, ticking);
  const { adopted } = await (await daemon.request("/api/daemon")).json();
  stage.expect(adopted >= 30, `only ${adopted} runs were taken over at last`);
  const rows = rowsOf(daemon.dataDir);
  let torn = 0;
  const executed = new Set((await readLedger(stage.folder)).executed);
  for (const fault of ledgerFaults(await readLedger(stage.folder), rows)) stage.expect(false, fault);
  for (const row of rows.filter(({ status }) => status === "ended")) {
    torn += await checkEnded(stage, { daemon, row, executed, deaths });
  }
  for (const row of rows.filter(({ status, unit }) => status === "running" && unit !== "quiet")) {
    const fault = numbersFault(await numbersOf(daemon, row), { streams: row.unit === "both" ? 2 : 1 });
    stage.expect(fault === undefined, `${row.unit} ${row.id}: ${fault}`);
  }
  noteErrors(stage, daemon);
  await checkStop(stage, daemon, { limit: 15_000 });
  stage.expect(keptIn(daemon.dataDir).length === 0, "files of keepers are left behind a stop");
  for (const { keeper, runId } of keptIn(daemon.dataDir)) {
    stage.expect(!isAlive(keeper), `the keeper of ${runId} lives on`);
  }
  const damage = damageOf(daemon.dataDir);
  stage.expect(damage.length === 0, `the database is damaged: ${damage.slice(0, 3).join("; ")}`);
  stage.expect(torn <= Math.ceil(deaths.length / 10), `${torn} runs lack output of their first second`);
  const crashed = rows.filter(({ end_reason }) => end_reason === "crashed").length;
  return `kill -9 or a handover ${times} times (${handovers}), ${rows.length} runs, ${crashed} of them had not begun, ${torn} lack output of their first second, 30 services with the pids that they had, ` +
    `slowest start ${Math.round(slowest)} ms`;
}

/** Pids of the instances that run, by unit and number. */
function servicesOf(daemon: DaemonProcess): Map<string, number> {
  const pids = new Map(keptIn(daemon.dataDir).map(({ runId, pid }) => [runId, pid]));
  return new Map(
    rowsOf(daemon.dataDir).filter(({ status, trigger, id }) =>
      status === "running" && trigger === "service" && pids.has(id)
    ).map(({ unit, instance, id }) => [`${unit}/${instance}`, pids.get(id)!]),
  );
}

/**
 * A run that has ended: with its own code and all that it wrote, unless it had not begun when its daemon died. Answers
 * 1 for one that lacks what the runtime had read, and not handed out yet, when its daemon was killed in its first second:
 * until then it is not read by way of files.
 */
async function checkEnded(
  stage: Stage,
  { daemon, row, executed, deaths }: {
    daemon: DaemonProcess;
    row: Row;
    executed: ReadonlySet<string>;
    deaths: readonly number[];
  },
): Promise<number> {
  const count = tasks.get(row.unit);
  const name = `${row.unit} ${row.id}`;
  if (count === undefined) {
    stage.expect(false, `${name} has ended: ${row.end_reason}`);
    return 0;
  }
  if (row.end_reason === "missed") return 0;
  if (row.end_reason === "crashed") {
    stage.expect(!executed.has(row.id), `${name} is crashed, and had begun`);
    return 0;
  }
  const code = row.unit === "flood" ? 0 : codeOf(row.id);
  stage.expect(
    row.exit_code === code,
    `${name} ended with ${row.exit_code} (${row.end_reason}), and not ${code}`,
  );
  const numbers = await numbersOf(daemon, row);
  const fault = numbersFault(numbers, { streams: 1 }) ??
    (numbers.length === count ? undefined : `it ends with ${numbers.length}`);
  if (fault === undefined) return 0;
  const isYoung = deaths.some((at) => at >= row.created_at && at < row.created_at + youngFor);
  const isInOrder = numbers.every((number, i) => number > (numbers[i - 1] ?? 0)) && numbers.at(-1) === count;
  if (isYoung && isInOrder) return 1;
  stage.expect(false, `${name}: ${fault}`);
  return 0;
}

async function numbersOf(daemon: DaemonProcess, { id }: Row): Promise<number[]> {
  const response = await daemon.request(`/api/runs/${id}/log/raw`);
  // What is written at this moment may be half a line.
  return (await response.text()).split("\n").slice(0, -1).map(Number);
}

/** What is wrong with numbers that so many writers have written, each from 1 on without a gap. */
function numbersFault(numbers: readonly number[], { streams }: { streams: number }): string | undefined {
  const last = Array.from({ length: streams }, () => 0);
  for (const [at, number] of numbers.entries()) {
    const writer = last.indexOf(number - 1);
    if (writer < 0) {
      return `${numbers.slice(Math.max(0, at - 3), at + 3).join(" ")} at ${at} of ${numbers.length}`;
    }
    last[writer] = number;
  }
  return undefined;
}
