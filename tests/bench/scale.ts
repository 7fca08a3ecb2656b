import { type DaemonProcess, startDaemonProcess } from "../support/daemon_process.ts";
import { until } from "../support/machine.ts";
import { concurrency, rate, spawnBare } from "./bare.ts";
import { atLeast, atMost, type Figure, quantile } from "./figures.ts";

const units = 10_000;
const burst = 500;
const services = 200;

/** What many units, a busy second and many services cost. */
export async function benchScale(): Promise<Figure[]> {
  const parts = { schedules: manySchedules, second: busySecond, services: manyServices };
  const figures: Figure[] = [];
  for (const part of Object.values(parts)) figures.push(...await part());
  return figures;
}

/** Start, lateness at 20 ticks a second, and a reload, with 10,000 schedules. */
async function manySchedules(): Promise<Figure[]> {
  const folder = await Deno.makeTempDir({ prefix: "svc-bench-" });
  const config = (changed: number): string =>
    Array.from({ length: units }, (_, n) => scheduleText(n, n < changed)).join("");
  const begun = performance.now();
  const daemon = await startDaemonProcess(config(0), { folder });
  const start = performance.now() - begun;
  try {
    await pause(30_000);
    const late = await lateness(daemon);
    await Deno.writeTextFile(`${folder}/svc.toml`, config(10));
    await pause(2_000); // what the watcher does is not counted
    const requests = watchRequests(daemon);
    const before = performance.now();
    const answer = await daemon.request("/api/daemon/reload", { method: "POST" });
    const reload = performance.now() - before;
    const delays = await requests.stop();
    const { changed } = await answer.json();
    if (changed?.length !== 10) throw new Error("a reload of 10 changes found others");
    return [
      atMost(2000, { figure: "10,000 tasks, from start to listening", value: start, unit: "ms" }),
      atMost(50, { figure: "lateness at 20 ticks a second, p99", value: quantile(late, 0.99), unit: "ms" }),
      { figure: "lateness at 20 ticks a second, median", value: quantile(late, 0.5), unit: "ms" },
      atMost(1000, { figure: "reload of 10,000 units, 10 of them changed", value: reload, unit: "ms" }),
      atMost(100, { figure: "longest delay of a request meanwhile", value: Math.max(...delays), unit: "ms" }),
    ];
  } finally {
    await daemon.end();
    await Deno.remove(folder, { recursive: true });
  }
}

/** 1,200 run once a minute, 20 in each second; the others are there. */
function scheduleText(n: number, isChanged: boolean): string {
  const cron = n < 1200 ? `${n % 60} * * * * *` : `${n % 60} ${n % 24} 1 1 *`;
  const script = n < 1200 ? "true" : `echo ${n} && sleep 1`;
  return `[tasks.job-${n}]
run = "${script}"
description = "${isChanged ? "another" : "a"} job"
group = "group ${n % 50}"
cron = "${cron}"
timeout = "${1 + n % 90}m"
env = { JOB = "${n}", MODE = "batch" }

`;
}

/** How long after its tick each run was started, ms. */
async function lateness(daemon: DaemonProcess): Promise<number[]> {
  const { runs } = await (await daemon.request("/api/runs?status=success&limit=400")).json();
  return runs.map((run: { created_at: string; start_at: string }) =>
    Date.parse(run.start_at) - Date.parse(run.created_at)
  );
}

/** 500 tasks in one second, against a bare loop of the same spawns. */
async function busySecond(): Promise<Figure[]> {
  const bare = await rate(burst, spawnBare);
  const due = new Date(Math.ceil(Date.now() / 1000) * 1000 + 8_000);
  const cron = `${due.getUTCSeconds()} ${due.getUTCMinutes()} ${due.getUTCHours()} * * *`;
  const text = Array.from({ length: burst }, (_, n) => `[tasks.t${n}]\nrun = "true"\ncron = "${cron}"\n`);
  const daemon = await startDaemonProcess(`[daemon]\ntimezone = "UTC"\n${text.join("")}`);
  try {
    await pause(due.getTime() - Date.now() - 500);
    const requests = watchRequests(daemon);
    const ended = async (): Promise<number> =>
      (await (await daemon.request("/api/runs?status=success&limit=1")).json()).total;
    await until("all have run", async () => await ended() === burst);
    const delays = await requests.stop();
    const { runs } = await (await daemon.request("/api/runs?limit=1000")).json();
    const last = Math.max(...runs.map(({ end_at }: { end_at: string }) => Date.parse(end_at)));
    const ours = burst / ((last - due.getTime()) / 1000);
    return [
      { figure: `bare loop of ${burst} spawns, ${concurrency} at a time`, value: bare, unit: "runs/s" },
      { figure: `${burst} tasks due in one second, ticks to ends`, value: ours, unit: "runs/s" },
      atLeast(0.6, { figure: "the same against the bare loop", value: ours / bare, unit: "×" }),
      atMost(250, { figure: "requests meanwhile, p99", value: quantile(delays, 0.99), unit: "ms" }),
    ];
  } finally {
    await daemon.end();
  }
}

/** Memory of a daemon with many services, against one with none. */
async function manyServices(): Promise<Figure[]> {
  const memory = async (count: number): Promise<number> => {
    const text = Array.from({ length: count }, (_, n) => `[services.s${n}]\nrun = "exec sleep 600"\n`);
    const daemon = await startDaemonProcess(text.join(""));
    try {
      await until("all are up", async () => {
        const { tasks } = await (await daemon.request("/api/tasks")).json();
        return tasks.every(({ service_state }: { service_state: string }) => service_state === "running");
      });
      await pause(10_000);
      return await residentBytes(daemon.pid);
    } finally {
      await daemon.end();
    }
  };
  const [none, many] = [await memory(0), await memory(services)];
  return [
    { figure: "resident with no service", value: none / 1e6, unit: "MB" },
    atMost(0.3, {
      figure: `each of ${services} services`,
      value: (many - none) / services / 1e6,
      unit: "MB",
    }),
  ];
}

async function residentBytes(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024;
}

/** Asks for something small again and again; `stop` answers how long each request took, ms. */
function watchRequests(daemon: DaemonProcess): { stop(): Promise<number[]> } {
  const delays: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const begun = performance.now();
      await (await daemon.request("/health")).body?.cancel();
      delays.push(performance.now() - begun);
      await pause(5);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await asking;
      return delays;
    },
  };
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}
