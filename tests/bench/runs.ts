import { startDaemonProcess } from "../support/daemon_process.ts";
import { type Figure, quantile } from "./figures.ts";
import { fillHistory } from "./fill.ts";

const rows = 1_000_000;
const clients = 16;

/** What a page asks for, and how long (ms) 99 of 100 answers may take. */
const questions: Record<string, { query: string; most: number }> = {
  "newest page": { query: "", most: 100 },
  "page 10,000": { query: "offset=500000", most: 100 },
  "one task": { query: "task_name=unit-7", most: 100 },
  "failed": { query: "status=failed,timeout", most: 100 },
  "running": { query: "status=running", most: 100 },
  "by trigger": { query: "triggered_by=api", most: 100 },
  "by exit code": { query: "exit_code_min=3", most: 100 },
  "retries": { query: "retries_only=true", most: 100 },
  "a stretch of time": {
    query: "created_after=2026-09-22T00:00:00Z&created_before=2026-09-24T00:00:00Z",
    most: 100,
  },
  "sorted by name": { query: "sort_field=task_name", most: 100 },
  "sorted by status": { query: "sort_field=status", most: 100 },
  "sorted by start": { query: "sort_field=start_at", most: 100 },
  "sorted by exit code": { query: "sort_field=exit_code&sort_direction=desc", most: 100 },
  "sorted by duration": { query: "sort_field=duration&sort_direction=desc", most: 100 },
  "search for a name": { query: "search=unit-19", most: 250 },
  "search for one digit": { query: "search=9", most: 250 },
  "search for a part of an id": { query: "search=00999123", most: 250 },
};

/** Lists a history of a million runs in every way that a page can ask for, and triggers a run meanwhile. */
export async function benchRuns(): Promise<Figure[]> {
  const folder = await Deno.makeTempDir({ prefix: "svc-bench-" });
  await Deno.mkdir(`${folder}/.svc`);
  fillHistory(`${folder}/.svc/svc.db`, rows);
  const daemon = await startDaemonProcess(
    '[defaults]\nkeep_runs = 0\nkeep_for = 0\n[tasks.quick]\nrun = "true"\nmax_concurrent = 8\n',
    {
      folder,
    },
  );
  const figures: Figure[] = [];
  try {
    for (const [name, { query, most }] of Object.entries(questions)) {
      await timed(daemon.request(`/api/runs?${query}`));
      const times: number[] = [];
      for (let n = 0; n < 100; n++) times.push(await timed(daemon.request(`/api/runs?${query}`)));
      const p99 = quantile(times, 0.99);
      figures.push({
        figure: `${name}, p99`,
        value: p99,
        unit: "ms",
        target: `under ${most}`,
        pass: p99 < most,
      });
    }
    const alone = await triggerTimes(daemon.request);
    let over = false;
    const queries = Object.values(questions).map(({ query }) => query);
    const load = Promise.all(Array.from({ length: clients }, async (_, client) => {
      for (let n = client; !over; n++) {
        await timed(daemon.request(`/api/runs?${queries[n % queries.length]}`));
      }
    }));
    const loaded = await triggerTimes(daemon.request);
    over = true;
    await load;
    const delay = quantile(loaded, 0.95) - quantile(alone, 0.95);
    figures.push({ figure: "trigger, p95, nobody lists", value: quantile(alone, 0.95), unit: "ms" });
    figures.push({
      figure: `trigger, p95, later by ${clients} clients that list`,
      value: delay,
      unit: "ms",
      target: "under 20",
      pass: delay < 20,
    });
  } finally {
    await daemon.end();
    await Deno.remove(folder, { recursive: true });
  }
  return figures;
}

async function triggerTimes(
  request: (path: string, init?: RequestInit) => Promise<Response>,
): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < 100; n++) times.push(await timed(request("/api/tasks/quick/run", { method: "POST" })));
  return times;
}

async function timed(asked: Promise<Response>): Promise<number> {
  const started = performance.now();
  const response = await asked;
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the daemon answers ${response.status}`);
  return performance.now() - started;
}
