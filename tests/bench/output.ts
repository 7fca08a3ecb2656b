import { type DaemonProcess, startDaemonProcess } from "../support/daemon_process.ts";
import { benchRedraws } from "./redraws.ts";
import { atLeast, atMost, type Figure, quantile } from "./figures.ts";

const floodLines = 20_000_000;
const writers = 100;
const searched = 1_000_000_000;

const config = `
[defaults]
log_max_size = 0

[tasks.flood]
run = "seq 1 ${floodLines}"

[tasks.lines]
max_concurrent = ${writers}
run = 'i=0; while [ $i -lt 50 ]; do seq 1 100; i=$((i + 1)); sleep 0.1; done'

[tasks.large]
run = "seq -f '%.0f a line of ordinary output that a program prints' 1 ${
  Math.round(searched / 60)
}; echo the needle"
`;

/** A flood against `cat`, many writers at once, and a search against `grep`: what output costs a daemon. */
export async function benchOutput(): Promise<Figure[]> {
  const daemon = await startDaemonProcess(config);
  try {
    return [
      ...await flood(daemon),
      ...await manyWriters(daemon),
      ...await search(daemon),
      ...await benchRedraws(),
    ];
  } finally {
    await daemon.end();
    await Deno.remove(daemon.folder, { recursive: true });
  }
}

/** The same bytes through the daemon and through `cat`, three times in turn. */
async function flood(daemon: DaemonProcess): Promise<Figure[]> {
  const bytes = Array.from({ length: 8 }, (_, n) => n + 1)
    .reduce(
      (sum, digits) => sum + (digits + 1) * (Math.min(10 ** digits, floodLines + 1) - 10 ** (digits - 1)),
      0,
    );
  const ratios: number[] = [];
  const delays: number[] = [];
  const growth: number[] = [];
  let rate = 0;
  for (let round = 0; round < 3; round++) {
    const file = `${daemon.folder}/flood`;
    const bare = await timed(() => shell(`seq 1 ${floodLines} | cat > ${file}`));
    await Deno.remove(file);
    const before = await residentBytes(daemon.pid);
    const watch = watchDelays(daemon);
    const ours = await timed(() => run(daemon, "flood"));
    const seen = await watch.stop();
    delays.push(...seen.delays);
    growth.push(seen.most - before);
    ratios.push(bare / ours);
    rate = bytes / 1e6 / (ours / 1000);
  }
  const ratio = quantile(ratios, 0.5);
  return [
    { figure: "flood of 20,000,000 lines, start to end of the run", value: rate, unit: "MB/s" },
    atLeast(0.5, { figure: "flood against seq | cat > file", value: ratio, unit: "×" }),
    atMost(64, { figure: "growth of the daemon by a flood", value: Math.max(...growth) / 1e6, unit: "MB" }),
    atMost(50, { figure: "requests meanwhile, p99", value: quantile(delays, 0.99), unit: "ms" }),
  ];
}

/** 100 runs that print 1,000 lines a second each, for 5 s. */
async function manyWriters(daemon: DaemonProcess): Promise<Figure[]> {
  const watch = watchDelays(daemon);
  const ids = await Promise.all(Array.from({ length: writers }, () => run(daemon, "lines")));
  const { delays } = await watch.stop();
  let lines = 0;
  for (const id of ids) {
    const page = await (await daemon.request(`/api/runs/${id}/log?from=-1`)).json();
    if (page.truncated) throw new Error("lines were dropped");
    lines += page.total_lines;
  }
  if (lines !== writers * 5000) throw new Error(`${lines} lines are there`);
  return [
    { figure: "lines of 100 runs, 1,000 a second each, none dropped", value: lines, unit: "lines" },
    { figure: "requests meanwhile, p99", value: quantile(delays, 0.99), unit: "ms" },
  ];
}

/** A text at the end of 1 GB, by the daemon and by `grep -F`. */
async function search(daemon: DaemonProcess): Promise<Figure[]> {
  const id = await run(daemon, "large");
  const file = `${daemon.folder}/large`;
  await Deno.writeFile(file, (await daemon.request(`/api/runs/${id}/log/raw`)).body!);
  const { size } = await Deno.stat(file);
  const ratios: number[] = [];
  const delays: number[] = [];
  let ours = 0;
  for (let round = 0; round < 3; round++) {
    const bare = await timed(() => shell(`grep -F 'the needle' ${file} > /dev/null`));
    const watch = watchDelays(daemon);
    ours = await timed(async () => {
      let cursor = "";
      for (;;) {
        const path = `/api/tasks/large/log/search?q=the%20needle&case=true&cursor=${
          encodeURIComponent(cursor)
        }`;
        const page = await (await daemon.request(path)).json();
        if (page.hits?.length > 0) return;
        if (!page.next_cursor) throw new Error("the needle was not found");
        cursor = page.next_cursor;
      }
    });
    delays.push(...(await watch.stop()).delays);
    ratios.push(bare / ours);
  }
  return [
    { figure: `search of ${(size / 1e9).toFixed(1)} GB`, value: size / 1e6 / (ours / 1000), unit: "MB/s" },
    atLeast(0.25, { figure: "search against grep -F", value: quantile(ratios, 0.5), unit: "×" }),
    atMost(50, { figure: "requests meanwhile, p99", value: quantile(delays, 0.99), unit: "ms" }),
  ];
}

/** Runs a task to its end; answers the id of the run. */
async function run(daemon: DaemonProcess, task: string): Promise<string> {
  const path = `/api/tasks/${task}/run?wait=true&waitTimeout=200`;
  const ended = await (await daemon.request(path, { method: "POST" })).json();
  if (ended.endReason !== "succeeded") throw new Error(`a run went wrong: ${JSON.stringify(ended)}`);
  return ended.id;
}

async function shell(script: string): Promise<void> {
  const { success } = await new Deno.Command("/bin/sh", { args: ["-c", script] }).output();
  if (!success) throw new Error(`went wrong: ${script}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Asks for something small again and again, and looks at the daemon's memory. */
function watchDelays(daemon: DaemonProcess): { stop(): Promise<{ delays: number[]; most: number }> } {
  const delays: number[] = [];
  let most = 0;
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      delays.push(await timed(async () => void (await (await daemon.request("/health")).body?.cancel())));
      most = Math.max(most, await residentBytes(daemon.pid));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  return {
    async stop() {
      isOver = true;
      await asking;
      return { delays, most };
    },
  };
}

async function residentBytes(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024;
}
