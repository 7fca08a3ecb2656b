/** What loading a configuration costs. */

import { loadConfigFile } from "../../src/io/config_files.ts";

interface Figure {
  figure: string;
  value: number;
  unit: string;
  target?: string;
  pass?: boolean;
}

/** Loads a file of 10,000 tasks, right and with an error, and gives the best of three times each, in ms. */
export async function benchConfig(): Promise<Figure[]> {
  const folder = await Deno.makeTempDir({ prefix: "svc-bench-" });
  try {
    const right = `${folder}/right.toml`;
    const wrong = `${folder}/wrong.toml`;
    const tasks = Array.from({ length: 10_000 }, (_, index) => taskText(index)).join("");
    await Deno.writeTextFile(right, tasks);
    await Deno.writeTextFile(wrong, `${tasks}timeuot = "5s"\n`);
    const load = await best(async () => {
      const { config } = await loadConfigFile(right, { env: {} });
      if (config?.units.length !== 10_000) throw new Error("the benchmark's configuration did not load");
    });
    const refuse = await best(async () => {
      const { errors } = await loadConfigFile(wrong, { env: {} });
      if (errors[0]?.line !== 80_000 + 1) throw new Error("the benchmark's error was not placed");
    });
    return [
      { figure: "load 10,000 tasks", value: load, unit: "ms", target: "at most 500", pass: load <= 500 },
      { figure: "refuse 10,000 tasks with one unknown key", value: refuse, unit: "ms" },
    ];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function taskText(index: number): string {
  return `[tasks.job-${index}]
run = "echo ${index} && sleep 1"
description = "Job number ${index}"
group = "group ${index % 50}"
cron = "${index % 60} ${index % 24} * * *"
timeout = "${1 + index % 90}m"
env = { JOB = "${index}", MODE = "batch" }

`;
}

async function best(work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return Math.round(Math.min(...times));
}
