import type { DaemonProcess } from "../support/daemon_process.ts";
import { checkHistory, checkStop } from "./checks.ts";
import { Clients } from "./clients.ts";
import { rowsOf } from "./history.ts";
import { noteErrors } from "./kill_scene.ts";
import { markedProcesses } from "./marks.ts";
import { bombs, nastyConfig, nastyTasks } from "./nasty.ts";
import { pass, type Stage, within } from "./stage.ts";

/** Processes that do all they can to stay: each is run, most are stopped, and nothing may be left. */
export async function nastyScene(stage: Stage): Promise<string> {
  const daemon = await stage.start(nastyConfig({ flood: stage.short ? 5_000_000 : 100_000_000 }));
  const { capabilities } = await (await daemon.request("/api/daemon")).json();
  const hides = capabilities.some((one: { name: string; available: boolean }) =>
    one.name === "cgroup" && one.available
  );
  const clients = new Clients(daemon.url, { trigger: "manual" });
  const accepted: string[] = [];
  let slowest = 0;

  const played = nastyTasks.filter(({ slow, hidden }) => !(slow && stage.short) && !(hidden && !hides));
  for (const { unit, after, reason, limit } of played) {
    const began = performance.now();
    const id = await trigger(daemon, unit);
    accepted.push(id);
    if (after !== undefined) {
      await within(
        5000,
        () => rowsOf(daemon.dataDir).some((row) => row.id === id && row.status === "running"),
      );
      await pass(after);
      await post(daemon, `/api/runs/${id}/stop`);
    }
    const ended = await within(limit, () => endOf(daemon, id) !== undefined);
    slowest = Math.max(slowest, Math.round(performance.now() - began));
    if (!stage.expect(ended, `${unit} did not end within ${limit} ms`)) continue;
    stage.expect(endOf(daemon, id) === reason, `${unit} ended as ${endOf(daemon, id)}, not ${reason}`);
    await expectNobody(stage, { unit, id });
  }

  const bombed = await limitsHold(daemon);
  for (const { unit, after, reason } of bombed ? bombs : []) {
    const id = await trigger(daemon, unit);
    let crowd = 0;
    // On a busy machine the first of them may come late, and a look at all processes takes its time.
    await within(10_000, async () => {
      const hasEnded = endOf(daemon, id) !== undefined;
      crowd = (await markedProcesses(stage.key)).filter(({ runId }) => runId === id).length;
      return crowd > 4 || hasEnded;
    });
    stage.expect(crowd > 4, `${unit} has only ${crowd} processes`);
    if (after !== undefined) await post(daemon, `/api/runs/${id}/stop`);
    stage.expect(await within(15_000, () => endOf(daemon, id) !== undefined), `${unit} did not end`);
    stage.expect(endOf(daemon, id) === reason, `${unit} ended as ${endOf(daemon, id)}, not ${reason}`);
    await expectNobody(stage, { unit, id });
  }

  const stops = await stopAndStart(stage, daemon);
  const report = await clients.leave();
  for (const fault of report.faults) stage.expect(false, fault);
  const stopped = await checkStop(stage, daemon, { limit: 8000 });
  noteErrors(stage, daemon);
  const rows = await checkHistory(stage, {
    dataDir: daemon.dataDir,
    ticking: [],
    accepted: [...accepted, ...report.accepted],
  });
  return `${played.length} kinds of stubborn processes (the longest took ${slowest} ms), ` +
    `${bombed ? `${bombs.length} fork bombs` : "NO fork bombs, since limits.pids does not hold here"}, ` +
    `${stops} stops and restarts, ${rows.length} runs, nothing left; ${report.requests} requests meanwhile ` +
    `(p99 ${report.p99} ms, slowest ${report.slowest} ms), stopped in ${stopped} ms` +
    (hides ? "" : "; no control groups: without processes that clear their environment");
}

/** Stops, starts and restarts a service many times in a row: one copy at any time, and one at the end. */
async function stopAndStart(stage: Stage, daemon: DaemonProcess): Promise<number> {
  const times = stage.short ? 15 : 200;
  for (let n = 0; n < times; n++) {
    const action = stage.random.pick(["stop", "start", "restart", "restart"]);
    await post(daemon, `/api/tasks/bouncing/${action}`);
    if (stage.random.oneIn(4)) await pass(stage.random.below(150));
  }
  await post(daemon, "/api/tasks/bouncing/start");
  const settled = await within(20_000, async () => {
    const task = await (await daemon.request("/api/tasks/bouncing")).json();
    return task.service_state === "running";
  });
  stage.expect(settled, "bouncing is not up after all its restarts");
  const up = rowsOf(daemon.dataDir).filter((row) => row.unit === "bouncing" && row.status === "running");
  stage.expect(up.length === 1, `bouncing is up ${up.length} times`);
  const leaders = (await markedProcesses(stage.key)).filter(({ command }) => command.includes("sleep 301"));
  stage.expect(leaders.length <= 1, `${leaders.length} processes of bouncing`);
  return times;
}

/** A task of eight processes under limits.pids = 6 fails where the limit holds. */
async function limitsHold(daemon: DaemonProcess): Promise<boolean> {
  const id = await trigger(daemon, "bounded");
  await within(10_000, () => endOf(daemon, id) !== undefined);
  return endOf(daemon, id) !== "success";
}

async function expectNobody(stage: Stage, { unit, id }: { unit: string; id: string }): Promise<void> {
  // Services and the manual task have processes all the while: only those with a stray's words or this run's id count.
  const ofRun = async () =>
    (await markedProcesses(stage.key)).filter(({ runId, command }) =>
      runId === id || command.startsWith("sleep 300 ") || command.includes("stray")
    );
  const left = await ofRun();
  stage.expect(
    left.length === 0,
    `${unit} left ${left.map(({ pid, command }) => `${pid} (${command})`).join(", ")}`,
  );
}

function endOf(daemon: DaemonProcess, id: string): string | undefined {
  return rowsOf(daemon.dataDir).find((row) => row.id === id && row.status === "ended")?.end_reason ??
    undefined;
}

async function trigger(daemon: DaemonProcess, unit: string): Promise<string> {
  const response = await daemon.request(`/api/tasks/${unit}/run`, { method: "POST" });
  const run = await response.json();
  if (response.status !== 201) throw new Error(`run of ${unit}: ${response.status} ${JSON.stringify(run)}`);
  return run.id;
}

async function post(daemon: DaemonProcess, path: string): Promise<void> {
  const response = await daemon.request(path, { method: "POST" });
  const text = await response.text();
  // A run may have ended just before its stop.
  if (response.status >= 400 && response.status !== 404 && response.status !== 409) {
    throw new Error(`${path}: ${response.status} ${text}`);
  }
}
