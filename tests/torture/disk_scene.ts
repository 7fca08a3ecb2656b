import type { DaemonProcess } from "../support/daemon_process.ts";
import { checkHistory, checkStop } from "./checks.ts";
import { Clients } from "./clients.ts";
import { type Row, rowsOf } from "./history.ts";
import { markedProcesses } from "./marks.ts";
import { noteErrors } from "./kill_scene.ts";
import { sign } from "./ledger.ts";
import { smallDisk } from "./small_disk.ts";
import { pass, type Stage, within } from "./stage.ts";
import { eachSecond, hasty } from "./units.ts";

const config = `${hasty}
[storage]
min_free_space = "8mb"
${eachSecond("tick", "echo a line")}
[tasks.flood]
cron = "* * * * * *"
on_overlap = "skip"
catch_up = "skip"
run = '''
${sign}
seq 1 300000
'''
[tasks.manual]
run = '''
${sign}
'''
[services.up]
healthy_after = "100ms"
run = '''
${sign}
while :; do echo up; sleep 0.2; done
'''
`;

/** Not the flood: how many ticks it has missed stands in a log, which a full disk refuses while it takes the row. */
const ticking = [{ unit: "tick", step: 1 }];

/** A disk that runs output fills up to the mark, and somebody else to the last byte; a stop in that state, and what comes after. */
export async function diskScene(stage: Stage): Promise<string> {
  const disk = await smallDisk(stage, { size: "16m" });
  const dataDir = `${disk.path}/data`;
  let daemon = await stage.start(config, { dataDir });

  const said = await within(30_000, () => daemon.log().includes("output is no longer stored"));
  stage.expect(said, "min_free_space was never reached");
  const atMark = await okRuns(dataDir);
  stage.expect(
    await within(10_000, async () => await okRuns(dataDir) >= atMark + 2),
    "no runs beyond the mark",
  );
  const clients = new Clients(daemon.url, { trigger: "manual" });

  const rounds = stage.short ? 1 : 3;
  for (let round = 0; round < rounds; round++) {
    await disk.fill();
    await pass(stage.short ? 1500 : 4000);
    await expectAnswers(stage, daemon);
    await disk.fill();
    await disk.free();
    const freed = Date.now();
    const goesOn = await within(15_000, () => newest(dataDir, "tick") > freed + 1000);
    stage.expect(goesOn, "it did not go on once there was space again");
  }
  const report = await clients.leave();
  const refused = daemon.log().split("trying again in a second").length - 1;
  for (const fault of report.faults) {
    stage.expect(false, fault);
  }

  await disk.fill();
  await within(10_000, () => daemon.log().lastIndexOf("trying again in a second") > 0);
  const stopped = await checkStop(stage, daemon, { limit: 12_000 });
  noteErrors(stage, daemon);
  // A start on a full disk says so, or gets on with it; either way it ends as it is told to.
  const crowded = await stage.spawn(config, { dataDir });
  const full = await crowded.ready();
  if (full === undefined) {
    stage.expect(await crowded.ended() === 1, `a start on a full disk ended with ${await crowded.ended()}`);
    stage.expect(isOneLine(crowded.log()), `a start on a full disk said: ${crowded.log()}`);
    const left = (await markedProcesses(stage.key)).length;
    stage.expect(left === 0, `a start that was refused left ${left} processes`);
  } else {
    await pass(1500);
    await checkStop(stage, full, { limit: 12_000 });
    noteErrors(stage, full);
  }
  await disk.free();
  daemon = await stage.start(config, { dataDir });
  stage.expect(await within(15_000, () => newest(dataDir, "tick") > Date.now() - 2000), "it does not go on");
  await checkStop(stage, daemon, { limit: 8000 });
  noteErrors(stage, daemon);
  const rows = await checkHistory(stage, { dataDir, ticking, accepted: report.accepted });
  return `full ${
    rounds + 1
  } times, ${rows.length} runs, the log told ${refused} times that something waits, ` +
    `a start on it ${full === undefined ? "was refused in one line" : "went through"}, ` +
    `${report.requests} requests (p99 ${report.p99} ms), stopped on a full disk in ${stopped} ms`;
}

/** Whether this is what a start that is refused should say: one line for who has to mend it. */
export function isOneLine(log: string): boolean {
  if (log.includes("internal error")) return false;
  // A run that had ended while no daemon was there could not be stored either.
  const others = / info\b| warn\b| error +cannot store /i;
  return log.trim().split("\n").filter((line) => !others.test(line)).length === 1;
}

function okRuns(dataDir: string): number {
  return rowsOf(dataDir).filter(({ end_reason }) => end_reason === "success").length;
}

function newest(dataDir: string, unit: string): number {
  const rows: Row[] = rowsOf(dataDir).filter((row) => row.unit === unit && row.end_reason === "success");
  return rows.at(-1)?.created_at ?? 0;
}

/** A daemon that can't write still lives and answers. */
export async function expectAnswers(stage: Stage, daemon: DaemonProcess): Promise<void> {
  for (const path of ["/health", "/api/tasks", "/api/runs?limit=10", "/api/daemon"]) {
    const response = await daemon.request(path, { signal: AbortSignal.timeout(8000) });
    await response.body?.cancel();
    stage.expect(response.status === 200, `${path}: ${response.status}`);
  }
}
