import { startDaemonProcess } from "../support/daemon_process.ts";
import { concurrency, median, rate, spawnBare } from "./bare.ts";
import type { Figure } from "./figures.ts";

/** Triggers `true` over HTTP and compares with a bare loop that spawns the same, in turn, with the same concurrency. */
export async function benchThroughput(options: { runs?: number; rounds?: number } = {}): Promise<Figure[]> {
  const { runs = 1000, rounds = 3 } = options;
  const daemon = await startDaemonProcess(
    `[tasks.true]\nrun = "true"\nmax_concurrent = ${concurrency}\nkeep_runs = 0\n`,
  );
  const share = Math.ceil(runs / rounds);
  const bare: number[] = [];
  const ours: number[] = [];
  const seen = new Set<string>();
  try {
    for (let round = 0; round < rounds; round++) {
      bare.push(await rate(share, spawnBare));
      ours.push(
        await rate(share, async () => {
          const response = await daemon.request("/api/tasks/true/run?wait=true", { method: "POST" });
          const run = await response.json();
          if (response.status !== 201 || run.endReason !== "succeeded") {
            throw new Error(`a run went wrong: ${JSON.stringify(run)}`);
          }
          seen.add(run.id);
        }),
      );
    }
    const expected = share * rounds;
    const { total } = await (await daemon.request("/api/runs?status=success&limit=1")).json();
    if (seen.size !== expected || total !== expected) {
      throw new Error(`${expected} triggers gave ${seen.size} runs, ${total} are stored`);
    }
  } finally {
    await daemon.end();
  }
  const ratio = median(ours.map((value, round) => value / bare[round]!));
  return [
    { figure: "bare loop of the same spawns", value: median(bare), unit: "runs/s" },
    { figure: "runs over HTTP, none lost or doubled", value: median(ours), unit: "runs/s" },
    {
      figure: "runs over HTTP against the bare loop",
      value: ratio,
      unit: "×",
      target: "0.7 or more",
      pass: ratio >= 0.7,
    },
  ];
}
