import { type DaemonProcess, startDaemonProcess } from "../support/daemon_process.ts";
import { svc } from "../support/svc_process.ts";
import { withBuilt } from "./built.ts";
import { atMost, type Figure, quantile } from "./figures.ts";
import { fillHistory } from "./fill.ts";
import { memory, pause } from "./managers/marked.ts";

const starts = 5;
const settling = 10_000;
const watched = 20_000;
/** Units of a usual machine. */
const usual = 20;

/** What a start and an idle daemon cost with few units and many, of the built file. */
export async function benchUnits(): Promise<Figure[]> {
  return await withBuilt(async () => {
    const figures: Figure[] = [];
    for (const count of [10, usual, 100, 1000, 10_000]) {
      const isUsual = count === usual;
      const { ready, rss, list, idle } = await cost(count, { isIdleWatched: isUsual });
      const of = `${count.toLocaleString("en")} units`;
      const held = (most: number, figure: Figure): Figure => isUsual ? atMost(most, figure) : figure;
      figures.push(
        held(350, { figure: "start to ready", of, value: ready, unit: "ms" }),
        held(70, { figure: "resident", of, value: rss, unit: "MB" }),
        { figure: "`svc list`", of, value: list, unit: "ms" },
      );
      if (isUsual) figures.push(atMost(0.2, { figure: "idle, of a core", of, value: idle, unit: "%" }));
    }
    return figures;
  });
}

/** What a history costs: a start, memory, and the newest page of runs, of the built file. */
export async function benchHistory(): Promise<Figure[]> {
  return await withBuilt(async () => {
    const figures: Figure[] = [];
    let least: Cost | undefined;
    for (const runs of [1000, 10_000, 100_000, 1_000_000]) {
      const found = await cost(usual, { runs });
      least ??= found;
      const of = `${runs.toLocaleString("en")} runs`;
      figures.push(
        { figure: "start to ready", of, value: found.ready, unit: "ms" },
        { figure: "resident", of, value: found.rss, unit: "MB" },
        { figure: "newest page of runs, median", of, value: found.page, unit: "ms" },
      );
      if (runs < 1_000_000) continue;
      figures.push(
        atMost(1.1, {
          figure: "start against that with 1,000",
          of,
          value: found.ready / least.ready,
          unit: "×",
        }),
        atMost(1.1, {
          figure: "memory against that with 1,000",
          of,
          value: found.rss / least.rss,
          unit: "×",
        }),
      );
    }
    return figures;
  });
}

interface Cost {
  /** Ms, the median of some starts. */
  ready: number;
  /** MB, some seconds after the last start. */
  rss: number;
  /** Percent of a core; NaN where nobody looked. */
  idle: number;
  /** Ms, the median of some calls. */
  list: number;
  page: number;
}

async function cost(
  units: number,
  { runs = 0, isIdleWatched = false }: { runs?: number; isIdleWatched?: boolean } = {},
): Promise<Cost> {
  const folder = await Deno.makeTempDir({ prefix: "svc-bench-" });
  try {
    if (runs > 0) {
      await Deno.mkdir(`${folder}/.svc`);
      fillHistory(`${folder}/.svc/svc.db`, runs);
    }
    const config = "[defaults]\nkeep_runs = 0\nkeep_for = 0\n" +
      Array.from({ length: units }, (_, n) => taskText(n)).join("");
    const readies: number[] = [];
    for (let n = 1;; n++) {
      let daemon: DaemonProcess | undefined;
      readies.push(await timed(async () => void (daemon = await startDaemonProcess(config, { folder }))));
      try {
        if (n < starts) continue;
        return { ready: quantile(readies, 0.5), ...await idleCost(daemon!, isIdleWatched) };
      } finally {
        await daemon!.end();
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function idleCost(daemon: DaemonProcess, isIdleWatched: boolean): Promise<Omit<Cost, "ready">> {
  await pause(settling);
  const { rss } = memory([daemon.pid]);
  let idle = NaN;
  if (isIdleWatched) {
    const before = cpuTime(daemon.pid);
    await pause(watched);
    idle = (cpuTime(daemon.pid) - before) / watched * 100;
  }
  const lists: number[] = [];
  const pages: number[] = [];
  for (let n = 0; n < starts; n++) {
    lists.push(
      await timed(async () => {
        const { code, stderr } = await svc(["list"], { env: { SVC_DATA: daemon.dataDir } });
        if (code !== 0) throw new Error(`svc list went wrong: ${stderr}`);
      }),
    );
  }
  for (let n = 0; n < 100; n++) {
    pages.push(await timed(async () => void (await (await daemon.request("/api/runs")).arrayBuffer())));
  }
  return { rss, idle, list: quantile(lists, 0.5), page: quantile(pages, 0.5) };
}

/** Time of a processor that a process has had, ms. */
function cpuTime(pid: number): number {
  const fields = Deno.readTextFileSync(`/proc/${pid}/stat`).replace(/^.*\) /, "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10; // user and system, in hundredths of a second
}

/** Due once a year. */
function taskText(n: number): string {
  return `[tasks.job-${n}]\nrun = "echo ${n}"\ngroup = "group ${n % 50}"\ncron = "${n % 60} ${
    n % 24
  } 1 1 *"\n\n`;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
