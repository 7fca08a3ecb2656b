import { startDaemonProcess } from "../support/daemon_process.ts";
import type { Figure } from "./figures.ts";

const concurrency = 8;

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

async function spawnBare(): Promise<void> {
  const child = new Deno.Command("/bin/sh", {
    args: ["-c", "true"],
    detached: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  await Promise.all([child.status, drain(child.stdout), drain(child.stderr)]);
}

async function drain(stream: ReadableStream<Uint8Array>): Promise<void> {
  for await (const _ of stream);
}

/** Times a second that `one` could be done, `concurrency` at a time. */
async function rate(count: number, one: () => Promise<void>): Promise<number> {
  let left = count;
  const started = performance.now();
  await Promise.all(Array.from({ length: concurrency }, async () => {
    while (left-- > 0) await one();
  }));
  return count / ((performance.now() - started) / 1000);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
