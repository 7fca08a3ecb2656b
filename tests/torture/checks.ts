import type { DaemonProcess } from "../support/daemon_process.ts";
import { damageOf, handledMarks, type Row, rowsOf, tickFaults } from "./history.ts";
import { ledgerFaults, readLedger } from "./ledger.ts";
import { markedProcesses } from "./marks.ts";
import { type Stage, within } from "./stage.ts";
import { type Ticking } from "./trouble.ts";

/** What a daemon must have put right once it is ready: an intact database, and nobody left of an earlier life. */
export async function checkStart(
  stage: Stage,
  daemon: DaemonProcess,
): Promise<{ orphans: number; rows: Row[] }> {
  const damage = damageOf(daemon.dataDir);
  stage.expect(damage.length === 0, `the database is damaged: ${damage.slice(0, 3).join("; ")}`);
  const { life } = stage;
  // What outlived its daemon goes on as long as its run does. The warden of one that was killed ends by itself, once it sees that.
  const others = async () => {
    const earlier = (await markedProcesses(stage.key)).filter((one) => one.life < life);
    const running = new Set(rowsOf(daemon.dataDir).filter(isRunning).map(({ id }) => id));
    const kept = earlier.filter(({ runId }) => runId !== undefined && running.has(runId));
    const groups = new Set(kept.map(({ group }) => group));
    return earlier.filter((one) =>
      !kept.includes(one) && !(one.group !== undefined && groups.has(one.group))
    );
  };
  let orphans = await others();
  const carriers = orphans.filter(({ runId, command }) =>
    runId !== undefined || command.startsWith("sleep 300")
  );
  stage.expect(carriers.length === 0, `alive when ready: ${carriers.map(describe).join(", ")}`);
  if (orphans.length > 0) await within(3000, async () => (orphans = await others()).length === 0);
  stage.expect(orphans.length === 0, `still alive: ${orphans.map(describe).join(", ")}`);
  const rows = rowsOf(daemon.dataDir);
  const slots = new Set<string>();
  for (const row of rows.filter(({ status, trigger }) => status === "running" && trigger === "service")) {
    const slot = `${row.unit}/${row.instance}`;
    stage.expect(!slots.has(slot), `${slot} runs twice`);
    slots.add(slot);
  }
  return { orphans: orphans.length + carriers.length, rows };
}

function isRunning({ status }: Row): boolean {
  return status === "running";
}

function describe(
  { pid, life, command, runId }: { pid: number; life: number; command: string; runId?: string },
): string {
  return `${pid} of life ${life} (run ${runId ?? "unknown"}: ${command})`;
}

/** Pauses all schedules, waits until nothing but services runs, and holds what counts as running against what is alive. */
export async function checkQuiet(
  stage: Stage,
  daemon: DaemonProcess,
  ticking: readonly Ticking[],
): Promise<void> {
  for (const { unit } of ticking) {
    const response = await daemon.request(`/api/tasks/${unit}/pause`, { method: "POST" });
    await response.body?.cancel();
    stage.expect(response.status === 204 || response.status === 404, `pause of ${unit}: ${response.status}`);
  }
  let active: Row[] = [];
  const isQuiet = await within(90_000, () => {
    active = rowsOf(daemon.dataDir).filter(({ status, trigger }) =>
      status !== "ended" && trigger !== "service"
    );
    return active.length === 0;
  });
  stage.expect(
    isQuiet,
    `stuck: ${active.map(({ unit, id, status }) => `${unit} ${id} ${status}`).join(", ")}`,
  );
  let ghosts: Row[] = [];
  const agrees = await within(10_000, async () => {
    const alive = new Set((await markedProcesses(stage.key)).map(({ runId }) => runId));
    ghosts = rowsOf(daemon.dataDir).filter((row) => row.status === "running" && !alive.has(row.id));
    return ghosts.length === 0;
  });
  stage.expect(
    agrees,
    `running without a process: ${ghosts.map(({ unit, id }) => `${unit} ${id}`).join(", ")}`,
  );
}

/** Stops a daemon in order, and looks whether anything is left of it. */
export async function checkStop(
  stage: Stage,
  daemon: DaemonProcess,
  { limit }: { limit: number },
): Promise<number> {
  const began = performance.now();
  const code = await daemon.end("SIGTERM");
  const took = Math.round(performance.now() - began);
  stage.expect(code === 0, `the stop ended with ${code}:\n${daemon.log().slice(-1500)}`);
  stage.expect(took < limit, `the stop took ${took} ms`);
  await within(2000, async () => (await markedProcesses(stage.key)).length === 0);
  const left = await markedProcesses(stage.key);
  stage.expect(left.length === 0, `alive after the stop: ${left.map(describe).join(", ")}`);
  return took;
}

/** Holds the whole history against the ledger, the ticks, and the runs that were accepted. For when no daemon is there. */
export async function checkHistory(
  stage: Stage,
  options: { dataDir: string; ticking: readonly Ticking[]; accepted: readonly string[] },
): Promise<Row[]> {
  const { dataDir, ticking, accepted } = options;
  const damage = damageOf(dataDir);
  stage.expect(damage.length === 0, `the database is damaged: ${damage.slice(0, 3).join("; ")}`);
  const rows = rowsOf(dataDir);
  const marks = handledMarks(dataDir);
  const faults = ledgerFaults(await readLedger(stage.folder), rows);
  for (const task of ticking) {
    faults.push(...tickFaults(rows, { ...task, missed: (row) => missedCount(dataDir, row) }));
    const last = rows.findLast(({ unit, trigger, retry_attempt }) =>
      unit === task.unit && trigger === "cron" && retry_attempt === 0
    );
    const mark = marks.get(task.unit) ?? 0;
    // A resumed or resting schedule may be further than its last row, but no row further than it.
    if (last !== undefined && last.created_at > mark) {
      faults.push(`${task.unit}: a row beyond what is handled`);
    }
  }
  const known = new Set(rows.map(({ id }) => id));
  for (const id of accepted) if (!known.has(id)) faults.push(`run ${id} was accepted and is lost`);
  for (const row of rows) {
    if (row.status === "running") faults.push(`run ${row.id} of ${row.unit} still counts as running`);
    if (row.status === "ended" && row.end_reason === null) faults.push(`run ${row.id} ended for no reason`);
  }
  for (const fault of faults) stage.expect(false, fault);
  return rows;
}

function missedCount(dataDir: string, { unit, id }: Row): number | undefined {
  const folder = `${dataDir}/logs/${unit}/${id}`;
  try {
    for (const { name } of Deno.readDirSync(folder)) {
      if (!name.endsWith(".sys")) continue;
      const count = /missed ticks: (\d+)/.exec(Deno.readTextFileSync(`${folder}/${name}`))?.[1];
      if (count !== undefined) return Number(count);
    }
  } catch {
    // No log: the row can't say.
  }
  return undefined;
}
