import type { SpawnedDaemon } from "../support/daemon_process.ts";
import { checkHistory, checkQuiet, checkStart, checkStop } from "./checks.ts";
import { rowsOf } from "./history.ts";
import { noteErrors } from "./kill_scene.ts";
import { alone, sign } from "./ledger.ts";
import { markedProcesses } from "./marks.ts";
import { pass, type Stage, within } from "./stage.ts";
import { eachSecond, hasty } from "./units.ts";

/** What people and tools send; by default most of them end a process. SIGUSR1 opens the runtime's debugger. */
const signals: readonly Deno.Signal[] = [
  "SIGUSR1",
  "SIGUSR1",
  "SIGUSR2",
  "SIGQUIT",
  "SIGALRM",
  "SIGVTALRM",
  "SIGPROF",
  "SIGPWR",
  "SIGIO",
  "SIGSTKFLT",
  "SIGXCPU",
  "SIGXFSZ",
  "SIGPIPE",
  "SIGCHLD",
  "SIGURG",
  "SIGWINCH",
  "SIGCONT",
  "SIGHUP",
];

const config = `${hasty}
${eachSecond("tick", "sleep 0.3")}
[services.up]
healthy_after = "50ms"
run = '''
${sign}
${alone}
sleep 300 "$LIFE" & wait
'''
`;

const ticking = [{ unit: "tick", step: 1 }];

/** All signals that a daemon takes, at random moments of its life, from the first milliseconds of its start. */
export async function signalsScene(stage: Stage): Promise<string> {
  const { random, short } = stage;
  let sent = 0;
  let early = 0;
  const starts = short ? 2 : 40;
  for (let n = 0; n < starts; n++) {
    const daemon = await stage.spawn(config);
    const told = daemon.ready();
    let isOver = false;
    void told.then(() => isOver = true);
    // Most starts get their first signal when the program has begun, some at any moment.
    if (random.oneIn(4)) await pass(random.below(700));
    else await within(20_000, () => isOver || hasBegun(daemon));
    while (!isOver) {
      sent += send(daemon, random.pick(signals));
      await expectNoDebugger(stage, daemon);
      await pass(random.below(30));
    }
    const ready = await told;
    if (ready === undefined) {
      early++;
      await expectNothingBegun(stage, daemon);
    } else await checkStop(stage, ready, { limit: 8000 });
    noteErrors(stage, daemon);
  }
  const daemon = await stage.start(config);
  await checkStart(stage, daemon);
  const until = performance.now() + (short ? 1500 : 30_000);
  while (performance.now() < until) {
    sent += send(daemon, random.pick(signals));
    await expectNoDebugger(stage, daemon);
    await pass(random.below(60));
  }
  const goesOn = await within(
    5000,
    () => rowsOf(daemon.dataDir).some(({ unit, end_reason }) => unit === "tick" && end_reason === "success"),
  );
  stage.expect(goesOn, "no ticks ran");
  await checkQuiet(stage, daemon, ticking);
  const stopped = await checkStop(stage, daemon, { limit: 8000 });
  noteErrors(stage, daemon);
  const rows = await checkHistory(stage, { dataDir: daemon.dataDir, ticking, accepted: [] });
  for (const { id, unit, end_reason } of rows) {
    const isFine = end_reason === "daemon_stopped" || (unit === "tick" && end_reason === "success");
    stage.expect(isFine, `run ${id} of ${unit} ended as ${end_reason}`);
  }
  return `${sent} signals, ${starts} starts under them (${early} ended before the program had begun), ` +
    `${rows.length} runs, stopped in ${stopped} ms`;
}

function send({ pid }: { pid: number }, signal: Deno.Signal): number {
  try {
    Deno.kill(pid, signal);
    return 1;
  } catch {
    return 0; // it has ended
  }
}

/** Whether it has got as far as its data folder. */
function hasBegun({ dataDir, pid }: SpawnedDaemon): boolean {
  try {
    return Deno.readTextFileSync(`${dataDir}/daemon.pid`).trim() === String(pid);
  } catch {
    return false;
  }
}

/** Before the runtime runs the program, a signal may end it: then there is nothing that could be left behind. */
async function expectNothingBegun(stage: Stage, daemon: SpawnedDaemon): Promise<void> {
  const code = await daemon.ended();
  stage.expect(!hasBegun(daemon), `a signal ended it with ${code} when it had begun: ${daemon.log()}`);
  const left = (await markedProcesses(stage.key)).filter(({ life }) => life === stage.life);
  stage.expect(
    left.length === 0,
    `a start that was ended left ${left.map(({ command }) => command).join(", ")}`,
  );
}

/** Other daemons of this machine may sit where it would open: who answers says which process he is. */
async function expectNoDebugger(stage: Stage, { pid }: { pid: number }): Promise<void> {
  const options = { signal: AbortSignal.timeout(1000) };
  const text = await fetch("http://127.0.0.1:9229/json", options).then((answer) => answer.text(), () => "");
  stage.expect(!text.includes(`pid: ${pid}]`), `its debugger is open: ${text.slice(0, 300)}`);
}
